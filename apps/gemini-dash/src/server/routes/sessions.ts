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
import type { ContentAnswer } from '../../store/session/session-content.ts'
import type { Store } from '../../store/store.ts'
import type { Written } from '../../store/written-messages.ts'
import { found, foundSession, sendFile, sendMedia, sendRawRecord, sendWritten } from '../replies.ts'
import { schemasOf } from './questions.ts'

const ofSession = { key: z.string() }

/** A route for every question in `SESSION_QUESTIONS`. A new one needs no code here, unless its answer is not JSON. */
export const sessionAnswerRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  for (const question of sessionQuestions) {
    const address = `/api/sessions/:key/${question}`
    const schema = schemasOf(address, SESSION_QUESTIONS[question].parameters.extend(ofSession))
    app.get(address, { schema }, async (request, reply) => {
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

/** What is missing although the session exists. */
function nounOf(question: SessionQuestion, parameters: object): string {
  if (question === 'transcript' && ('message' in parameters || 'turnOf' in parameters)) return 'message'
  return NOUNS[question] ?? 'session'
}

const NOUNS: Partial<Record<SessionQuestion, string>> = {
  'messages/:messageKey/raw': 'message',
  'messages/:messageKey/parts/:index': 'part',
  'tool-calls/:callId/output': 'tool output',
  'neighbours/:fileId': 'file beside this session',
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

/** Questions whose answers are not JSON, or not always. */
const SENDERS: { [Q in SessionQuestion]?: (answer: ContentAnswer<Q>, asked: Asked<Q>) => unknown } = {
  'messages/:messageKey/raw': (record, { reply }) => sendRawRecord(record, reply),
  'messages/:messageKey/parts/:index': ({ bytes }, { reply }) => sendMedia(reply, bytes),
  'tool-calls/:callId/output': (output, { reply }) => {
    const media = mediaBytes(output)
    return media === null ? output : sendMedia(reply, media)
  },
  // Identified by an id from the list of files, never by a name or a path.
  'neighbours/:fileId': (file, { parameters, request, reply }) =>
    sendFile(reply, file, { limitBytes: parameters.limit, isBodyWanted: request.method !== 'HEAD' }),
}

/** The bytes of a picture or file, so that its URL can be used in `<img src>`. */
function mediaBytes(output: ToolOutput | Part): Uint8Array | null {
  return 'data' in output && output.data !== null ? Buffer.from(output.data, 'base64') : null
}

function isWritten(answer: object): answer is Written<unknown> {
  return 'json' in answer && answer.json instanceof Uint8Array
}
