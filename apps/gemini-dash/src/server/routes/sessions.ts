import { resumeQuerySchema, sessionQuerySchema } from '@gemini-dash/api'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { installedCli } from '../../environment/installed-cli.ts'
import { ownShell } from '../../store/resume/quote-for-shell.ts'
import type { Store } from '../../store/store.ts'
import { found, foundSession } from '../replies/found-session.ts'
import { sendWritten } from '../replies/send-written.ts'

const paramsSchema = z.object({ key: z.string() })

export const sessionRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  app.get('/api/sessions', { schema: { querystring: sessionQuerySchema } }, async ({ query }) =>
    store.sessions(query),
  )

  app.get(
    '/api/sessions/:key/resume',
    { schema: { params: paramsSchema, querystring: resumeQuerySchema } },
    async ({ params, query }) => {
      const key = foundSession(store, params.key)
      return found(store.resume(key, query.shell ?? ownShell(), installedCli()), 'session')
    },
  )

  app.get('/api/sessions/:key', { schema: { params: paramsSchema } }, async ({ params }, reply) =>
    sendWritten(found(await store.content.writtenSession(foundSession(store, params.key)), 'session'), reply),
  )
}
