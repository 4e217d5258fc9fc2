import { fileChangeQuerySchema, fileHistoryQuerySchema } from '@gemini-dash/api'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Store } from '../../store/store.ts'
import { found, foundSession } from '../replies/found-session.ts'

const sessionParams = z.object({ key: z.string() })

/** What sessions did to files. Paths are compared with what calls named, never opened. */
export const fileRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  app.get('/api/sessions/:key/files', { schema: { params: sessionParams } }, async ({ params }) =>
    found(await store.content.files(foundSession(store, params.key)), 'session'),
  )

  app.get(
    '/api/sessions/:key/files/change',
    { schema: { params: sessionParams, querystring: fileChangeQuerySchema } },
    async ({ params, query }) =>
      found(
        await store.content.fileChange(foundSession(store, params.key), query.path),
        'file in this session',
      ),
  )

  app.get('/api/files/history', { schema: { querystring: fileHistoryQuerySchema } }, async ({ query }) =>
    store.fileHistory(query),
  )
}
