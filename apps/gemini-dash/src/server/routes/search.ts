import { setMaxListeners } from 'node:events'
import { searchQuerySchema, suggestQuerySchema } from '@gemini-dash/api'
import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Store } from '../../store/store.ts'
import { sendLines, wantsLines } from '../replies/send-lines.ts'

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
