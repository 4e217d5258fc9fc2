import {
  costReportQuerySchema,
  messageQuerySchema,
  tableQuerySchema,
  toolOutputQuerySchema,
  transcriptQuerySchema,
} from '@gemini-dash/api'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Part, ToolOutput } from 'gemini-sessions'
import { z } from 'zod'
import { read } from '../../store/messages/written.ts'
import type { Store } from '../../store/store.ts'
import { callsCsv } from '../../store/usage/csv/calls-csv.ts'
import { found, foundSession } from '../replies/found-session.ts'
import { sendMedia } from '../replies/send-media.ts'
import { sendRawRecord } from '../replies/send-raw-record.ts'
import { sendWritten } from '../replies/send-written.ts'

const sessionParams = z.object({ key: z.string() })
const messageParams = z.object({ key: z.string(), messageKey: z.string() })
const partParams = messageParams.extend({ index: z.coerce.number().int().min(0) })
const callParams = z.object({ key: z.string(), callId: z.string() })

export const messageRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  app.get(
    '/api/sessions/:key/messages',
    { schema: { params: sessionParams, querystring: messageQuerySchema } },
    async ({ params, query }) =>
      found(await store.content.messages(foundSession(store, params.key), query), 'session'),
  )

  app.get('/api/sessions/:key/map', { schema: { params: sessionParams } }, async ({ params }, reply) =>
    sendWritten(found(await store.content.map(foundSession(store, params.key)), 'session'), reply),
  )

  app.get(
    '/api/sessions/:key/calls',
    { schema: { params: sessionParams, querystring: tableQuerySchema } },
    async ({ params, query }, reply) => {
      const key = foundSession(store, params.key)
      const calls = found(await store.content.calls(key), 'session')
      if (query.format !== 'csv') return sendWritten(calls, reply)
      return reply
        .header('Content-Type', 'text/csv; charset=utf-8; header=present')
        .header('Content-Disposition', `attachment; filename="gemini-calls-${key}.csv"`)
        .send(callsCsv(read(calls)))
    },
  )

  app.get(
    '/api/sessions/:key/cost',
    { schema: { params: sessionParams, querystring: costReportQuerySchema } },
    async ({ params, query }) =>
      found(
        await store.content.costReport(foundSession(store, params.key), query),
        query.turn === undefined ? 'session' : 'turn',
      ),
  )

  app.get(
    '/api/sessions/:key/transcript',
    { schema: { params: sessionParams, querystring: transcriptQuerySchema } },
    async ({ params, query }) => {
      const noun = query.message === undefined && query.turnOf === undefined ? 'session' : 'message'
      return { text: found(await store.content.transcript(foundSession(store, params.key), query), noun) }
    },
  )

  app.get(
    '/api/sessions/:key/messages/:messageKey/raw',
    { schema: { params: messageParams } },
    async ({ params }, reply) =>
      sendRawRecord(
        found(await store.content.raw(foundSession(store, params.key), params.messageKey), 'message'),
        reply,
      ),
  )

  app.get(
    '/api/sessions/:key/messages/:messageKey/cost',
    { schema: { params: messageParams } },
    async ({ params }) =>
      found(await store.content.cost(foundSession(store, params.key), params.messageKey), 'message'),
  )

  app.get(
    '/api/sessions/:key/messages/:messageKey/parts/:index',
    { schema: { params: partParams } },
    async ({ params }, reply) => {
      const key = foundSession(store, params.key)
      return sendMedia(
        reply,
        found(await store.content.part(key, params.messageKey, params.index), 'part').bytes,
      )
    },
  )

  app.get(
    '/api/sessions/:key/tool-calls/:callId/output',
    { schema: { params: callParams, querystring: toolOutputQuerySchema } },
    async ({ params, query }, reply) => {
      const key = foundSession(store, params.key)
      const output = found(await store.content.toolOutput(key, params.callId, query.of), 'tool output')
      const media = mediaBytes(output)
      return media === null ? output : sendMedia(reply, media)
    },
  )
}

/** The bytes of a picture or file, so that an address of one can stand in `<img src>`. */
function mediaBytes(output: ToolOutput | Part): Uint8Array | null {
  return 'data' in output && output.data !== null ? Buffer.from(output.data, 'base64') : null
}
