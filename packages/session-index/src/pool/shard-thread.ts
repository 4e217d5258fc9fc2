import { setTimeout } from 'node:timers/promises'
import { type ResourceLimits, Worker } from 'node:worker_threads'
import type { ShardMessage, ShardRequest, ShardWorkerData } from '../shard/shard-message.ts'

export interface ShardThreadOptions {
  workerUrl: URL
  workerExecArgv: string[]
  data: ShardWorkerData
  /** How much memory the thread may take; V8 decides where it is left out. */
  resourceLimits?: ResourceLimits
  /** A thread that is waited for and says nothing for so long is taken to hang. */
  silenceMs: number
}

export interface ShardThreadOwner {
  /** Something is waited for. */
  isWaiting: () => boolean
  /** Why it is to be ended although it still says something; null: it is not. Asked at each look, so long after the one before. */
  findFault: (lookMs: number) => string | null
  receive: (message: ShardMessage) => void
  /** It has ended without being asked to. */
  onDeath: (reason: string) => void
}

/** A third of what V8 takes by itself: measured, that made building no slower and a thread some 20 MB smaller. */
const YOUNG_GENERATION_MB = 16
/** The less a heap may hold, the sooner V8 looks for what nobody needs: where it may hold 4 GB, garbage is as much again three times. */
const OLD_GENERATION_MB = 1_536
/** A thread that sits in a call of the system cannot be ended; it is not waited for longer than this. */
const END_MS = 2_000
const LOOKS_A_SILENCE = 60

/**
 * A worker thread that may throw, exit, run out of memory or hang, and tells its owner once. Silence is counted in ticks of
 * this thread's own clock: a computer that slept, or a thread here that was busy, makes nobody hang.
 */
export class ShardThread {
  readonly #options: ShardThreadOptions
  readonly #owner: ShardThreadOwner
  readonly #worker: Worker
  readonly #clock: NodeJS.Timeout
  #silentTicks = 0
  #reason = 'it ended unexpectedly'
  #isOver = false

  /** Throws where no thread can be started. */
  constructor(options: ShardThreadOptions, owner: ShardThreadOwner) {
    this.#options = options
    this.#owner = owner
    this.#worker = new Worker(options.workerUrl, {
      workerData: options.data,
      execArgv: options.workerExecArgv,
      resourceLimits: {
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
        maxOldGenerationSizeMb: OLD_GENERATION_MB,
        ...options.resourceLimits,
      },
    })
    this.#worker.on('message', (message: ShardMessage) => {
      this.#silentTicks = 0
      owner.receive(message)
    })
    this.#worker.on('messageerror', (error) => this.#die(`it could not be understood: ${error.message}`))
    this.#worker.on('error', (error) => {
      this.#reason = error.message
    })
    this.#worker.on('exit', () => this.#die(this.#reason))
    this.#clock = setInterval(() => this.#look(), options.silenceMs / LOOKS_A_SILENCE).unref()
  }

  /** Throws what cannot be sent. */
  post(request: ShardRequest): void {
    this.#worker.postMessage(request)
  }

  async end(): Promise<void> {
    this.#isOver = true
    clearInterval(this.#clock)
    this.#worker.removeAllListeners()
    // What it still has to say of its end concerns nobody.
    this.#worker.on('error', () => {})
    await Promise.race([this.#worker.terminate(), setTimeout(END_MS, undefined, { ref: false })])
  }

  #look(): void {
    if (!this.#owner.isWaiting()) {
      this.#silentTicks = 0
      return
    }
    this.#silentTicks += 1
    const fault = this.#owner.findFault(this.#options.silenceMs / LOOKS_A_SILENCE)
    if (fault !== null) {
      this.#die(fault)
    } else if (this.#silentTicks > LOOKS_A_SILENCE) {
      this.#die(`it said nothing for ${Math.round(this.#options.silenceMs / 1_000)} seconds`)
    } else {
      this.post({ id: 0, name: 'ping', argument: null })
    }
  }

  #die(reason: string): void {
    if (this.#isOver) return
    void this.end().then(() => this.#owner.onDeath(reason))
  }
}
