import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Store } from '../../store/store.ts'

export const healthRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  app.get('/api/health', async () => store.health())
}
