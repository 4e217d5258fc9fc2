import { moveQuerySchema } from '@gemini-dash/api'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { moveSessions } from '../../../move/move-sessions.ts'
import type { Recovering } from '../../../store/recovering.ts'
import type { Store } from '../../../store/store.ts'
import { found, foundSession } from '../../replies/found-session.ts'
import { orWhyNot } from './or-why-not.ts'

const keySchema = z.object({ key: z.string() })
const bodySchema = moveQuerySchema.pick({ to: true }).optional()

interface MoveRouteParts {
  store: Store
  recovering: Recovering
  dataFolder: string | null
}

export const moveRoutes: FastifyPluginAsyncZod<MoveRouteParts> = async (app, parts) => {
  const { store, recovering, dataFolder } = parts
  const schema = { params: keySchema, querystring: moveQuerySchema, body: bodySchema }

  const move = (keys: () => string[], { to, write }: z.infer<typeof moveQuerySchema>) => {
    const request = { keys, to: to ?? null, isWriting: write === 'true' }
    return orWhyNot(moveSessions({ recovering, dataFolder, nowMs: Date.now() }, request))
  }

  // The folder may stand in the body, too: an address should not grow with it.
  app.post('/api/sessions/:key/move', { schema }, async ({ params, query, body }) => {
    const key = foundSession(store, params.key)
    return found(await move(() => [key], { ...query, ...body }), 'session')
  })

  app.post('/api/projects/:key/move', { schema }, async ({ params, query, body }) => {
    const isThere = store.projects().projects.some(({ key }) => key === params.key)
    found(isThere ? params.key : null, 'project')
    return found(
      await move(() => recovering.talksOf(params.key), { ...query, ...body }),
      'session in this project',
    )
  })
}
