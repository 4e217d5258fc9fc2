import { type ResourceLimits, Worker } from 'node:worker_threads'
import type { IndexGroup, SessionAsk } from '@gemini-dash/session-index'
import { groupBytes, groupWrittenMs } from '../sync/group-scan.ts'
import { newHeartbeat } from './heartbeat.ts'
import type { MAKERS } from './make-answers.ts'
import { type Limits, ReaderFault, type ReaderFaultCode, watchLife } from './reader-fault.ts'
import type { SessionPlace } from './session-place.ts'

/** Reading a larger session takes so long that others would have to wait. */
const LARGE_BYTES = 16 * 1024 * 1024
/** Smaller ones are read in some milliseconds. */
const STORED_BYTES = 1024 * 1024
/** The index keeps reading what has grown this recently. */
const GROWING_MS = 2 * 60_000
/** The list that a page begins with goes first. */
const WAKING_DELAY_MS = 500

interface ReaderClientOptions {
  /** Counts the large sessions that are waited for; meanwhile other threads that read sessions pause. */
  openings?: Int32Array
  /** Asks the index first; null: it has no answer. */
  askIndex?: (asked: SessionAsk) => Promise<{ answer: unknown } | null>
  /** Asks it about small sessions, too. */
  asksOfAll?: boolean
}

/**
 * Asks threads that read sessions, so that a large one never blocks the server, nor a small one opened meanwhile: large ones are read by a
 * thread of their own, started when it is first needed.
 */
export class ReaderClient {
  #queue: ReaderQueue
  #queueOfLarge: ReaderQueue
  #lastAskedMs = Number.NEGATIVE_INFINITY
  #lastWokenMs = Number.NEGATIVE_INFINITY
  #waking: NodeJS.Timeout | null = null
  readonly #openings: Int32Array | undefined
  readonly #askIndex: ReaderClientOptions['askIndex']
  readonly #asksOfAll: boolean
  /** Large sessions that were requested, with their state at that time. */
  readonly #opened = new Map<string, string>()

  constructor(url: URL, { openings, askIndex, asksOfAll = false }: ReaderClientOptions = {}) {
    this.#openings = openings
    this.#askIndex = askIndex
    this.#asksOfAll = asksOfAll
    this.#queue = new ReaderQueue(url)
    this.#queueOfLarge = new ReaderQueue(url)
  }

  async ask<Q extends ReaderQuestion>(question: Q, args: ReaderArgs<Q>): Promise<ReaderAnswer<Q>> {
    this.#lastAskedMs = performance.now()
    if (this.#askIndex !== undefined && (this.#asksOfAll || mayBeStored(question, args.source))) {
      const indexed = await this.#askIndex({ question, args })
      // It answers each question with the matching type: see MAKERS.
      if (indexed !== null) return indexed.answer as ReaderAnswer<Q>
    }
    return this.#read(question, args)
  }

  #read<Q extends ReaderQuestion>(question: Q, args: ReaderArgs<Q>): Promise<ReaderAnswer<Q>> {
    if (!isLarge(args.source)) return this.#queue.ask(question, args)
    const isLent = this.#lendThread()
    const asked = this.#queueOfLarge.ask(question, args)
    const answer = question === 'beginning' ? asked : this.#openFirst(args.source, asked)
    // not before: it takes a fifth of a second to start, while the large one is waited for
    if (isLent) answer.then(() => this.wakeSoon()).catch(() => {})
    return answer
  }

  /** Nothing else is read while a large session is opened for the first time in its current state. */
  #openFirst<Answer>({ id, fingerprint }: IndexGroup, answer: Promise<Answer>): Promise<Answer> {
    if (this.#openings === undefined || this.#opened.get(id) === fingerprint) return answer
    const openings = this.#openings
    Atomics.add(openings, 0, 1)
    return answer.finally(() => {
      Atomics.sub(openings, 0, 1)
      this.#opened.set(id, fingerprint)
    })
  }

  /** A question may follow soon, and a thread takes a quarter of a second to start. */
  wakeSoon(): void {
    this.#waking ??= setTimeout(() => {
      this.#waking = null
      this.wake()
    }, WAKING_DELAY_MS).unref()
  }

  wake(): void {
    this.#lastWokenMs = performance.now()
    this.#queue.start()
  }

  /** Ends idle threads and frees their memory, if there was no question for this long. true: one was ended. */
  async rest(idleMs: number): Promise<boolean> {
    if (!this.isQuietFor(idleMs) || performance.now() - this.#lastWokenMs < idleMs) return false
    const idle = [this.#queue, this.#queueOfLarge].filter((queue) => queue.isIdle)
    if (idle.includes(this.#queueOfLarge)) this.#opened.clear()
    await Promise.all(idle.map((queue) => queue.close()))
    return idle.length > 0
  }

  /** A large session takes the started thread, and small ones get another. false: it did not. */
  #lendThread(): boolean {
    if (this.#queueOfLarge.isStarted || !this.#queue.isIdle) return false
    const ready = this.#queue
    this.#queue = this.#queueOfLarge
    this.#queueOfLarge = ready
    return true
  }

  /** Whether there was no question for this long. */
  isQuietFor(milliseconds: number): boolean {
    return performance.now() - this.#lastAskedMs >= milliseconds
  }

  async close(): Promise<void> {
    if (this.#waking !== null) clearTimeout(this.#waking)
    await Promise.all([this.#queue, this.#queueOfLarge].map((queue) => queue.close()))
  }
}

function isLarge(source: IndexGroup): boolean {
  return groupBytes(source) > LARGE_BYTES
}

/**
 * For sessions that are long or growing, and for table rows, which are requested of all sessions. Others are read at once, without waiting
 * for a thread that may be asleep.
 */
function mayBeStored(question: ReaderQuestion, source: IndexGroup): boolean {
  return (
    question === 'tableRows' ||
    groupBytes(source) >= STORED_BYTES ||
    Date.now() - groupWrittenMs(source) < GROWING_MS
  )
}

interface Waiting {
  request: ReaderRequest
  resolve: (answer: unknown) => void
  reject: (error: Error) => void
}

/** As for the index threads: a smaller heap makes V8 collect garbage sooner. */
const SMALL_HEAP: ResourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1_536 }

interface ReaderQueueOptions {
  limits?: Limits
  /** Memory limits of the thread; omitted: V8 decides. */
  resourceLimits?: ResourceLimits
}

const STOPPED = 'The session reader has stopped.'
/** A question that ended a thread is not sent to another one at once: otherwise each click would end one. */
const BLAMED_MS = 30_000

/**
 * Asks one thread that reads sessions. One that dies or hangs is replaced: if several questions were under way, they are sent to the next
 * thread one after the other, so that only the one that ended it is lost.
 */
export class ReaderQueue {
  readonly #url: URL
  readonly #options: ReaderQueueOptions
  readonly #waiting = new Map<number, Waiting>()
  /** Questions that a dead thread left, to be asked one at a time. */
  #suspects: Waiting[] = []
  /** Why a question was given up, by its name. */
  readonly #blamed = new Map<string, { fault: ReaderFault; untilMs: number }>()
  #worker: Worker | null = null
  #endWatch: () => void = () => {}
  #lastId = 0

  constructor(url: URL, options: ReaderQueueOptions = {}) {
    this.#url = url
    this.#options = options
  }

  get isStarted(): boolean {
    return this.#worker !== null
  }

  /** Its thread is started and has nothing to do. */
  get isIdle(): boolean {
    return this.#worker !== null && this.#waiting.size === 0 && this.#suspects.length === 0
  }

  /** @throws ReaderFault */
  async ask<Q extends ReaderQuestion>(question: Q, args: ReaderArgs<Q>): Promise<ReaderAnswer<Q>> {
    // The worker answers each question with the matching type: see MAKERS.
    return (await this.#send({ id: ++this.#lastId, question, args } as ReaderRequest)) as ReaderAnswer<Q>
  }

  async #send(request: ReaderRequest): Promise<unknown> {
    const blame = this.#blamed.get(nameOf(request))
    if (blame !== undefined && performance.now() < blame.untilMs) throw blame.fault
    return new Promise<unknown>((resolve, reject) => {
      const waiting = { request, resolve, reject }
      // while one is tried alone, no other question must be lost with it
      if (this.#suspects.length > 0) this.#suspects.push(waiting)
      else this.#put(waiting)
    })
  }

  /** Open questions fail. A later question starts another thread. */
  async close(): Promise<void> {
    const worker = this.#worker
    const open = this.#leave()
    for (const { reject } of open) reject(new Error(STOPPED))
    await worker?.terminate()
  }

  /** Starts the thread, if there is none, so that a first question does not have to wait for it. */
  start(): Worker {
    if (this.#worker !== null) return this.#worker
    const heartbeat = newHeartbeat()
    const workerData: ReaderWorkerData = { heartbeat }
    const resourceLimits = { ...SMALL_HEAP, ...this.#options.resourceLimits }
    const worker = new Worker(this.#url, { workerData, resourceLimits })
    this.#worker = worker
    worker.unref()
    const die = (code: ReaderFaultCode, cause?: unknown) => {
      if (this.#worker !== worker) return
      void worker.terminate()
      this.#bury(new ReaderFault(code, cause))
    }
    worker.on('message', (response: ReaderResponse) => this.#worker === worker && this.#settle(response))
    worker.on('messageerror', (error) => die('reader-unsendable', error))
    worker.on('error', (error) => die('reader-stopped', error))
    worker.on('exit', () => die('reader-stopped'))
    const isAsked = () => this.#waiting.size > 0
    this.#endWatch = watchLife(worker, heartbeat, isAsked, () => die('reader-timeout'), this.#options.limits)
    return worker
  }

  #put(waiting: Waiting): void {
    this.#waiting.set(waiting.request.id, waiting)
    try {
      this.start().postMessage(waiting.request)
    } catch (error) {
      this.#waiting.delete(waiting.request.id)
      waiting.reject(new ReaderFault('reader-unsendable', error))
    }
  }

  #settle(response: ReaderResponse): void {
    const waiting = this.#waiting.get(response.id)
    this.#waiting.delete(response.id)
    if ('fault' in response) waiting?.reject(new ReaderFault(response.fault))
    else if ('failure' in response) waiting?.reject(new Error(response.failure))
    else waiting?.resolve(response.answer)
    this.#tryNext()
  }

  /** The thread is gone. A single open question is to blame; several are asked again, one by one. */
  #bury(fault: ReaderFault): void {
    const left = [...this.#waiting.values()]
    const suspects = this.#suspects
    this.#leave()
    this.#suspects = suspects
    const [only] = left
    if (left.length === 1 && only !== undefined) {
      this.#blamed.set(nameOf(only.request), { fault, untilMs: performance.now() + BLAMED_MS })
      only.reject(fault)
    } else this.#suspects.push(...left)
    this.#tryNext()
  }

  #tryNext(): void {
    if (this.#waiting.size > 0) return
    for (const [name, { untilMs }] of this.#blamed)
      if (performance.now() >= untilMs) this.#blamed.delete(name)
    for (let next = this.#suspects.shift(); next !== undefined; next = this.#suspects.shift()) {
      const blame = this.#blamed.get(nameOf(next.request))
      if (blame === undefined) {
        this.#put(next)
        return
      }
      next.reject(blame.fault)
    }
  }

  #leave(): Waiting[] {
    this.#worker = null
    this.#endWatch()
    const open = [...this.#waiting.values(), ...this.#suspects]
    this.#waiting.clear()
    this.#suspects = []
    return open
  }
}

/** Identifies the same question about the same files. */
function nameOf({ question, args }: ReaderRequest): string {
  return `${question}\n${args.source.id}\n${args.source.fingerprint}`
}

/** Questions about one session, from the table of makers. null: no such session, message or output. */
export type ReaderQuestion = keyof typeof MAKERS
export type ReaderArgs<Q extends ReaderQuestion> = SessionPlace & { asked: Asked<(typeof MAKERS)[Q]> }
export type ReaderAnswer<Q extends ReaderQuestion> = Awaited<ReturnType<(typeof MAKERS)[Q]>> | null

type Asked<Maker extends (...parameters: never[]) => unknown> =
  Parameters<Maker> extends [unknown, infer Parameter] ? Parameter : object

export interface ReaderRequest {
  id: number
  question: ReaderQuestion
  args: ReaderArgs<ReaderQuestion>
}

export interface ReaderWorkerData {
  /** Incremented while the thread's event loop turns. */
  heartbeat: Int32Array
}

export type ReaderResponse =
  | { id: number; answer: unknown }
  | { id: number; failure: string }
  | { id: number; fault: ReaderFaultCode }
