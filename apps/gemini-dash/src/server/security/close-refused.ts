import plugin from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyRequest {
    /** Every guard has let it pass. */
    isAdmitted: boolean
  }
}

/** A well-behaved client that is told so has asked for too much, too. */
const STATUSES_OF_LIMITS = new Set([413, 415, 429])

/**
 * What a guard refuses loses its connection: kept alive, a hundred refused requests would be all connections there are, and
 * shut out who may ask. To be registered after all guards: who comes as far as this is admitted.
 */
export const closeRefused = plugin(async (app) => {
  app.decorateRequest('isAdmitted', false)
  app.addHook('onRequest', async (request) => {
    request.isAdmitted = true
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const isRefused = !request.isAdmitted && reply.statusCode >= 400
    if (isRefused || STATUSES_OF_LIMITS.has(reply.statusCode)) reply.header('Connection', 'close')
    return payload
  })
})
