import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Store } from '../../store/store.ts'
import { ApiFailure } from '../contract/api-failure.ts'
import type { ChangeFeed } from '../events/change-feed.ts'
import type { EventStream } from '../events/event-stream.ts'
import { openEventStream } from '../events/event-stream.ts'
import { readSessionCookie } from '../security/session-cookie.ts'

/** All tabs of a browser share one; a browser without locks holds one for each tab that is seen. */
const MAX_STREAMS_PER_CLIENT = 20

interface EventOptions {
  store: Store
  feed: ChangeFeed
  /** The script that the page begins with; null where no page is built. */
  pageScript: () => Promise<string | null>
}

/**
 * Events carry names, and a row where nothing else changed: what a list says, to who may ask for it. Nothing is replayed: each has a
 * number, so who missed one knows and asks again.
 */
export const eventRoutes: FastifyPluginAsyncZod<EventOptions> = async (app, { store, feed, pageScript }) => {
  const streams = new Map<EventStream, string>()
  const page = await pageScript()

  feed.subscribe((at, event) => {
    for (const stream of streams.keys()) stream.send(at, event)
  })
  app.addHook('preClose', async () => {
    feed.close()
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
    stream.greet({ kind: 'hello', at: feed.at, page })
    streams.set(stream, client)
    store.setOpenPages(streams.size)
  })
}

function clientOf(request: FastifyRequest): string {
  return readSessionCookie(request.headers.cookie, request.socket.localPort ?? 0) ?? request.ip
}
