import { readFileSync } from 'node:fs'
import type { TextMatcher } from './text-matcher.ts'

/** One message may take so long; it is left out beyond that, so that a search always gets on. */
const MESSAGE_MS = 2_000
/** Where a thread gets little of a processor, or waits for a disk, so many times the limit may pass. */
const MOST_PASSED = 6
/** A longer step is that of a process that was suspended. */
const LONGEST_STEP_MS = 1_000
/** Asking for the time of a thread costs as much as looking at a kilobyte. */
const LOOK_MS = 10

/** Why looking at a message ended before its end. */
export class OutOfTime extends Error {}

/**
 * The time of one search: what its thread has worked for it. Neither a suspended computer nor programs that take the
 * processor use it up.
 */
export class SearchClock {
  readonly #limitMs: number
  readonly #workMs: () => number
  readonly #nowMs: () => number
  #workedMs = 0
  #passedMs = 0
  #messageStartMs = 0
  #lastWorkMs: number
  #lastLookMs: number

  /** `workMs`: what the thread has worked so far, in milliseconds. */
  constructor(
    limitMs = Number.POSITIVE_INFINITY,
    { workMs = workOfThread, nowMs = () => performance.now() } = {},
  ) {
    this.#limitMs = limitMs
    this.#workMs = workMs
    this.#nowMs = nowMs
    this.#lastWorkMs = workMs()
    this.#lastLookMs = nowMs()
  }

  get isOver(): boolean {
    this.#look()
    return this.#workedMs >= this.#limitMs || this.#passedMs >= this.#limitMs * MOST_PASSED
  }

  /** So much may pass at least before it is over. */
  get leftMs(): number {
    this.#look()
    return Math.max(0, Math.min(this.#limitMs - this.#workedMs, this.#limitMs * MOST_PASSED - this.#passedMs))
  }

  /** The thread does something else meanwhile. */
  async during<Result>(waiting: () => Promise<Result>): Promise<Result> {
    this.#look()
    try {
      return await waiting()
    } finally {
      this.#lastWorkMs = this.#workMs()
      this.#lastLookMs = this.#nowMs()
    }
  }

  beginMessage(): void {
    this.#messageStartMs = this.#workedMs
  }

  /** To be called again and again while a message is looked at. @throws OutOfTime */
  readonly check = (): void => {
    this.#look()
    if (this.#workedMs - this.#messageStartMs >= MESSAGE_MS) throw new OutOfTime()
  }

  #look(): void {
    const nowMs = this.#nowMs()
    if (nowMs - this.#lastLookMs < Math.min(LOOK_MS, this.#limitMs)) return
    const workMs = this.#workMs()
    this.#workedMs += workMs - this.#lastWorkMs
    this.#passedMs += Math.min(nowMs - this.#lastLookMs, LONGEST_STEP_MS)
    this.#lastWorkMs = workMs
    this.#lastLookMs = nowMs
  }
}

/** A matcher that finds nothing in a text that takes too long, nor in any when the time is over. */
export function withinTime({ isIn, ranges }: TextMatcher, clock: SearchClock): TextMatcher {
  const within = <Found>(look: () => Found, nothing: Found): Found => {
    if (clock.isOver) return nothing
    clock.beginMessage()
    try {
      return look()
    } catch (error) {
      if (error instanceof OutOfTime) return nothing
      throw error
    }
  }
  return {
    isIn: (text) => within(() => isIn(text), false),
    ranges: (text, limit) => within(() => ranges(text, limit), []),
  }
}

/** Processor time of this thread, in ms. Newer Node tells it, and Linux; elsewhere the time in which its loop did not wait. */
function workOfThread(): number {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => { user: number; system: number } }
  if (threadCpuUsage !== undefined) {
    const { user, system } = threadCpuUsage()
    return (user + system) / 1_000
  }
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    return performance.eventLoopUtilization().active
  }
}
