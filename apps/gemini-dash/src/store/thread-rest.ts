import { giveBackMemory, type SessionIndex } from '@gemini-dash/session-index'
import type { ReaderClient } from './reader/reader-client.ts'

/** A thread without questions for this long is idle. */
const IDLE_MS = 20_000
const LOOK_INTERVAL_MS = 5_000

/**
 * Ends the threads of the index and of the reader while no page is open and there are no questions: they hold a third of the program's
 * memory, including the sessions read last. The next question, change or page starts them again.
 */
export class ThreadRest {
  /** null until it is opened. */
  readonly #openedIndex: () => Promise<SessionIndex> | null
  readonly #reader: ReaderClient
  #timer: NodeJS.Timeout | null = null
  #openPages = 0

  constructor(openedIndex: () => Promise<SessionIndex> | null, reader: ReaderClient) {
    this.#openedIndex = openedIndex
    this.#reader = reader
  }

  begin(): void {
    this.#timer ??= setInterval(() => void this.look(IDLE_MS), LOOK_INTERVAL_MS).unref()
  }

  /** Ends the threads that were idle for this long, unless a page is open. true: one was ended. */
  async look(idleMs: number): Promise<boolean> {
    if (this.#openPages > 0) return false
    const index = await this.#opened()
    // A thread that dies right now is restarted by its owner.
    const rested = await Promise.all([index?.rest(idleMs).catch(() => false), this.#reader.rest(idleMs)])
    const isResting = rested.includes(true)
    if (isResting) giveBackMemory()
    return isResting
  }

  /** true: threads of the index were started for the first page. */
  async setOpenPages(count: number): Promise<boolean> {
    const isFirst = this.#openPages === 0 && count > 0
    this.#openPages = count
    if (count > 0) this.#reader.wakeSoon()
    return isFirst && ((await this.#opened())?.wake() ?? false)
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
  }

  /** Also null if it could not be opened: the next question reports that. */
  async #opened(): Promise<SessionIndex | null> {
    return (await this.#openedIndex()?.catch(() => null)) ?? null
  }
}
