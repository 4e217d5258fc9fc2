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

/**
 * One GET, or what is `sent`. The answer is not validated again here: the server checks it against the same schema `T` is made from.
 * @throws {ApiRequestError} for every failed answer, and when the server cannot be reached.
 */
export async function fetchJson<T>(path: string, signal?: AbortSignal, sent?: Sent): Promise<T> {
  const response = await fetchAnswer(path, { accept: 'application/json', signal, sent })
  return (await readAnswer(response.json(), signal)) as T
}

/** A question of the api's table, with what it answers. */
export function ask<Q extends Question>(
  question: Q,
  parameters?: Parameters<typeof questionPath>[1],
  signal?: AbortSignal,
): Promise<QuestionAnswer<Q>> {
  return fetchJson(questionPath(question, parameters), signal)
}

/** The same of its table about one session. `sessionRef`: any form of its key. */
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
  /** Bytes go as they are, all else as JSON. */
  body: unknown
  /** It is sent also where the page goes meanwhile. */
  outlivesPage?: boolean
}

interface SentAsked {
  /** Media type of the answer. */
  accept: string
  signal?: AbortSignal | undefined
  sent?: Sent | undefined
}

/**
 * One GET, or what is `sent`, up to the head of its answer.
 * @throws {ApiRequestError} for every failed answer, and when the server cannot be reached.
 */
async function fetchAnswer(path: string, asked: SentAsked): Promise<Response> {
  const response = await request(path, asked)
  if (!response.ok) throw await toError(response)
  const at = response.headers.get(CHANGE_POSITION_HEADER)
  if (at !== null) changePosition.answered(Number(at))
  return response
}

/**
 * What is read of an answer, or why it cannot be read to its end.
 * @throws {ApiRequestError} when the server goes meanwhile.
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
  // A proxy, or a server that is just going down, answers without our envelope.
  if (!error)
    return new ApiRequestError(response.status, 'internal', `The server answered ${response.status}.`)
  if (error.code === 'forbidden') connection.set('forbidden')
  return new ApiRequestError(response.status, error.code, error.message, error.keys)
}

/** What the server answered instead of data. `unreachable`: no answer at all. */
export class ApiRequestError extends Error {
  readonly status: number
  readonly code: ApiErrorCode | 'unreachable'
  /** With `ambiguous`: the keys of the sessions that could be meant. */
  readonly keys: string[]

  constructor(status: number, code: ApiErrorCode | 'unreachable', message: string, keys: string[] = []) {
    super(message)
    this.name = 'ApiRequestError'
    this.status = status
    this.code = code
    this.keys = keys
  }
}

/** Whether the server itself said so: that is true until it has been away. */
export function isAnswered(error: unknown): boolean {
  return error instanceof ApiRequestError && error.code !== 'unreachable'
}

/** Up to which change this page knows the server's state; says when changes were missed. */
class ChangePosition {
  /** Before the first answer was asked for that came before anything was told. */
  #answeredAt: number | undefined
  #openedAt: number | undefined
  #at: number | undefined
  #onMissed = () => {}

  whenMissed(onMissed: () => void): void {
    this.#onMissed = onMissed
  }

  /** An answer came that was asked for after change `at`; it may lack all that came later. */
  answered(at: number): void {
    if (this.#answeredAt !== undefined) return
    this.#answeredAt = at
    if (this.#openedAt !== undefined && at < this.#openedAt) this.#onMissed()
  }

  /** Events are heard from change `at` on. False: some were missed. */
  opened(at: number): boolean {
    const knownAt = this.#at ?? this.#answeredAt ?? at
    this.#openedAt ??= at
    this.#at = at
    return knownAt === at
  }

  /** False for an event that was heard before, and for one that was missed together with others. */
  heard(at: number): boolean {
    const knownAt = this.#at ?? at - 1
    if (at <= knownAt) return false
    this.#at = at
    if (at === knownAt + 1) return true
    this.#onMissed()
    return false
  }
}

export const changePosition = new ChangePosition()

/** `silent`: nothing comes on a stream that seems to be open. */
export type ConnectionState = 'connected' | 'lost' | 'forbidden' | 'silent'

let state: ConnectionState = 'connected'
let heardMs = 0
const listeners = new Set<() => void>()
const waiting = new Set<(wasMissed: boolean) => void>()

/** Whether the server is there and lets this browser in. Written by the event stream and by refused calls, read through `useSyncExternalStore`. */
export const connection = {
  get: (): ConnectionState => state,
  /** Until when what is shown was up to date, while it is not. */
  heardMs: (): number => heardMs,
  set(next: ConnectionState, untilMs = Date.now()) {
    if (next === state) return
    state = next
    heardMs = untilMs
    for (const notify of listeners) notify()
  },
  /** It is there, or there again: it may have been away for so short a time that nobody was told. */
  found() {
    const wasMissed = state !== 'connected'
    connection.set('connected')
    for (const notify of [...waiting]) notify(wasMissed)
  },
  /** For what failed: told each time that it may be tried again. `wasMissed`: the reader was told that it is away. */
  whenFound(listener: (wasMissed: boolean) => void) {
    waiting.add(listener)
    return () => void waiting.delete(listener)
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

/**
 * One GET of JSON while the page stands still: for a moment at which the browser waits for nobody, as when it begins to print.
 * @throws where it is refused, and when the server cannot be reached.
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
 * An answer that grows while it is made: each line is one, and the last of them is complete.
 * @throws {ApiRequestError} for every failed answer, and when the server is gone before the end.
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

/** Events say when something changed, so nothing is asked again by the clock; who comes back to a tab is seen to by `followLiveEvents`. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The server is on this machine: being offline is no reason not to ask it.
        networkMode: 'always',
        staleTime: 60_000,
        gcTime: 15 * 60_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < MAX_RETRIES && isWorthRetrying(error),
        // One that is gone is asked again without back-off: nobody waits at its door, and its return is to be seen at once.
        retryDelay: (failures, error) => (isGone(error) ? RETRY_MS : RETRY_MS * 2 ** failures),
      },
      // offline as well: else they would wait without a word until the computer is online again
      mutations: { networkMode: 'always' },
    },
  })
}

/** A refusal stays a refusal; a server that is gone or overloaded may come back. */
function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof ApiRequestError)) return false
  return isGone(error) || error.status === 429 || error.status === 503
}

function isGone(error: unknown): boolean {
  return error instanceof ApiRequestError && error.code === 'unreachable'
}

/** So much is held in memory before it is handed to the browser, which puts what is large on its disk. */
const PIECE_BYTES = 8_000_000

/**
 * Fetches a file and hands it to the browser's downloads once it is whole. `tell` hears how many bytes are there; `name` is
 * what it is called where the server does not say.
 * @throws {ApiRequestError} for every failed answer, and when the server cannot be reached.
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
  // the browser has taken hold of it by then
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

/** What was asked, and a way to ask again. */
export type Asked = Pick<UseQueryResult, 'error' | 'data' | 'refetch'>

/** Whether the answer failed, and none from before stands in its place. */
export function isUnanswered({ error, data }: Pick<Asked, 'error' | 'data'>): boolean {
  return error !== null && data === undefined
}

interface Change<Said, Shown, Answer> {
  /** Of what. */
  key: MutationKey
  send: (said: Said) => Promise<Answer>
  /** What is shown of it now, and what once this is said. */
  shown: Shown
  withSaid: (said: Said) => Shown
  put: (shown: Shown) => void
  /** What stands by the answer to a change, where `before` stood. */
  toStanding: (answer: Answer, before: Shown) => Shown
  onError: (error: Error) => void
}

/** What stands of everything that has changes on their way, by its key. */
const standing = new Map<string, unknown>()

/**
 * A change that shows before it is kept. Several of one thing are sent one after the other, so that the one said last holds;
 * where that one fails, what stands is shown again, and not what was hoped for by the one before it.
 */
export function saidAtOnce<Said, Shown, Answer>(client: QueryClient, change: Change<Said, Shown, Answer>) {
  const { key, send, shown, withSaid, put, toStanding, onError } = change
  const id = JSON.stringify(key)
  // itself is on its way until all of this is called
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
