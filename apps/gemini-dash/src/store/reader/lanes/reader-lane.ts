import { type ResourceLimits, Worker } from 'node:worker_threads'
import { ReaderFault, type ReaderFaultCode } from './reader-fault.ts'
import type {
  Preparation,
  ReaderAnswer,
  ReaderArgs,
  ReaderQuestion,
  ReaderRequest,
  ReaderResponse,
  ReaderWorkerData,
} from './reader-question.ts'
import { type Limits, watchLife } from './sign-of-life.ts'

interface Waiting {
  request: ReaderRequest
  resolve: (answer: unknown) => void
  reject: (error: Error) => void
}

/** As the threads of the index: the less a heap may hold, the sooner V8 looks for what nobody needs. */
const SMALL_HEAP: ResourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1_536 }

interface ReaderLaneOptions {
  limits?: Limits
  /** How much memory the thread may take; V8 decides where it is left out. */
  resourceLimits?: ResourceLimits
  /** Told why what was made of an opened session cannot be kept on disk; null: it was kept. */
  tellProblem: (problem: string | null) => void
}

const STOPPED = 'The session reader has stopped.'
/** What ended a thread is not put to another one at once: each click would end one. */
const BLAMED_MS = 30_000

/**
 * Asks one thread that reads sessions. One that dies or hangs is replaced: where several questions were under way they
 * are put to the next thread one after the other, so that only the one that ended it is lost.
 */
export class ReaderLane {
  readonly #url: URL
  readonly #workerData: Omit<ReaderWorkerData, 'heart'>
  readonly #options: ReaderLaneOptions
  readonly #waiting = new Map<number, Waiting>()
  /** Questions that a dead thread left, each to be asked alone. */
  #suspects: Waiting[] = []
  /** Why a question was given up, by what was asked. */
  readonly #blamed = new Map<string, { fault: ReaderFault; untilMs: number }>()
  #worker: Worker | null = null
  #endWatch: () => void = () => {}
  #lastId = 0

  constructor(
    url: URL,
    workerData: Omit<ReaderWorkerData, 'heart'>,
    options: ReaderLaneOptions = { tellProblem: () => {} },
  ) {
    this.#url = url
    this.#workerData = workerData
    this.#options = options
  }

  get isStarted(): boolean {
    return this.#worker !== null
  }

  /** Its thread stands, and has nothing to do. */
  get isIdle(): boolean {
    return this.#worker !== null && this.#waiting.size === 0 && this.#suspects.length === 0
  }

  /** @throws ReaderFault */
  async ask<Q extends ReaderQuestion>(question: Q, args: ReaderArgs<Q>): Promise<ReaderAnswer<Q>> {
    // The worker answers each question with its own kind of answer: see MAKERS.
    return (await this.#send({ id: ++this.#lastId, question, args } as ReaderRequest)) as ReaderAnswer<Q>
  }

  /** @throws ReaderFault */
  async prepare(args: Preparation): Promise<void> {
    await this.#send({ id: ++this.#lastId, question: 'prepare', args })
  }

  async #send(request: ReaderRequest): Promise<unknown> {
    const blame = this.#blamed.get(nameOf(request))
    if (blame !== undefined && performance.now() < blame.untilMs) throw blame.fault
    return new Promise<unknown>((resolve, reject) => {
      const waiting = { request, resolve, reject }
      // while one is tried alone, another must not fall with it
      if (this.#suspects.length > 0) this.#suspects.push(waiting)
      else this.#put(waiting)
    })
  }

  /** What is under way fails. A later question starts another thread. */
  async close(): Promise<void> {
    const worker = this.#worker
    const open = this.#leave()
    for (const { reject } of open) reject(new Error(STOPPED))
    await worker?.terminate()
  }

  /** Starts the thread, if there is none: a first question need not wait for it then. */
  start(): Worker {
    if (this.#worker !== null) return this.#worker
    const heart = new Int32Array(new SharedArrayBuffer(4))
    const workerData: ReaderWorkerData = { ...this.#workerData, heart }
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
    this.#endWatch = watchLife(worker, heart, isAsked, () => die('reader-timeout'), this.#options.limits)
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
    if ('problem' in response) {
      this.#options.tellProblem(response.problem)
      return
    }
    const waiting = this.#waiting.get(response.id)
    this.#waiting.delete(response.id)
    if ('fault' in response) waiting?.reject(new ReaderFault(response.fault))
    else if ('failure' in response) waiting?.reject(new Error(response.failure))
    else waiting?.resolve(response.answer)
    this.#tryNext()
  }

  /** The thread is gone. Who was alone with it is to blame; several are asked again, one by one. */
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

/** The same question of the same files. */
function nameOf({ question, args }: ReaderRequest): string {
  return `${question}\n${args.source.id}\n${args.source.fingerprint}`
}
