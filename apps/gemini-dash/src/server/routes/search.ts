import { setMaxListeners } from 'node:events'
import { PassThrough } from 'node:stream'
import { searchQuerySchema, suggestQuerySchema } from '@gemini-dash/api'
import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Store } from '../../store/store.ts'
import { withVersion } from '../replies/send-written.ts'

export const searchRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  app.get(
    '/api/search',
    { schema: { querystring: searchQuerySchema } },
    async ({ query, headers }, reply) => {
      const left = whenLeft(reply)
      reply.header('Vary', 'Accept')
      try {
        if (!wantsLines(headers.accept)) return await store.search(query, left)
        return await sendLines(reply, (onPartial) => store.search(query, left, onPartial))
      } catch (error) {
        if (!left.aborted) throw error
        return reply.hijack()
      }
    },
  )

  app.get('/api/search/suggest', { schema: { querystring: suggestQuerySchema } }, async ({ query }) =>
    store.suggest(query),
  )
}

/** Whoever types on asks anew; a search that nobody waits for would only keep the next one waiting. */
function whenLeft(reply: FastifyReply): AbortSignal {
  const left = new AbortController()
  // One listener a shard for the search and for each count of its facets: more than Node takes for a leak.
  setMaxListeners(0, left.signal)
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) left.abort()
  })
  return left.signal
}

const LINES_TYPE = 'application/x-ndjson'

/**
 * Sends an answer that grows as lines of JSON: partial ones while it is made, the complete one last, written as it would
 * be alone. A failure before the first line is an answer of its own; a later one cuts the connection.
 */
async function sendLines<Answer extends object>(
  reply: FastifyReply,
  make: (onPartial: (partial: Answer) => void) => Promise<Answer>,
): Promise<FastifyReply> {
  const lines = new PassThrough()
  let isBegun = false
  const write = (answer: Answer) => {
    if (!isBegun) void reply.type(LINES_TYPE).send(lines)
    isBegun = true
    lines.write(`${JSON.stringify(withVersion(answer))}\n`)
  }
  try {
    // To a reader that is behind, only what comes later is worth sending.
    const answer = await make((partial) => !lines.writableNeedDrain && write(partial))
    write(answer)
    lines.end()
  } catch (error) {
    if (!isBegun) throw error
    lines.destroy(error instanceof Error ? error : new Error(String(error)))
  }
  return reply
}

/** Is that what the client would rather have than one JSON text? */
function wantsLines(accept: string | undefined): boolean {
  return accept?.split(',').some((type) => type.split(';')[0]?.trim() === LINES_TYPE) === true
}
