import type { IndexGroup } from '@gemini-dash/session-index'
import type { CatalogSession } from './catalog.ts'

/** A session is live for this long after its last message or growth. */
const LIVE_MS = 120_000

/** Knows which sessions are being written. A changed mtime alone proves nothing: a summary or a copy changes it too. */
export class LiveSessions {
  readonly #grownAtMs = new Map<string, number>()
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #onQuiet: (sessionKey: string) => void
  readonly #clock: () => number

  /** `onQuiet` is called when a session that was live no longer is. */
  constructor(onQuiet: (sessionKey: string) => void, clock: () => number) {
    this.#onQuiet = onQuiet
    this.#clock = clock
  }

  /** Two looks at one group: did any of its files grow in between? */
  noteGrowth(before: IndexGroup, now: IndexGroup): void {
    const sizes = new Map(before.files.map(({ absolutePath, sizeBytes }) => [absolutePath, sizeBytes]))
    const hasGrown = now.files.some(
      ({ absolutePath, sizeBytes }) => sizeBytes > (sizes.get(absolutePath) ?? Infinity),
    )
    if (hasGrown) this.#grownAtMs.set(now.id, this.#clock())
  }

  isLive({ summary, groupId }: CatalogSession): boolean {
    // a saved chat has no time, and prompts alone are written by a session that has a row of its own
    if (summary.kind !== 'main' && summary.kind !== 'subagent') return false
    const nowMs = this.#clock()
    const grownAtMs = this.#grownAtMs.get(groupId) ?? Number.NEGATIVE_INFINITY
    const saidAtMs = Date.parse(summary.endTime ?? '')
    // A clock that runs ahead dates messages into the future: those are no proof either.
    const isRecent = (timeMs: number) => timeMs <= nowMs && nowMs - timeMs < LIVE_MS
    const isLive = isRecent(grownAtMs) || isRecent(saidAtMs)
    if (isLive) this.#watchEnd(summary.key, Math.max(grownAtMs, saidAtMs || grownAtMs) + LIVE_MS - nowMs)
    return isLive
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }

  #watchEnd(sessionKey: string, delayMs: number): void {
    clearTimeout(this.#timers.get(sessionKey))
    const timer = setTimeout(() => {
      this.#timers.delete(sessionKey)
      this.#onQuiet(sessionKey)
    }, delayMs + 50)
    timer.unref()
    this.#timers.set(sessionKey, timer)
  }
}
