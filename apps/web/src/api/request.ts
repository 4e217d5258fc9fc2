import type {
  ApiError,
  ApiErrorCode,
  Question,
  QuestionAnswer,
  SessionAnswer,
  SessionQuestion,
} from '@gemini-dash/api'
import { CHANGE_POSITION_HEADER, questionPath, sessionPath } from '@gemini-dash/api/paths'
import { type MutationKey, QueryClient, type UseQueryResult } from '@tanstack/react-query'
import { changePosition, connection } from './connection.ts'

/**
 * One GET, or the request in `sent`. The answer is not validated here: the server checks it against the schema that `T` is derived from.
 * @throws {ApiRequestError} for every failed answer, and if the server cannot be reached.
 */
export async function fetchJson<T>(path: string, signal?: AbortSignal, sent?: Sent): Promise<T> {
  const response = await fetchAnswer(path, { accept: 'application/json', signal, sent })
  return (await readAnswer(response.json(), signal)) as T
}

/** Asks a question of the API table, with a typed answer. */
export function ask<Q extends Question>(
  question: Q,
  parameters?: Parameters<typeof questionPath>[1],
  signal?: AbortSignal,
): Promise<QuestionAnswer<Q>> {
  return fetchJson(questionPath(question, parameters), signal)
}

/** The same for the API table of one session. `sessionRef`: any form of its key. */
export function askOfSession<Q extends SessionQuestion>(
  question: Q,
  sessionRef: string,
  parameters?: Parameters<typeof sessionPath>[2],
  signal?: AbortSignal,
): Promise<SessionAnswer<Q>> {
  return fetchJson(sessionPath(question, sessionRef, parameters), signal)
}

/** One GET of a text. @throws {ApiRequestError} as `fetchJson` */
export async function fetchText(path: string, signal: AbortSignal): Promise<string> {
  const response = await fetchAnswer(path, { accept: '*/*', signal })
  return (await readAnswer(response.text(), signal)) ?? ''
}

interface Sent {
  method: 'PUT' | 'POST'
  /** Bytes are sent as they are, everything else as JSON. */
  body: unknown
  /** Sends the request even if the page unloads meanwhile. */
  outlivesPage?: boolean
}

interface SentAsked {
  /** Media type of the answer. */
  accept: string
  signal?: AbortSignal | undefined
  sent?: Sent | undefined
}

/**
 * One GET, or the request in `sent`; resolves with the headers of the response.
 * @throws {ApiRequestError} for every failed answer, and if the server cannot be reached.
 */
async function fetchAnswer(path: string, asked: SentAsked): Promise<Response> {
  const response = await request(path, asked)
  if (!response.ok) throw await toError(response)
  const at = response.headers.get(CHANGE_POSITION_HEADER)
  if (at !== null) changePosition.answered(Number(at))
  return response
}

/**
 * Reads the body of a response.
 * @throws {ApiRequestError} if the server disconnects meanwhile.
 */
async function readAnswer<Read>(reading: Promise<Read> | undefined, signal?: AbortSignal) {
  try {
    return await reading
  } catch (error) {
    if (signal?.aborted) throw error
    throw unreachable()
  }
}

async function request(path: string, { accept, signal, sent }: SentAsked): Promise<Response> {
  try {
    const type = sent?.body instanceof Blob ? 'application/octet-stream' : 'application/json'
    const headers = { accept, ...(sent && { 'content-type': type }) }
    const content = sent && {
      method: sent.method,
      body: sent.body instanceof Blob ? sent.body : JSON.stringify(sent.body),
      keepalive: sent.outlivesPage === true,
    }
    return await fetch(path, { headers, signal: signal ?? null, ...content })
  } catch (error) {
    if (signal?.aborted) throw error
    throw unreachable()
  }
}

function unreachable(): ApiRequestError {
  return new ApiRequestError(0, 'unreachable', 'gemini-dash does not answer. It may have been stopped.')
}

async function toError(response: Response): Promise<ApiRequestError> {
  const body: Partial<ApiError> | null = await response.json().catch(() => null)
  const error = body?.error
  // A proxy or a server that is shutting down answers without our envelope.
  if (!error)
    return new ApiRequestError(response.status, 'internal', `The server answered ${response.status}.`)
  if (error.code === 'forbidden') connection.set('forbidden')
  return new ApiRequestError(response.status, error.code, error.message, error.keys)
}

/** An error answer of the server. `unreachable`: no answer at all. */
export class ApiRequestError extends Error {
  readonly status: number
  readonly code: ApiErrorCode | 'unreachable'
  /** With `ambiguous`: the keys of the matching sessions. */
  readonly keys: string[]

  constructor(status: number, code: ApiErrorCode | 'unreachable', message: string, keys: string[] = []) {
    super(message)
    this.name = 'ApiRequestError'
    this.status = status
    this.code = code
    this.keys = keys
  }
}

/** Whether the server itself sent this error: it holds until the server has been away. */
export function isAnswered(error: unknown): boolean {
  return error instanceof ApiRequestError && error.code !== 'unreachable'
}

/**
 * Synchronous GET of JSON, for moments when the browser does not wait, such as the start of printing.
 * @throws if it is refused, and if the server cannot be reached.
 */
export function fetchNow<T>(path: string): T {
  const request = new XMLHttpRequest()
  request.open('GET', path, false)
  request.setRequestHeader('accept', 'application/json')
  request.send()
  if (request.status !== 200) throw unreachable()
  return JSON.parse(request.responseText) as T
}

/**
 * A streamed answer: each line is a full answer, and the last one is complete.
 * @throws {ApiRequestError} for every failed answer, and if the server disconnects before the end.
 */
export async function fetchLines<T>(
  path: string,
  signal: AbortSignal,
  onLine: (answer: T) => void,
): Promise<T> {
  const response = await fetchAnswer(path, { accept: 'application/x-ndjson', signal })
  const lines = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  let last: T | undefined
  const next = async () => (await readAnswer(lines?.read(), signal))?.value
  for (let text = await next(); text !== undefined; text = await next()) {
    const whole = `${rest}${text}`.split('\n')
    rest = whole.pop() ?? ''
    for (const line of whole) {
      last = JSON.parse(line) as T
      onLine(last)
    }
  }
  if (last === undefined) throw unreachable()
  return last
}

const MAX_RETRIES = 3
const RETRY_MS = 1_000

/** Events announce changes, so there is no polling; `followLiveEvents` handles the return to a tab. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The server is on this machine: being offline is no reason not to ask.
        networkMode: 'always',
        staleTime: 60_000,
        gcTime: 15 * 60_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < MAX_RETRIES && isWorthRetrying(error),
        // No back-off while the server is away: retries are cheap, and its return should be visible at once.
        retryDelay: (failures, error) => (isGone(error) ? RETRY_MS : RETRY_MS * 2 ** failures),
      },
      // also while offline: otherwise they would wait silently until the computer is online
      mutations: { networkMode: 'always' },
    },
  })
}

/** A refusal is final; an unreachable or overloaded server may recover. */
function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof ApiRequestError)) return false
  return isGone(error) || error.status === 429 || error.status === 503
}

function isGone(error: unknown): boolean {
  return error instanceof ApiRequestError && error.code === 'unreachable'
}

/** Chunks of this size are collected in memory, then handed to the browser, which stores large blobs on disk. */
const PIECE_BYTES = 8_000_000

/**
 * Fetches a file and passes it to the browser's downloads once complete. `tell` receives the number of bytes so far; `name` is used if the
 * server sends none.
 * @throws {ApiRequestError} for every failed answer, and if the server cannot be reached.
 */
export async function download(
  path: string,
  signal?: AbortSignal,
  tell: (bytes: number) => void = () => undefined,
  name = '',
): Promise<void> {
  const response = await fetchAnswer(path, { accept: '*/*', signal })
  const file = await collect(response, signal, tell)
  const link = document.createElement('a')
  const href = URL.createObjectURL(file)
  link.href = href
  link.download = nameOf(response.headers.get('content-disposition') ?? '') || name
  link.click()
  // the browser has started the download by then
  window.setTimeout(() => URL.revokeObjectURL(href), 60_000)
}

async function collect(
  response: Response,
  signal: AbortSignal | undefined,
  tell: (bytes: number) => void,
): Promise<Blob> {
  const type = response.headers.get('content-type') ?? ''
  const done: Blob[] = []
  let open: Uint8Array<ArrayBuffer>[] = []
  let openBytes = 0
  let bytes = 0
  const reader = response.body?.getReader()
  const next = () => readAnswer(reader?.read(), signal)
  for (let read = await next(); read?.done === false; read = await next()) {
    open.push(read.value)
    openBytes += read.value.length
    bytes += read.value.length
    tell(bytes)
    if (openBytes < PIECE_BYTES) continue
    done.push(new Blob(open))
    open = []
    openBytes = 0
  }
  return new Blob([...done, ...open], { type })
}

function nameOf(disposition: string): string {
  const [, encoded = ''] = /filename(?:\*=UTF-8''|=")([^;"]+)/.exec(disposition) ?? []
  try {
    return decodeURIComponent(encoded)
  } catch {
    return ''
  }
}

/** A query's result and its refetch. */
export type Asked = Pick<UseQueryResult, 'error' | 'data' | 'refetch'>

/** Whether the request failed without an earlier answer to show. */
export function isUnanswered({ error, data }: Pick<Asked, 'error' | 'data'>): boolean {
  return error !== null && data === undefined
}

interface Change<Said, Shown, Answer> {
  /** Identifies the thing that is changed. */
  key: MutationKey
  send: (said: Said) => Promise<Answer>
  /** What is shown now, and with the change applied. */
  shown: Shown
  withSaid: (said: Said) => Shown
  put: (shown: Shown) => void
  /** The confirmed state after an answer, where `before` was the last one. */
  toStanding: (answer: Answer, before: Shown) => Shown
  onError: (error: Error) => void
}

/** Confirmed state of everything with pending changes, by key. */
const standing = new Map<string, unknown>()

/**
 * An optimistic change. Several changes of one thing are sent in sequence, so that the last one wins; if it fails, the last confirmed state
 * is shown, not the optimistic state of the previous change.
 */
export function saidAtOnce<Said, Shown, Answer>(client: QueryClient, change: Change<Said, Shown, Answer>) {
  const { key, send, shown, withSaid, put, toStanding, onError } = change
  const id = JSON.stringify(key)
  // this mutation counts as running until all callbacks are done
  const isAlone = () => client.isMutating({ mutationKey: key, exact: true }) === 1
  return {
    mutationKey: key,
    scope: { id },
    mutationFn: send,
    onMutate: (said: Said) => {
      if (isAlone()) standing.set(id, shown)
      put(withSaid(said))
    },
    onSuccess: (answer: Answer) => {
      standing.set(id, toStanding(answer, standing.get(id) as Shown))
    },
    onError: (error: Error) => {
      if (isAlone()) put(standing.get(id) as Shown)
      onError(error)
    },
    onSettled: () => {
      if (isAlone()) standing.delete(id)
    },
  }
}
