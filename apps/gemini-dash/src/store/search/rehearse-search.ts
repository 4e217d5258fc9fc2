import { setTimeout } from 'node:timers/promises'
import type { SearchQuery } from '@gemini-dash/api'

interface Rehearsal {
  search: (query: SearchQuery) => Promise<unknown>
  /** Nobody has searched yet. */
  isNeeded: () => boolean
  /** Nobody waits for anything else. */
  isQuiet: () => boolean
}

/** Late enough to take nothing from a start. */
const LOOK_AFTER_MS = 1_000
/** In most homes they have many hits; which ones does not matter. */
const QUERY: SearchQuery = { q: 'the OR error OR file', mode: 'words', sort: 'recent', limit: 20 }

/**
 * Searches while nobody waits: code that has run and tables that were read answer the first person in half the time.
 * What goes wrong is told to whoever asks next.
 */
export async function rehearseSearch({ search, isNeeded, isQuiet }: Rehearsal): Promise<void> {
  do await setTimeout(LOOK_AFTER_MS, null, { ref: false })
  while (isNeeded() && !isQuiet())
  try {
    for (const sort of ['recent', 'relevance'] as const) if (isNeeded()) await search({ ...QUERY, sort })
  } catch {
    // The program ends, or the index cannot be read.
  }
}
