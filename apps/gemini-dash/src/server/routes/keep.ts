import { keepChangeSchema } from '@gemini-dash/api'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type ForgetParts, forgetSession } from '../../forget/forget-session.ts'
import type { Keeper } from '../../keep/thread/keeper.ts'
import { ApiFailure } from '../contract/api-failure.ts'
import { found, foundSession } from '../replies/found-session.ts'

const sessionSchema = z.object({ key: z.string() })
const nowBodySchema = z.strictObject({}).optional()

interface KeepParts extends Omit<ForgetParts, 'archives'> {
  keeper: Keeper
}

export const keepRoutes: FastifyPluginAsyncZod<KeepParts> = async (app, { keeper, ...parts }) => {
  app.get('/api/keep', () => done(keeper.status()))

  app.put('/api/keep', { schema: { body: keepChangeSchema } }, ({ body }) => done(keeper.change(body)))

  app.post('/api/keep/now', { schema: { body: nowBodySchema } }, () => done(keeper.now()))

  app.post(
    '/api/sessions/:key/forget',
    { schema: { params: sessionSchema, body: nowBodySchema } },
    async ({ params }) => {
      const key = foundSession(parts.store, params.key)
      return found(await done(forgetSession({ ...parts, archives: keeper }, key)), 'session')
    },
  )
}

/** That the disk is full, or nothing may be written, is no fault of the program, and worth telling. */
async function done<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ApiFailure('unavailable', `This could not be done: ${reason}.`)
  }
}
