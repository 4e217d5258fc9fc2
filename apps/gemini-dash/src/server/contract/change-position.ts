import { CHANGE_POSITION_HEADER } from '@gemini-dash/api/paths'
import plugin from 'fastify-plugin'
import type { ChangeFeed } from '../events/change-feed.ts'
import { kindOfRequest } from './route-table.ts'

/** Tells with each answer which change was the last before it was asked for: whatever came later is not surely in it. */
export const tellChangePosition = plugin(async (app, { feed }: { feed: ChangeFeed }) => {
  app.addHook('onRequest', async (request, reply) => {
    if (kindOfRequest(request) === 'api') reply.header(CHANGE_POSITION_HEADER, String(feed.at))
  })
})
