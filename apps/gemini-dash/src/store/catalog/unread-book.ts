import type { Unread } from '@gemini-dash/api'
import type { UnreadFile } from 'gemini-sessions'

/** After so many milliseconds a fault is tried again. */
const DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 16_000]
const LAST_DELAY_MS = 25_000
/** Up to this share earlier, so that what failed together is not tried together for ever. */
const JITTER = 0.2

interface Entry {
  files: readonly UnreadFile[]
  tries: number
  /** By a clock that nobody sets. */
  dueMs: number
}

/**
 * What the system does not let us read just now, by groups of files: each is tried again, at growing intervals, as long as
 * it is in here.
 */
export class UnreadBook {
  readonly #entries = new Map<string, Entry>()
  readonly #retry: (ids: string[]) => void
  readonly #onChange: () => void
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(retry: (ids: string[]) => void, onChange: () => void) {
    this.#retry = retry
    this.#onChange = onChange
  }

  /** Paths are absolute. */
  set(id: string, files: readonly UnreadFile[]): void {
    if (files.length === 0) {
      this.delete(id)
      return
    }
    // What is found unread again beside its turn, as by a look at everything, waits no longer for that.
    const known = this.#entries.get(id)
    this.#entries.set(id, known === undefined ? { files, tries: 0, dueMs: dueAfter(0) } : { ...known, files })
    this.#schedule()
    this.#onChange()
  }

  /** Met beside a reading, as by a search: the next try tells more. What is known already stands. */
  note(id: string, files: readonly UnreadFile[]): void {
    if (!this.#entries.has(id)) this.set(id, files)
  }

  delete(id: string): void {
    if (this.#entries.delete(id)) this.#onChange()
  }

  has(id: string): boolean {
    return this.#entries.has(id)
  }

  /** Each file once, with the code of the system. */
  files(): ReadonlyMap<string, string> {
    return new Map(
      [...this.#entries.values()].flatMap(({ files }) =>
        files.map(({ path, code }) => [path, code] as const),
      ),
    )
  }

  close(): void {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  #schedule(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const dueMs = Math.min(...[...this.#entries.values()].map((entry) => entry.dueMs))
    if (this.#isClosed || dueMs === Number.POSITIVE_INFINITY) return
    this.#timer = setTimeout(() => this.#retryDue(), Math.max(0, dueMs - performance.now())).unref()
  }

  #retryDue(): void {
    const nowMs = performance.now()
    const due = [...this.#entries].filter(([, { dueMs }]) => dueMs <= nowMs)
    // Whoever tries says how it ended; what nobody says anything of is tried again all the same.
    for (const [, entry] of due) {
      entry.tries += 1
      entry.dueMs = dueAfter(entry.tries)
    }
    this.#schedule()
    if (due.length > 0) this.#retry(due.map(([id]) => id))
  }
}

function dueAfter(tries: number): number {
  return performance.now() + (DELAYS_MS[tries] ?? LAST_DELAY_MS) * (1 - JITTER * Math.random())
}

/** undefined where everything could be read. */
export function countUnread(files: ReadonlyMap<string, string>): Unread | undefined {
  if (files.size === 0) return undefined
  const reasons: Record<string, number> = {}
  for (const code of files.values()) reasons[code] = (reasons[code] ?? 0) + 1
  return { files: files.size, reasons }
}
