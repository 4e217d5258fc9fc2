import { usageQuerySchema, usageSumQuerySchema, usageWhyQuerySchema } from '@gemini-dash/api'
import { CHANGE_POSITION_HEADER } from '@gemini-dash/api/paths'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Store } from '../../store/store.ts'
import { usageCsv } from '../../store/usage/csv/usage-csv.ts'
import type { ChangeFeed } from '../events/change-feed.ts'

export const usageRoutes: FastifyPluginAsyncZod<{ store: Store; feed: ChangeFeed }> = async (
  app,
  { store, feed },
) => {
  app.get('/api/usage', { schema: { querystring: usageQuerySchema } }, async ({ query }, reply) => {
    const report = store.usage(query)
    reply.header(CHANGE_POSITION_HEADER, String(feed.at))
    if (query.format !== 'csv') return report
    return reply
      .header('Content-Type', 'text/csv; charset=utf-8; header=present')
      .header('Content-Disposition', `attachment; filename="gemini-usage-by-${query.by}.csv"`)
      .send(usageCsv(report, query))
  })

  app.get('/api/usage/sum', { schema: { querystring: usageSumQuerySchema } }, async ({ query }) =>
    store.usageSum(query),
  )

  app.get('/api/usage/why', { schema: { querystring: usageWhyQuerySchema } }, async ({ query }) =>
    store.usageWhy(query),
  )
}
