import type { SessionIndex } from '@gemini-dash/session-index'
import { giveBackMemory } from './give-back-memory.ts'

/** So long nothing was asked of the index. */
const IDLE_MS = 20_000
const LOOK_INTERVAL_MS = 5_000

/**
 * Has the threads of the index end while no page is open and nobody searches: they hold a third of the memory that the
 * program takes. The next question, change or page starts them again.
 */
export class IndexRest {
  /** null as long as nobody has opened it. */
  readonly #openedIndex: () => Promise<SessionIndex> | null
  #timer: NodeJS.Timeout | null = null
  #openPages = 0

  constructor(openedIndex: () => Promise<SessionIndex> | null) {
    this.#openedIndex = openedIndex
  }

  begin(): void {
    this.#timer ??= setInterval(() => void this.look(IDLE_MS), LOOK_INTERVAL_MS).unref()
  }

  /** Ends the threads that nothing was asked of for so long, unless a page is open. true: one was ended. */
  async look(idleMs: number): Promise<boolean> {
    if (this.#openPages > 0) return false
    const isResting = (await (await this.#opened())?.rest(idleMs)) === true
    if (isResting) giveBackMemory({ isCompacting: true })
    return isResting
  }

  setOpenPages(count: number): void {
    const isFirst = this.#openPages === 0 && count > 0
    this.#openPages = count
    if (isFirst) void this.#opened().then((index) => index?.wake())
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
  }

  /** null also where it could not be opened: whoever asks something is told. */
  async #opened(): Promise<SessionIndex | null> {
    return (await this.#openedIndex()?.catch(() => null)) ?? null
  }
}
