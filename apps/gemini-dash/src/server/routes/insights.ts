import { tableQuerySchema, whatIfQuerySchema } from '@gemini-dash/api'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Store } from '../../store/store.ts'
import { contextCsv } from '../../store/usage/csv/context-csv.ts'
import { found, foundSession } from '../replies/found-session.ts'

const sessionParams = z.object({ key: z.string() })

/** What only a look over a whole session tells. */
export const insightRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  app.get('/api/sessions/:key/reasoning', { schema: { params: sessionParams } }, async ({ params }) =>
    found(await store.content.reasoning(foundSession(store, params.key)), 'session'),
  )

  app.get(
    '/api/sessions/:key/context',
    { schema: { params: sessionParams, querystring: tableQuerySchema } },
    async ({ params, query }, reply) => {
      const key = foundSession(store, params.key)
      const context = found(await store.content.context(key), 'session')
      if (query.format !== 'csv') return context
      return reply
        .header('Content-Type', 'text/csv; charset=utf-8; header=present')
        .header('Content-Disposition', `attachment; filename="gemini-context-${key}.csv"`)
        .send(contextCsv(context))
    },
  )

  app.get('/api/sessions/:key/waste', { schema: { params: sessionParams } }, async ({ params }) =>
    found(await store.content.waste(foundSession(store, params.key)), 'session'),
  )

  app.get(
    '/api/sessions/:key/what-if',
    { schema: { params: sessionParams, querystring: whatIfQuerySchema } },
    async ({ params, query }) =>
      found(await store.content.whatIf(foundSession(store, params.key), query), 'session'),
  )
}
