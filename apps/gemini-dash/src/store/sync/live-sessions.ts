import type { IndexGroup } from '@gemini-dash/session-index'
import { outcomeOf, runningVerdict, type SessionSummary } from 'gemini-sessions'
import type { LinkedSession } from './rows.ts'

/** How long a session is live after its last message or growth. */
const LIVE_MS = 120_000

/** Tracks which sessions are being written. A changed mtime alone proves nothing: a summary or a copy changes it, too. */
export class LiveSessions {
  readonly #grownAtMs = new Map<string, number>()
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #onQuiet: (sessionKey: string) => void
  readonly #clock: () => number

  /** `onQuiet` is called when a session stops being live. */
  constructor(onQuiet: (sessionKey: string) => void, clock: () => number) {
    this.#onQuiet = onQuiet
    this.#clock = clock
  }

  /** Compares two states of a group and records growth of any of its files. */
  noteGrowth(before: IndexGroup, now: IndexGroup): void {
    const sizes = new Map(before.files.map(({ absolutePath, sizeBytes }) => [absolutePath, sizeBytes]))
    const hasGrown = now.files.some(
      ({ absolutePath, sizeBytes }) => sizeBytes > (sizes.get(absolutePath) ?? Infinity),
    )
    if (hasGrown) this.#grownAtMs.set(now.id, this.#clock())
  }

  isLive({ summary, groupId }: LinkedSession): boolean {
    // a saved chat has no time, and prompts without a session are written by one that has its own row
    if (summary.kind !== 'main' && summary.kind !== 'subagent') return false
    const nowMs = this.#clock()
    const grownAtMs = this.#grownAtMs.get(groupId) ?? Number.NEGATIVE_INFINITY
    const saidAtMs = Date.parse(summary.endTime ?? '')
    // A fast clock dates messages into the future: those prove nothing either.
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

/** The row of a session that is being written: its last prompt may still be answered, and its outcome is open. */
export function liveSummary(summary: SessionSummary): SessionSummary {
  const { failures, withSubagents } = summary
  const open = failures?.unanswered ?? 0
  const verdict = summary.verdict && runningVerdict(summary.verdict)
  return {
    ...summary,
    live: true,
    verdict,
    outcome: verdict && outcomeOf(verdict, { isRunning: true }),
    failures: withoutOpen(failures, open),
    withSubagents: { ...withSubagents, failures: withoutOpen(withSubagents.failures, open) },
  }
}

function withoutOpen(failures: SessionSummary['failures'], open: number): SessionSummary['failures'] {
  return failures === null ? null : { ...failures, unanswered: failures.unanswered - open }
}
