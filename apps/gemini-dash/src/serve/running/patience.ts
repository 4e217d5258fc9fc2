import { setTimeout } from 'node:timers/promises'

const TELL_AFTER_MS = 1_000
const GIVE_UP_AFTER_MS = 30_000
const PAUSE_MS = 50
const TICK_MS = 250

/**
 * One wait for another process, whatever it is made of: told after a second, and given up after thirty. It counts ticks of this
 * process: one that was suspended has not waited.
 */
export class Patience {
  readonly #tell: (sentence: string) => void
  readonly #giveUpAfterMs: number
  #ticks = 0
  #isTold = false

  constructor(tell: (sentence: string) => void, giveUpAfterMs = GIVE_UP_AFTER_MS) {
    this.#tell = tell
    this.#giveUpAfterMs = giveUpAfterMs
    setInterval(() => {
      this.#ticks += 1
    }, TICK_MS).unref()
  }

  /** After which it is given up. */
  get seconds(): number {
    return this.#giveUpAfterMs / 1_000
  }

  get leftMs(): number {
    return Math.max(0, this.#giveUpAfterMs - this.#ticks * TICK_MS)
  }

  /** Says once what is waited for, if that goes on for longer than a second. */
  async during<Result>(sentence: string, waiting: Promise<Result>): Promise<Result> {
    const isOver = new AbortController()
    const { signal } = isOver
    const untilTold = Math.max(0, TELL_AFTER_MS - this.#ticks * TICK_MS)
    setTimeout(untilTold, undefined, { signal }).then(
      () => this.#tellOnce(sentence),
      () => undefined,
    )
    try {
      return await waiting
    } finally {
      isOver.abort()
    }
  }

  /** Before one looks again. */
  pause(sentence: string): Promise<void> {
    return this.during(sentence, setTimeout(PAUSE_MS))
  }

  #tellOnce(sentence: string): void {
    if (!this.#isTold) this.#tell(sentence)
    this.#isTold = true
  }
}
