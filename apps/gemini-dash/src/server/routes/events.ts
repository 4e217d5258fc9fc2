import type { LiveEvent } from '@gemini-dash/api'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Store } from '../../store/store.ts'
import { ApiFailure } from '../api-failure.ts'
import type { EventStream } from '../events/event-stream.ts'
import { openEventStream } from '../events/event-stream.ts'
import { readSessionCookie } from '../security/session-cookie.ts'

/** A browser holds one stream a tab. */
const MAX_STREAMS_PER_CLIENT = 20

/** Events carry names only. Nothing is replayed: a page that comes back asks again for what it shows. */
export const eventRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  const streams = new Map<EventStream, string>()
  let lastId = 0

  const endSubscription = store.subscribe((event: LiveEvent) => {
    lastId += 1
    for (const stream of streams.keys()) stream.send(lastId, event)
  })
  app.addHook('preClose', async () => {
    endSubscription()
    for (const stream of streams.keys()) stream.close()
  })

  app.get('/api/events', (request, reply) => {
    const client = clientOf(request)
    const openStreams = [...streams.values()].filter((each) => each === client).length
    if (openStreams >= MAX_STREAMS_PER_CLIENT) {
      throw new ApiFailure('too-many-requests', 'This browser already listens with 20 tabs.')
    }
    reply.header('Content-Type', 'text/event-stream; charset=utf-8')
    if (request.method === 'HEAD') return reply.send()

    const headers = reply.getHeaders()
    reply.hijack()
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    reply.raw.flushHeaders()
    const stream = openEventStream(reply.raw, () => {
      streams.delete(stream)
      store.setOpenPages(streams.size)
    })
    streams.set(stream, client)
    store.setOpenPages(streams.size)
  })
}

function clientOf(request: FastifyRequest): string {
  return readSessionCookie(request.headers.cookie, request.socket.localPort ?? 0) ?? request.ip
}
