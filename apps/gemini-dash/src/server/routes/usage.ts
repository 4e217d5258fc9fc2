import { usageQuerySchema } from '@gemini-dash/api'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Store } from '../../store/store.ts'

export const usageRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  app.get('/api/usage', { schema: { querystring: usageQuerySchema } }, async ({ query }) =>
    store.usage(query),
  )
}
