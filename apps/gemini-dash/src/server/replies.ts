import { randomBytes } from 'node:crypto'
import { closeSync, createReadStream, readSync } from 'node:fs'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { type RawRecord, SCHEMA_VERSION } from '@gemini-dash/api'
import { IndexFault } from '@gemini-dash/session-index'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import plugin from 'fastify-plugin'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { type OpenedNeighbour, streamFilePart } from 'gemini-sessions/node'
import { reasonOf } from '../own-data/own-file.ts'
import type { RecordInFile } from '../store/raw-record.ts'
import { ReaderFault } from '../store/reader/reader-fault.ts'
import { UnreadSession } from '../store/session/unread-session.ts'
import type { Store } from '../store/store.ts'
import type { Written } from '../store/written-messages.ts'
import { ApiFailure, tooLargeBody } from './contract.ts'
import { envelope, refusalText } from './security.ts'

/** The key of the session for any form of KEY. Keys are looked up, never joined to a path. */
export function foundSession(store: Store, keyOrId: string): string {
  const resolution = store.resolve(keyOrId)
  if (resolution.kind === 'one') return resolution.key
  if (resolution.kind === 'none') throw new ApiFailure('not-found', 'Session not found.')
  throw new ApiFailure('ambiguous', 'Several sessions have this key or id, or begin with it.', {
    keys: resolution.keys,
  })
}

/** The answer about an existing session, or a failure that names what is missing in it. */
export function found<Answer>(answer: Answer | null, noun: string): Answer {
  if (answer === null)
    throw new ApiFailure('not-found', `${noun[0]?.toUpperCase()}${noun.slice(1)} not found.`)
  return answer
}

export interface ErrorReplyOptions {
  /** Receives unexpected errors, with the id that the response contains. */
  reportProblem: (problem: { id: string; route: string; error: unknown }) => void
}

/** Every error response has the same envelope; of an unexpected error it reveals only an id to look for. */
export const errorReplies = plugin(async (app, { reportProblem }: ErrorReplyOptions) => {
  let isEnding = false
  app.addHook('preClose', async () => {
    isEnding = true
  })
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const failure = foreseen(error, request) ?? unforeseen(error, request)
    return sendFailure(reply, failure)
  })
  app.setNotFoundHandler((_request, reply) =>
    sendFailure(reply, new ApiFailure('not-found', 'There is nothing here.')),
  )

  function unforeseen(error: unknown, request: FastifyRequest): ApiFailure {
    // The server is closing while the request is open: nothing to report, and no client is left to receive it.
    if (isEnding) return new ApiFailure('unavailable', 'gemini-dash is shutting down.')
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

/** For a request that Node.js's HTTP parser refused: there is no request object, only the connection. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, reason, sentence = 'The request could not be read.'] = PARSER_REFUSALS[error.code ?? ''] ?? [
    400,
    'Bad Request',
  ]
  const { headers, body } = refusalText(new ApiFailure('bad-request', sentence))
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`)
  // end() alone would leave it half open for as long as the other side likes
  socket.destroySoon()
}

const PARSER_REFUSALS: Record<string, [status: number, reason: string, sentence?: string] | undefined> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'The address and the headers are longer than 16 KB. Ask with a shorter address, for example with the first lines of a text.',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Payload Too Large'],
}

function foreseen(error: FastifyError, { routeOptions }: FastifyRequest): ApiFailure | null {
  if (error instanceof ApiFailure) return error
  if (error instanceof ReaderFault) return new ApiFailure(error.code, error.message)
  if (error instanceof IndexFault) return new ApiFailure('unavailable', error.message)
  if (error instanceof UnreadSession)
    return new ApiFailure(error.isGone ? 'gone' : 'unavailable', error.message)
  if (hasZodFastifySchemaValidationErrors(error))
    return new ApiFailure('bad-request', sentenceOf(error.validation))
  const status = error.statusCode ?? 500
  if (status === 413) return tooLargeBody(routeOptions.url)
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

/** A full or read-only disk is not an error of the program, and the reason is worth reporting. */
export function keptOrRefused<Answer>(change: () => Answer): Answer {
  try {
    return change()
  } catch (error) {
    throw new ApiFailure('unavailable', `This could not be saved: ${refusalOf(error)}.`)
  }
}

/** The same for asynchronous work. */
export async function done<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && error.name === 'NotWritten')
      throw new ApiFailure('unavailable', error.message)
    throw new ApiFailure('unavailable', `This could not be done: ${reasonOf(error)}.`)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some room and try again',
  EDQUOT: 'the disk is full for this user; free some room and try again',
  EROFS: 'the disk is read-only. Make it writable, or choose another folder with --data-dir',
  EACCES:
    'this user may not write to the data folder. Make it writable, or choose another folder with --data-dir',
  EPERM:
    'this user may not write to the data folder. Make it writable, or choose another folder with --data-dir',
}

function refusalOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return (Object.hasOwn(REASONS, code) ? REASONS[code] : undefined) ?? reasonOf(error)
}

/** Without it Excel reads a table in the system's code page. Output of commands is for programs and has none. */
const BYTE_ORDER_MARK = '\ufeff'

/** Sends rows as a file to be saved. */
export function sendTable(reply: FastifyReply, name: string, text: string): FastifyReply {
  return reply
    .header('Content-Type', 'text/csv; charset=utf-8; header=present')
    .header('Content-Disposition', `attachment; filename="${name}"`)
    .send(BYTE_ORDER_MARK + text)
}

const VERSION = Buffer.from(`{"schemaVersion":${SCHEMA_VERSION},`)

export function sendWritten({ json }: Written<unknown>, reply: FastifyReply): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(withWrittenVersion(json))
}

/** Each answer contains the version of its schemas; pre-serialized ones get it from `withWrittenVersion`. */
export function withVersion<Answer extends object>(answer: Answer): Answer & { schemaVersion: number } {
  return { schemaVersion: SCHEMA_VERSION, ...answer }
}

/** The same for the bytes of a non-empty object. */
function withWrittenVersion(json: Uint8Array): Buffer {
  return Buffer.concat([VERSION, json.subarray(1)])
}

/** A record exactly as in its file, streamed if it is large. */
export function sendRawRecord(record: Written<RawRecord> | RecordInFile, reply: FastifyReply): FastifyReply {
  if ('json' in record) return sendWritten(record, reply)
  return reply
    .type('application/json; charset=utf-8')
    .send(Readable.from(piecesOf(record), { objectMode: false }))
}

async function* piecesOf({ head, part }: RecordInFile): AsyncGenerator<Uint8Array> {
  yield withWrittenVersion(Buffer.from(head))
  yield* streamFilePart(part)
  yield Buffer.from('}')
}

/** Number of leading bytes that are enough. */
const MEDIA_HEAD_BYTES = 16

/** Sends bytes contained in a record. */
export function sendMedia(reply: FastifyReply, bytes: Uint8Array): FastifyReply {
  return reply
    .headers(mediaHeaders(bytes))
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

/** Streams an open file of any size, and closes it. */
export function sendFile(
  reply: FastifyReply,
  { descriptor, sizeBytes }: OpenedNeighbour,
  { limitBytes, isBodyWanted }: { limitBytes: number | undefined; isBodyWanted: boolean },
): FastifyReply {
  const length = Math.min(sizeBytes, limitBytes ?? sizeBytes)
  reply.headers(mediaHeaders(readHead(descriptor)))
  if (!isBodyWanted || length === 0) {
    closeSync(descriptor)
    return reply.send(isBodyWanted ? '' : undefined)
  }
  // Ends at the size the file had when it was opened: the CLI may still be writing it.
  return reply.send(createReadStream('', { fd: descriptor, start: 0, end: length - 1 }))
}

function readHead(descriptor: number): Uint8Array {
  const head = Buffer.alloc(MEDIA_HEAD_BYTES)
  return head.subarray(0, readSync(descriptor, head, 0, MEDIA_HEAD_BYTES, 0))
}

/**
 * A picture is displayed; anything else, whatever its record or name claims, was written by a model or a tool, so it is saved and never
 * opened by the browser. `head`: the first bytes.
 */
function mediaHeaders(head: Uint8Array): Record<string, string> {
  const mediaType = mediaTypeOf(head)
  if (mediaType !== null) return { 'Content-Type': mediaType }
  return {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': 'attachment',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  }
}

/** One of the five picture types that a browser may display, detected from the first bytes; null for anything else. */
export function mediaTypeOf(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, MEDIA_HEAD_BYTES)).toString('latin1')
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif'
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp'
  if (head.slice(4, 8) === 'ftyp' && ['avif', 'avis'].includes(head.slice(8, 12))) return 'image/avif'
  return null
}
