import { neighbourFileQuerySchema } from '@gemini-dash/api'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Store } from '../../store/store.ts'
import { found, foundSession } from '../replies/found-session.ts'
import { sendFile } from '../replies/send-file.ts'

const sessionParams = z.object({ key: z.string() })
const fileParams = z.object({ key: z.string(), fileId: z.string() })

/** Files beside a session are asked for by an id that its list gives them, never by a name or a path. */
export const neighbourRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  app.get('/api/sessions/:key/neighbours', { schema: { params: sessionParams } }, async ({ params }) =>
    found(await store.content.neighbours(foundSession(store, params.key)), 'session'),
  )

  app.get(
    '/api/sessions/:key/neighbours/:fileId',
    { schema: { params: fileParams, querystring: neighbourFileQuerySchema } },
    async ({ params, query, method }, reply) => {
      const key = foundSession(store, params.key)
      const file = found(await store.content.neighbourFile(key, params.fileId), 'file beside this session')
      return sendFile(reply, file, { limitBytes: query.limit, isBodyWanted: method !== 'HEAD' })
    },
  )
}
