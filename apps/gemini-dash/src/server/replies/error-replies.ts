import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { IndexFault } from '@gemini-dash/session-index'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import plugin from 'fastify-plugin'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { ReaderFault } from '../../store/reader/lanes/reader-fault.ts'
import { UnreadSession } from '../../store/session/unread-session.ts'
import { ApiFailure } from '../contract/api-failure.ts'
import { envelope, refusalBytes } from '../security/refusal-text.ts'

export interface ErrorReplyOptions {
  /** Told of what nobody foresaw, with the id that the answer carries. */
  reportProblem: (problem: { id: string; route: string; error: unknown }) => void
}

/** Every failed answer has the one envelope; nothing of an unforeseen error leaves but an id to look for. */
export const errorReplies = plugin(async (app, { reportProblem }: ErrorReplyOptions) => {
  let isEnding = false
  app.addHook('preClose', async () => {
    isEnding = true
  })
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const failure = foreseen(error) ?? unforeseen(error, request)
    return sendFailure(reply, failure)
  })
  app.setNotFoundHandler((_request, reply) =>
    sendFailure(reply, new ApiFailure('not-found', 'There is nothing here.')),
  )

  function unforeseen(error: unknown, request: FastifyRequest): ApiFailure {
    // What answers is closed under whoever still asks: nothing to report, and nobody is left to hear it.
    if (isEnding) return new ApiFailure('unavailable', 'gemini-dash is ending.')
    const id = randomBytes(4).toString('hex')
    reportProblem({ id, route: `${request.method} ${request.routeOptions.url ?? '(no route)'}`, error })
    return new ApiFailure('internal', `Something went wrong. The terminal shows more under the id ${id}.`)
  }
})

export function sendFailure(reply: FastifyReply, failure: ApiFailure): FastifyReply {
  return reply
    .code(failure.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(envelope(failure)))
}

/** For a request that Node's HTTP parser refused: there is no request object, only the connection. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, reason] = PARSER_REFUSALS[error.code ?? ''] ?? [400, 'Bad Request']
  const failure = new ApiFailure('bad-request', 'The request could not be read.', { status })
  socket.write(refusalBytes(failure, reason))
  // ended alone it would stay half open for as long as the other side likes
  socket.destroySoon()
}

const PARSER_REFUSALS: Record<string, [number, string] | undefined> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Payload Too Large'],
}

function foreseen(error: FastifyError): ApiFailure | null {
  if (error instanceof ApiFailure) return error
  if (error instanceof ReaderFault) return new ApiFailure(error.code, error.message)
  if (error instanceof IndexFault) return new ApiFailure('unavailable', error.message)
  if (error instanceof UnreadSession)
    return new ApiFailure(error.isGone ? 'gone' : 'unavailable', error.message)
  if (hasZodFastifySchemaValidationErrors(error))
    return new ApiFailure('bad-request', sentenceOf(error.validation))
  const status = error.statusCode ?? 500
  if (status === 413) return new ApiFailure('too-large', 'The body is larger than 64 KB.')
  if (status === 415) return new ApiFailure('unsupported-media-type', 'Only JSON can be sent here.')
  if (status >= 400 && status < 500)
    return new ApiFailure('bad-request', 'The request could not be read.', { status })
  return null
}

function sentenceOf(issues: ReadonlyArray<{ instancePath: string; message?: string }>): string {
  const sentences = issues.map((issue) => {
    const name = issue.instancePath.replace(/^\//, '')
    return name === '' ? (issue.message ?? 'not valid') : `${name}: ${issue.message ?? 'not valid'}`
  })
  return sentences.join('; ')
}
