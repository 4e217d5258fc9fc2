import { Worker } from 'node:worker_threads'
import type {
  ReaderAnswers,
  ReaderQuestion,
  ReaderRequest,
  ReaderResponse,
  ReaderWorkerData,
} from './reader-question.ts'

interface Waiting {
  resolve: (answer: unknown) => void
  reject: (error: Error) => void
}

const STOPPED = 'The session reader has stopped.'

/** Asks one thread that reads sessions. A dead thread is replaced. */
export class ReaderLane {
  readonly #url: URL
  readonly #workerData: ReaderWorkerData
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | null = null
  #lastId = 0

  constructor(url: URL, workerData: ReaderWorkerData) {
    this.#url = url
    this.#workerData = workerData
  }

  get isStarted(): boolean {
    return this.#worker !== null
  }

  /** Its thread stands, and has nothing to do. */
  get isIdle(): boolean {
    return this.#worker !== null && this.#waiting.size === 0
  }

  async ask<Q extends ReaderQuestion>(
    question: Q,
    args: ReaderAnswers[Q]['args'],
  ): Promise<ReaderAnswers[Q]['answer']> {
    const worker = this.start()
    const request: ReaderRequest<Q> = { id: ++this.#lastId, question, args }
    const answer = new Promise<unknown>((resolve, reject) =>
      this.#waiting.set(request.id, { resolve, reject }),
    )
    worker.postMessage(request)
    // The worker answers each question with its own kind of answer: see ReaderAnswers.
    return (await answer) as ReaderAnswers[Q]['answer']
  }

  /** What is under way fails. A later question starts another thread. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#fail(new Error(STOPPED))
    await worker?.terminate()
  }

  /** Starts the thread, if there is none: a first question need not wait for it then. */
  start(): Worker {
    if (this.#worker !== null) return this.#worker
    const worker = new Worker(this.#url, { workerData: this.#workerData })
    this.#worker = worker
    worker.unref()
    worker.on('message', (response: ReaderResponse) => this.#settle(response))
    worker.on('error', (error) => this.#worker === worker && this.#fail(error))
    worker.on('exit', () => this.#worker === worker && this.#fail(new Error(STOPPED)))
    return worker
  }

  #settle(response: ReaderResponse): void {
    const waiting = this.#waiting.get(response.id)
    this.#waiting.delete(response.id)
    if ('failure' in response) waiting?.reject(new Error(response.failure))
    else waiting?.resolve(response.answer)
  }

  #fail(error: Error): void {
    this.#worker = null
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
