import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { KeepChange, KeepStatus } from '@gemini-dash/api'
import type { GeminiHome } from 'gemini-sessions/node'
import type { TellProblem } from '../own-data/own-file.ts'
import type { Store } from '../store/store.ts'
import type { AddedFiles } from './add-opened.ts'
import { ArchiveControl } from './archive-control.ts'
import { type ForgetRequest, REST_MS } from './forget-kept.ts'

interface KeeperOptions {
  /** null: nothing can be archived, as with `--no-cache`. */
  dataFolder: string | null
  homes: readonly GeminiHome[]
  workerUrl: URL
  tell: (message: string) => void
  /** Receives problems with files of the data folder. */
  tellProblem: TellProblem
  /** Minimum pause between two scans. */
  pauseMs?: number
}

/** A burst of changes is scanned once. */
const SETTLING_MS = 2_000
const PAUSE_MS = 10_000
/** Scans take at most a twentieth of the time of one core. */
const PAUSE_PER_RUN = 20
/** Catches changes for which no event arrived. */
const LONGEST_PAUSE_MS = 60 * 60 * 1000
/** The index comes first, but not for long: files to be archived may be deleted. */
const FIRST_RUN_MS = 60_000
const THREAD_REST_MS = 60_000

type Task = KeepTaskRequest extends infer Request
  ? Request extends unknown
    ? Omit<Request, 'id'>
    : never
  : never

/** Archives changes while the dashboard runs, in a thread that exists only while there is work. */
export class Keeper {
  readonly dataFolder: string | null
  readonly #options: KeeperOptions
  readonly #control: ArchiveControl
  readonly #waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>()
  #thread: Worker | null = null
  #lastId = 0
  #resting: NodeJS.Timeout | null = null
  #next: NodeJS.Timeout | null = null
  #nextMs = 0
  #earliestMs = 0
  #reported: string | null = null
  #isClosed = false
  #unfollow = () => {}
  #lookAgain = () => {}
  /** Progress of the current scan; reported together with the last known status. */
  #running: KeepStatus['running'] = null
  #known: KeepStatus | null = null
  #lastOutcome = ''
  #listeners = new Set<() => void>()

  constructor(options: KeeperOptions) {
    this.#options = options
    this.dataFolder = options.dataFolder
    this.#control = new ArchiveControl({ ...options, tell: options.tellProblem })
    this.#control.checkOwnFiles()
  }

  async status(): Promise<KeepStatus> {
    if (this.dataFolder === null) return this.#control.status()
    // counting takes as long as part of a scan, and is requested repeatedly while one is under way
    const known = this.#running === null ? null : this.#known
    const status = known ?? (await this.#status({ task: 'status' }))
    this.#known = status
    return { ...status, running: this.#running }
  }

  /** Calls the listener when a scan progresses or ends, and when archiving is turned on or off; returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Turning it on starts a scan at once, which this call does not wait for. @throws if it cannot be saved */
  async change(change: KeepChange): Promise<KeepStatus> {
    if (this.dataFolder === null) throw new Error('nothing is written here, so nothing can be archived')
    const status = await this.#status({ task: 'change', change })
    this.#known = status
    if (status.enabled) {
      this.#earliestMs = 0
      this.#plan(0)
    }
    if (change.erase) this.#running = null
    this.#notify()
    return { ...status, running: this.#running }
  }

  /** Resolves when everything was scanned. @throws if archiving is off, or on failure */
  async now(): Promise<KeepStatus> {
    if (!this.#isOn()) throw new Error('the archive is off for these Gemini folders')
    return this.#run()
  }

  /** Extracts what is missing in a home from its archive, even if archiving is off. @throws on failure */
  async bringOut({ path: homePath }: GeminiHome): Promise<void> {
    if (this.dataFolder === null) return
    await this.#send({ task: 'bring-out', homePath }).catch((error) => {
      if (!this.#isClosed) throw error
    })
  }

  /** Erases these from the archives, and never archives them again. Returns the number of files erased. @throws on failure */
  async forget(request: ForgetRequest): Promise<number> {
    if (this.dataFolder === null) return 0
    return this.#send<number>({ task: 'forget', request })
  }

  /** Adds opened files, which are in this Gemini folder, to the archive. @throws on failure */
  async addOpened(folder: string): Promise<AddedFiles> {
    if (this.dataFolder === null) throw new Error('nothing is written here, so nothing can be archived')
    return this.#send<AddedFiles>({ task: 'add', folder })
  }

  /** Scans at the start, and after every change that the store reports. `lookAgain`: rescans the homes, as something was extracted. */
  follow(store: Store, lookAgain: () => void): void {
    this.#lookAgain = lookAgain
    void Promise.race([
      store.whenReady().catch(() => {}),
      pause(FIRST_RUN_MS, undefined, { ref: false }),
    ]).then(() => this.#plan(0))
    this.#unfollow = store.subscribe(({ kind }) => {
      if (kind === 'changed' || kind === 'removed' || kind === 'projects') this.#plan(SETTLING_MS)
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#unfollow()
    if (this.#next !== null) clearTimeout(this.#next)
    await this.#end()
  }

  #isOn(): boolean {
    try {
      return this.dataFolder !== null && this.#control.isOn()
    } catch {
      return false
    }
  }

  #plan(delayMs: number): void {
    const atMs = Math.max(performance.now() + delayMs, this.#earliestMs)
    if (this.#isClosed || (this.#next !== null && this.#nextMs <= atMs)) return
    if (this.#next !== null) clearTimeout(this.#next)
    this.#nextMs = atMs
    this.#next = setTimeout(() => {
      this.#next = null
      void this.#runPlanned()
    }, atMs - performance.now()).unref()
  }

  async #runPlanned(): Promise<void> {
    if (this.#isOn())
      await this.#run().then(
        ({ problem }) => this.#tell(problem),
        (error: Error) => this.#tell(`Nothing could be archived: ${error.message}.`),
      )
    this.#plan(LONGEST_PAUSE_MS)
  }

  /** Reported once, until it is fixed. */
  #tell(problem: string | null): void {
    if (problem !== null && problem !== this.#reported && !this.#isClosed) this.#options.tell(problem)
    this.#reported = problem
  }

  async #run(): Promise<KeepStatus> {
    const startedMs = performance.now()
    try {
      const status = await this.#status({ task: 'run' })
      this.#known = status
      return status
    } finally {
      // a run that only found missing files reported no progress, but its outcome must be announced
      const outcome = JSON.stringify({ ...this.#known, lastRun: null })
      const isNews = this.#running !== null || outcome !== this.#lastOutcome
      this.#running = null
      this.#lastOutcome = outcome
      if (isNews) this.#notify()
      const restMs = Math.max(
        this.#options.pauseMs ?? PAUSE_MS,
        (performance.now() - startedMs) * PAUSE_PER_RUN,
      )
      this.#earliestMs = performance.now() + Math.min(restMs, LONGEST_PAUSE_MS)
    }
  }

  async #status(task: Task): Promise<KeepStatus> {
    return (await this.#send<KeepStatus | null>(task)) ?? this.#control.status()
  }

  #send<Answer>(task: Task): Promise<Answer> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new Error('the dashboard is stopping'))
      this.#waiting.set(id, { resolve, reject })
      this.#start().postMessage({ id, ...task } satisfies KeepTaskRequest)
    })
  }

  #start(): Worker {
    if (this.#resting !== null) clearTimeout(this.#resting)
    if (this.#thread !== null) return this.#thread
    const { dataFolder, homes, workerUrl } = this.#options
    const workerData: KeepWorkerData = { dataFolder: dataFolder ?? '', homes }
    const thread = new Worker(workerUrl, { workerData })
    this.#thread = thread
    thread.unref()
    let failure = new Error('the archive thread has ended')
    thread.on('message', (response: KeepTaskResponse) => this.#settle(response))
    thread.on('error', (error) => {
      failure = error
    })
    thread.on('exit', () => {
      if (this.#thread === thread) this.#thread = null
      this.#refuseAll(failure)
    })
    return thread
  }

  #notify(): void {
    if (!this.#isClosed) for (const tell of this.#listeners) tell()
  }

  #settle(response: KeepTaskResponse): void {
    if ('problem' in response) {
      this.#options.tellProblem(response.problem, response.about, response.code)
      return
    }
    if ('running' in response) {
      this.#running = response.running
      this.#notify()
      return
    }
    const waiting = this.#waiting.get(response.id)
    this.#waiting.delete(response.id)
    if ('status' in response) {
      if (response.hasNews) this.#lookAgain()
      if (response.isLeft) this.#plan(REST_MS)
      waiting?.resolve(response.status as never)
    } else if ('added' in response) {
      if (response.hasNews) this.#lookAgain()
      this.#known = null
      this.#notify()
      waiting?.resolve(response.added as never)
    } else if ('erased' in response) waiting?.resolve(response.erased as never)
    else waiting?.reject(new Error(response.failure))
    if (this.#waiting.size > 0 || this.#isClosed) return
    this.#resting = setTimeout(() => void this.#end(), THREAD_REST_MS).unref()
  }

  /** Even during a run: what it recorded stays, and the next run archives the rest. */
  async #end(): Promise<void> {
    const thread = this.#thread
    this.#thread = null
    await thread?.terminate()
  }

  #refuseAll(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

export interface KeepWorkerData {
  dataFolder: string
  homes: readonly GeminiHome[]
}

export type KeepTaskRequest = { id: number } & (
  | { task: 'status' | 'run' }
  | { task: 'change'; change: KeepChange }
  /** Extract what is missing in this home from its archive. */
  | { task: 'bring-out'; homePath: string }
  | { task: 'forget'; request: ForgetRequest }
  /** Add the opened files in this Gemini folder. */
  | { task: 'add'; folder: string }
)

/**
 * The end of a task, or the progress of a scan. `hasNews`: something was extracted, or came back. `isLeft`: something was being written,
 * and is to be archived once it is idle.
 */
export type KeepTaskResponse =
  | { id: number; status: KeepStatus | null; hasNews: boolean; isLeft: boolean }
  | { id: number; erased: number }
  | { id: number; added: AddedFiles; hasNews: boolean }
  | { id: number; failure: string }
  | { running: NonNullable<KeepStatus['running']> }
  /** A problem with a file of the data folder; null: it is over. */
  | { problem: string | null; about: string; code: Parameters<TellProblem>[2] }
