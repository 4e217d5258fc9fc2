import {
  SESSION_QUESTIONS,
  type SessionParameters,
  type SessionQuestion,
  sessionQuestions,
} from '@gemini-dash/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Part, ToolOutput } from 'gemini-sessions'
import { z } from 'zod'
import { read, type Written } from '../../../store/messages/written.ts'
import type { ContentAnswer } from '../../../store/session/session-content.ts'
import type { Store } from '../../../store/store.ts'
import { callsCsv, contextCsv } from '../../../store/usage/csv/session-csv.ts'
import { found, foundSession } from '../../replies/found-session.ts'
import { sendFile, sendMedia } from '../../replies/send-media.ts'
import { sendRawRecord, sendWritten } from '../../replies/send-written.ts'

/** Every question of `SESSION_QUESTIONS` at its address. A new one needs nothing here, unless it is no JSON. */
export const sessionAnswerRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  for (const question of sessionQuestions) {
    const { params, querystring } = schemasOf(question)
    app.get(`/api/sessions/:key/${question}`, { schema: { params, querystring } }, async (request, reply) => {
      const key = foundSession(store, String(request.params.key))
      const parameters = { ...request.params, ...request.query } as SessionParameters<typeof question>
      const answer = found(
        await store.content.answer(question, key, parameters),
        nounOf(question, parameters),
      )
      return send(question, answer, { key, parameters, request, reply })
    })
  }
}

/** What the address names, and what follows the `?`. */
function schemasOf(question: SessionQuestion): { params: z.ZodObject; querystring: z.ZodObject } {
  const shape: Record<string, z.ZodType> = SESSION_QUESTIONS[question].parameters.shape
  const named = [...question.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const fields = (isNamed: boolean) =>
    Object.fromEntries(Object.entries(shape).filter(([name]) => named.includes(name) === isNamed))
  return { params: z.object({ key: z.string(), ...fields(true) }), querystring: z.object(fields(false)) }
}

/** What is not there, where the session is. */
function nounOf(question: SessionQuestion, parameters: object): string {
  if (question === 'cost' && 'turn' in parameters && parameters.turn !== undefined) return 'turn'
  if (question === 'transcript' && ('message' in parameters || 'turnOf' in parameters)) return 'message'
  return NOUNS[question] ?? 'session'
}

const NOUNS: Partial<Record<SessionQuestion, string>> = {
  'messages/:messageKey/raw': 'message',
  'messages/:messageKey/cost': 'message',
  'messages/:messageKey/parts/:index': 'part',
  'tool-calls/:callId/output': 'tool output',
  'neighbours/:fileId': 'file beside this session',
  'files/change': 'file in this session',
}

interface Asked<Q extends SessionQuestion> {
  key: string
  parameters: SessionParameters<Q>
  request: FastifyRequest
  reply: FastifyReply
}

function send<Q extends SessionQuestion>(question: Q, answer: ContentAnswer<Q>, asked: Asked<Q>): unknown {
  const sender = SENDERS[question] as ((answer: unknown, asked: unknown) => unknown) | undefined
  if (sender !== undefined) return sender(answer, asked)
  return isWritten(answer) ? sendWritten(answer, asked.reply) : answer
}

/** Those that are no JSON, or not always. */
const SENDERS: { [Q in SessionQuestion]?: (answer: ContentAnswer<Q>, asked: Asked<Q>) => unknown } = {
  calls: (calls, { key, parameters, reply }) =>
    parameters.format === 'csv'
      ? sendTable(reply, `gemini-calls-${key}.csv`, callsCsv(read(calls)))
      : sendWritten(calls, reply),
  context: (context, { key, parameters, reply }) =>
    parameters.format === 'csv'
      ? sendTable(reply, `gemini-context-${key}.csv`, contextCsv(context))
      : context,
  'messages/:messageKey/raw': (record, { reply }) => sendRawRecord(record, reply),
  'messages/:messageKey/parts/:index': ({ bytes }, { reply }) => sendMedia(reply, bytes),
  'tool-calls/:callId/output': (output, { reply }) => {
    const media = mediaBytes(output)
    return media === null ? output : sendMedia(reply, media)
  },
  // Asked for by an id that the list of files gives, never by a name or a path.
  'neighbours/:fileId': (file, { parameters, request, reply }) =>
    sendFile(reply, file, { limitBytes: parameters.limit, isBodyWanted: request.method !== 'HEAD' }),
}

function sendTable(reply: FastifyReply, name: string, text: string): FastifyReply {
  return reply
    .header('Content-Type', 'text/csv; charset=utf-8; header=present')
    .header('Content-Disposition', `attachment; filename="${name}"`)
    .send(text)
}

/** The bytes of a picture or file, so that an address of one can stand in `<img src>`. */
function mediaBytes(output: ToolOutput | Part): Uint8Array | null {
  return 'data' in output && output.data !== null ? Buffer.from(output.data, 'base64') : null
}

function isWritten(answer: object): answer is Written<unknown> {
  return 'json' in answer && answer.json instanceof Uint8Array
}
