import { comparisonQuerySchema } from '@gemini-dash/api'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Store } from '../../../store/store.ts'
import { found, foundSession } from '../../replies/found-session.ts'

export const comparisonRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  app.get('/api/compare', { schema: { querystring: comparisonQuerySchema } }, async ({ query }) =>
    found(await store.compare(foundSession(store, query.a), foundSession(store, query.b)), 'session'),
  )
}
