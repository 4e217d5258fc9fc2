import plugin from 'fastify-plugin'
import { ApiFailure } from '../contract/api-failure.ts'
import { bodyLimitOf, changingMethodOf } from '../contract/route-table.ts'

export const MAX_URL_LENGTH = 8 * 1024

/** This server answers questions, and no question is long. What can be sent to it stands in the route table, and is JSON. */
export const requestLimits = plugin(async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.length > MAX_URL_LENGTH) {
      throw new ApiFailure('too-large', 'The address is longer than 8 KB.', { status: 414 })
    }
    const bodyBytes = Number(request.headers['content-length'] ?? 0)
    const limit = bodyLimitOf(request.routeOptions.url)
    if (bodyBytes > limit) throw new ApiFailure('too-large', `The body is larger than ${limit / 1024} KB.`)
    if (request.method === changingMethodOf(request.routeOptions.url)) return
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      reply.header('Allow', 'GET, HEAD')
      throw new ApiFailure('method-not-allowed', 'Only GET and HEAD are answered.')
    }
  })
})
