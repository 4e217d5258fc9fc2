import plugin from 'fastify-plugin'
import { ApiFailure } from '../contract/api-failure.ts'
import { isForThisServer } from './is-for-this-server.ts'

export const FOREIGN_HOST = 'This address is not served.'

/**
 * Stops DNS rebinding: a page of evil.example whose name now points here is same-origin to the browser and
 * sends no `Origin` at all, but it cannot hide the name in `Host`.
 */
export const hostGuard = plugin(async (app, { names }: { names: string[] }) => {
  app.addHook('onRequest', async (request) => {
    if (!isForThisServer(request.raw, names)) throw new ApiFailure('forbidden', FOREIGN_HOST)
  })
})
