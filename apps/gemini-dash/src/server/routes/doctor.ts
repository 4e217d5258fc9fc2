import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Store } from '../../store/store.ts'

export const doctorRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  app.get('/api/doctor', async () => store.doctor())
  app.get('/api/doctor/notes', async () => store.doctorNotes())
}
