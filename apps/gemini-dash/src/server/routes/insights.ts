import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Store } from '../../store/store.ts'
import { found, foundSession } from '../found-session.ts'

const sessionParams = z.object({ key: z.string() })

/** What only a look over a whole session tells. */
export const insightRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  app.get('/api/sessions/:key/reasoning', { schema: { params: sessionParams } }, async ({ params }) =>
    found(await store.reasoning(foundSession(store, params.key)), 'session'),
  )

  app.get('/api/sessions/:key/context', { schema: { params: sessionParams } }, async ({ params }) =>
    found(await store.context(foundSession(store, params.key)), 'session'),
  )

  app.get('/api/sessions/:key/waste', { schema: { params: sessionParams } }, async ({ params }) =>
    found(await store.waste(foundSession(store, params.key)), 'session'),
  )

  app.get('/api/sessions/:key/what-if', { schema: { params: sessionParams } }, async ({ params }) =>
    found(await store.whatIf(foundSession(store, params.key)), 'session'),
  )
}
