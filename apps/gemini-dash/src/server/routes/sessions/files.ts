import { fileHistoryQuerySchema } from '@gemini-dash/api'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Store } from '../../../store/store.ts'

/** What sessions did to files. Paths are compared with what calls named, never opened. */
export const fileRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  app.get('/api/files/history', { schema: { querystring: fileHistoryQuerySchema } }, async ({ query }) =>
    store.fileHistory(query),
  )
}
