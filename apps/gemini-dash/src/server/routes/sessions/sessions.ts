import { resumeQuerySchema, sessionDetailQuerySchema, sessionQuerySchema } from '@gemini-dash/api'
import { CHANGE_POSITION_HEADER } from '@gemini-dash/api/paths'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { installedCli } from '../../../store/cli/installed-cli.ts'
import { ownShell } from '../../../store/resume/quote-for-shell.ts'
import type { Store } from '../../../store/store.ts'
import type { ChangeFeed } from '../../events/change-feed.ts'
import { found, foundSession } from '../../replies/found-session.ts'
import { sendWritten } from '../../replies/send-written.ts'

const paramsSchema = z.object({ key: z.string() })

export const sessionRoutes: FastifyPluginAsyncZod<{ store: Store; feed: ChangeFeed }> = async (
  app,
  { store, feed },
) => {
  app.get('/api/sessions', { schema: { querystring: sessionQuerySchema } }, async ({ query }, reply) => {
    const list = await store.sessions(query)
    // Nothing changes between the answer and this: no event can come before all that waits for it has gone on.
    reply.header(CHANGE_POSITION_HEADER, String(feed.at))
    return list
  })

  app.get(
    '/api/sessions/:key/resume',
    { schema: { params: paramsSchema, querystring: resumeQuerySchema } },
    async ({ params, query }) => {
      const key = foundSession(store, params.key)
      return found(store.resume(key, query.shell ?? ownShell(), installedCli()), 'session')
    },
  )

  app.get(
    '/api/sessions/:key',
    { schema: { params: paramsSchema, querystring: sessionDetailQuerySchema } },
    async ({ params, query }, reply) => {
      const key = foundSession(store, params.key)
      if (query.outline === 'turns') return found(await store.content.session(key), 'session')
      return sendWritten(found(await store.content.writtenSession(key), 'session'), reply)
    },
  )
}
