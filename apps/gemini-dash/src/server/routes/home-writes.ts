import { forkQuerySchema, moveQuerySchema, recoverQuerySchema } from '@gemini-dash/api'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { forkSession } from '../../fork.ts'
import { moveSessions } from '../../move.ts'
import { recoverSession } from '../../recover/recover-session.ts'
import type { Recovering } from '../../store/recovering.ts'
import type { Store } from '../../store/store.ts'
import { done, found, foundSession } from '../replies.ts'

const sessionSchema = z.object({ key: z.string() })
const nothingSchema = z.strictObject({}).optional()

interface RecoverRouteParts {
  store: Store
  recovering: Recovering
  dataFolder: string | null
}

export const recoverRoutes: FastifyPluginAsyncZod<RecoverRouteParts> = async (app, parts) => {
  const { store, recovering, dataFolder } = parts

  app.post(
    '/api/sessions/:key/recover',
    { schema: { params: sessionSchema, querystring: recoverQuerySchema, body: nothingSchema } },
    async ({ params, query }) => {
      const key = foundSession(store, params.key)
      const how = { recovering, dataFolder, nowMs: Date.now() }
      return found(await done(recoverSession(how, key, query.write === 'true')), 'session')
    },
  )

  app.post(
    '/api/sessions/:key/fork',
    { schema: { params: sessionSchema, querystring: forkQuerySchema, body: nothingSchema } },
    async ({ params, query: { at, write } }) => {
      const request = { key: foundSession(store, params.key), at, isWriting: write === 'true' }
      const how = { recovering, dataFolder, nowMs: Date.now() }
      return found(await done(forkSession(how, request)), 'session')
    },
  )
}

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
    return done(moveSessions({ recovering, dataFolder, nowMs: Date.now() }, request))
  }

  // The folder may also be in the body: a long path should not make the URL longer.
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
