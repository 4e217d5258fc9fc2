import { findStrays, type GeminiHome, type SkippedEntry } from 'gemini-sessions/node'

/** No event names them; a report shows new ones after so long. */
const KEPT_MS = 10_000

/** What looks like a conversation where nothing reads it; a search is good for some seconds, whoever asks. */
export class StrayBook {
  #kept: { untilMs: number; found: Promise<SkippedEntry[]> } | null = null

  all(homes: readonly GeminiHome[]): Promise<SkippedEntry[]> {
    // A clock that is set back would keep it for longer.
    const nowMs = performance.now()
    if (this.#kept === null || nowMs > this.#kept.untilMs)
      this.#kept = { untilMs: nowMs + KEPT_MS, found: findStrays(homes) }
    return this.#kept.found
  }
}
