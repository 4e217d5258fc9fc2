import type { IndexGroup } from '@gemini-dash/session-index'
import type { SessionPlace } from '../place/session-place.ts'
import { ReaderLane } from './reader-lane.ts'
import type { ReaderAnswer, ReaderArgs, ReaderQuestion } from './reader-question.ts'

/** Beyond this a reading takes so long that others would wait for it. */
const LARGE_BYTES = 16 * 1024 * 1024
/** The list that a page begins with goes first. */
const WAKING_DELAY_MS = 500

interface ReaderClientOptions {
  /** Where what is held of large sessions outlives the run; null: nowhere. */
  skeletonDirectory: string | null
  /** Counts the large sessions that somebody waits for; other threads that read sessions pause meanwhile. */
  openings?: Int32Array
  /** Told why nothing can be kept there; null: it was kept. */
  tellProblem?: (problem: string | null) => void
}

/**
 * Asks threads that read sessions, so that a large one never holds up the server, nor the small one that somebody
 * opens meanwhile: large ones are read by a thread of their own, started when it is first needed.
 */
export class ReaderClient {
  #lane: ReaderLane
  #laneOfLarge: ReaderLane
  readonly #laneOfIdleTime: ReaderLane
  #lastAskedMs = Number.NEGATIVE_INFINITY
  #lastWokenMs = Number.NEGATIVE_INFINITY
  #waking: NodeJS.Timeout | null = null
  readonly #openings: Int32Array | undefined
  /** Large sessions that were asked for, and the state in which they were. */
  readonly #opened = new Map<string, string>()

  constructor(url: URL, { skeletonDirectory, openings, tellProblem = () => {} }: ReaderClientOptions) {
    const startLane = () => new ReaderLane(url, { skeletonDirectory }, { tellProblem })
    this.#openings = openings
    this.#lane = startLane()
    this.#laneOfLarge = startLane()
    this.#laneOfIdleTime = startLane()
  }

  ask<Q extends ReaderQuestion>(question: Q, args: ReaderArgs<Q>): Promise<ReaderAnswer<Q>> {
    this.#lastAskedMs = performance.now()
    void this.#laneOfIdleTime.close()
    if (!isLarge(args.source)) return this.#lane.ask(question, args)
    const isLent = this.#lendThread()
    const asked = this.#laneOfLarge.ask(question, args)
    const answer = question === 'beginning' ? asked : this.#openFirst(args.source, asked)
    // not before: to start it takes a fifth of a second, while the large one is waited for
    if (isLent) answer.then(() => this.wakeSoon()).catch(() => {})
    return answer
  }

  /** Nothing else is read while somebody waits for a large session that was not opened yet, as it is now. */
  #openFirst<Answer>({ id, fingerprint }: IndexGroup, answer: Promise<Answer>): Promise<Answer> {
    if (this.#openings === undefined || this.#opened.get(id) === fingerprint) return answer
    const openings = this.#openings
    Atomics.add(openings, 0, 1)
    return answer.finally(() => {
      Atomics.sub(openings, 0, 1)
      this.#opened.set(id, fingerprint)
    })
  }

  /** Somebody may ask soon, and a thread takes a quarter of a second to start. */
  wakeSoon(): void {
    this.#waking ??= setTimeout(() => {
      this.#waking = null
      this.wake()
    }, WAKING_DELAY_MS).unref()
  }

  wake(): void {
    this.#lastWokenMs = performance.now()
    this.#lane.start()
  }

  /** Ends the threads that have nothing to do, with what they hold, if nobody has asked for so long. true: one was ended. */
  async rest(idleMs: number): Promise<boolean> {
    if (!this.isQuietFor(idleMs) || performance.now() - this.#lastWokenMs < idleMs) return false
    const idle = [this.#lane, this.#laneOfLarge].filter((lane) => lane.isIdle)
    if (idle.includes(this.#laneOfLarge)) this.#opened.clear()
    await Promise.all(idle.map((lane) => lane.close()))
    return idle.length > 0
  }

  /** A large session takes the thread that stands ready, and small ones get another. false: none did. */
  #lendThread(): boolean {
    if (this.#laneOfLarge.isStarted || !this.#lane.isIdle) return false
    const ready = this.#lane
    this.#lane = this.#laneOfLarge
    this.#laneOfLarge = ready
    return true
  }

  /** Nobody has asked anything for so long. */
  isQuietFor(milliseconds: number): boolean {
    return performance.now() - this.#lastAskedMs >= milliseconds
  }

  /** Has a later opening of these files prepared, in a thread for that alone: any question ends it, and this fails. */
  async prepare(source: IndexGroup, places: SessionPlace[]): Promise<void> {
    await this.#laneOfIdleTime.prepare({ source, places })
    // With all the memory that it took.
    await this.#laneOfIdleTime.close()
  }

  async close(): Promise<void> {
    if (this.#waking !== null) clearTimeout(this.#waking)
    const lanes = [this.#lane, this.#laneOfLarge, this.#laneOfIdleTime]
    await Promise.all(lanes.map((lane) => lane.close()))
  }
}

function isLarge(source: IndexGroup): boolean {
  return source.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > LARGE_BYTES
}
