import { searchQuerySchema, suggestQuerySchema } from '@gemini-dash/api'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Store } from '../../store/store.ts'

export const searchRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  app.get('/api/search', { schema: { querystring: searchQuerySchema } }, async ({ query }) =>
    store.search(query),
  )

  app.get('/api/search/suggest', { schema: { querystring: suggestQuerySchema } }, async ({ query }) =>
    store.suggest(query),
  )
}
