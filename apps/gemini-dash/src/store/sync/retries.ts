import type { Unread } from '@gemini-dash/api'
import type { UnreadFile } from 'gemini-sessions'

/** Delays in milliseconds between attempts to read something again; the last one repeats. */
const UNREAD_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 25_000]
/** Up to this share earlier, so that what failed together is not always retried together. */
const JITTER = 0.2
/**
 * The same for a group that killed threads, which may have had a passing cause such as low memory. Limited, because each attempt may cost
 * two threads.
 */
const FAILED_DELAYS_MS = [10_000, 60_000, 600_000]

interface Entry {
  files: readonly UnreadFile[]
  hasFailed: boolean
  tries: number
  /** By a monotonic clock. */
  dueMs: number
}

/** Groups of files that cannot be read at the moment: each is retried at growing intervals until it is removed from here. */
export class Retries {
  readonly #entries = new Map<string, Entry>()
  readonly #retry: (ids: string[]) => void
  readonly #onChange: () => void
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(retry: (ids: string[]) => void, onChange: () => void) {
    this.#retry = retry
    this.#onChange = onChange
  }

  /** These files cannot be read. Absolute paths. */
  set(id: string, files: readonly UnreadFile[]): void {
    if (files.length === 0) this.delete(id)
    else this.#put(id, files, false)
  }

  /** Found outside of a reading, for example by a search: an existing entry stays, and the next attempt tells more. */
  note(id: string, files: readonly UnreadFile[]): void {
    if (!this.#entries.has(id)) this.set(id, files)
  }

  /** It killed threads. */
  fail(id: string): void {
    this.#put(id, [], true)
  }

  delete(id: string): void {
    if (this.#entries.delete(id)) this.#onChange()
  }

  has(id: string): boolean {
    return this.#entries.has(id)
  }

  /** Each file once, with the system's error code. */
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

  /** Finding it unreadable again, for example in a full scan, does not postpone the next attempt. */
  #put(id: string, files: readonly UnreadFile[], hasFailed: boolean): void {
    const known = this.#entries.get(id)
    const isKnown = known?.hasFailed === hasFailed
    const entry = isKnown
      ? { ...known, files }
      : { files, hasFailed, tries: 0, dueMs: dueAfter(0, hasFailed) }
    this.#entries.set(id, entry)
    this.#schedule()
    this.#onChange()
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
    // Each attempt is expected to report its outcome; without one it is tried again all the same.
    for (const [, entry] of due) {
      entry.tries += 1
      entry.dueMs = dueAfter(entry.tries, entry.hasFailed)
    }
    this.#schedule()
    if (due.length > 0) this.#retry(due.map(([id]) => id))
  }
}

function dueAfter(tries: number, hasFailed: boolean): number {
  if (hasFailed) return performance.now() + (FAILED_DELAYS_MS[tries] ?? Number.POSITIVE_INFINITY)
  const delayMs = UNREAD_DELAYS_MS[Math.min(tries, UNREAD_DELAYS_MS.length - 1)] ?? 0
  return performance.now() + delayMs * (1 - JITTER * Math.random())
}

/** undefined if everything could be read. */
export function countUnread(files: ReadonlyMap<string, string>): Unread | undefined {
  if (files.size === 0) return undefined
  const reasons: Record<string, number> = {}
  for (const code of files.values()) reasons[code] = (reasons[code] ?? 0) + 1
  return { files: files.size, reasons }
}
