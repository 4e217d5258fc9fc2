import { readFileSync } from 'node:fs'
import type { TextMatcher } from './text-matcher.ts'

/** Time limit per message, after which it is skipped, so that a search always progresses. */
const MESSAGE_MS = 2_000
/** If a thread gets little processor time or waits for a disk, this multiple of the limit may pass. */
const MOST_PASSED = 6
/** A longer step means that the process was suspended. */
const LONGEST_STEP_MS = 1_000
/** Reading a thread's time costs as much as searching a kilobyte. */
const LOOK_MS = 10

/** The search of a message was ended early. */
export class OutOfTime extends Error {}

/** The time budget of one search, counted as work time of its thread. Neither a suspended computer nor other programs use it up. */
export class SearchClock {
  readonly #limitMs: number
  readonly #workMs: () => number
  readonly #nowMs: () => number
  #workedMs = 0
  #passedMs = 0
  #messageStartMs = 0
  #lastWorkMs: number
  #lastLookMs: number

  /** `workMs`: work time of the thread so far, in milliseconds. */
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

  /** Least time that is left. */
  get leftMs(): number {
    this.#look()
    return Math.max(0, Math.min(this.#limitMs - this.#workedMs, this.#limitMs * MOST_PASSED - this.#passedMs))
  }

  /** Excludes the time of `waiting`, during which the thread does other work. */
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

  /** Call repeatedly while searching a message. @throws OutOfTime */
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

/** A matcher that finds nothing in a text that takes too long, nor in any text once time is up. */
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

/** Processor time of this thread, in ms, from newer Node or Linux; elsewhere the time in which its event loop was not idle. */
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
