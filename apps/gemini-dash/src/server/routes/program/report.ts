import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Keeper } from '../../../keep/thread/keeper.ts'
import { healthReport } from '../../../redaction/health-report.ts'
import type { Store } from '../../../store/store.ts'

/** How it stands, to be sent to somebody: without paths, names and titles. */
export const reportRoutes: FastifyPluginAsyncZod<{ store: Store; keeper: Keeper }> = async (
  app,
  { store, keeper },
) => {
  app.get('/api/report', async () => ({
    text: healthReport({
      health: store.health(),
      doctor: await store.doctor(),
      projects: store.projects().projects,
      keep: await keeper.status(),
    }),
  }))
}
