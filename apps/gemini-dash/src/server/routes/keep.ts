import { keepChangeSchema } from '@gemini-dash/api'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Keeper } from '../../keep/thread/keeper.ts'
import { ApiFailure } from '../contract/api-failure.ts'

const nowBodySchema = z.strictObject({}).optional()

export const keepRoutes: FastifyPluginAsyncZod<{ keeper: Keeper }> = async (app, { keeper }) => {
  app.get('/api/keep', () => done(keeper.status()))

  app.put('/api/keep', { schema: { body: keepChangeSchema } }, ({ body }) => done(keeper.change(body)))

  app.post('/api/keep/now', { schema: { body: nowBodySchema } }, () => done(keeper.now()))
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
