import plugin from 'fastify-plugin'
import { ApiFailure } from '../api-failure.ts'

export const MAX_URL_LENGTH = 8 * 1024
const MAX_BODY_BYTES = 64 * 1024

/** This server only answers questions: nothing can be sent to it, and no question is long. */
export const requestLimits = plugin(async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.length > MAX_URL_LENGTH) {
      throw new ApiFailure('too-large', 'The address is longer than 8 KB.', { status: 414 })
    }
    const bodyBytes = Number(request.headers['content-length'] ?? 0)
    if (bodyBytes > MAX_BODY_BYTES) {
      reply.header('Connection', 'close')
      throw new ApiFailure('too-large', 'The body is larger than 64 KB.')
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      reply.header('Connection', 'close').header('Allow', 'GET, HEAD')
      throw new ApiFailure('method-not-allowed', 'Only GET and HEAD are answered.')
    }
  })
})
