import { setTimeout } from 'node:timers/promises'
import type { SearchQuery, SearchResult } from '@gemini-dash/api'
import type { IndexSearchRequest, IndexSearchResult, SessionIndex } from '@gemini-dash/session-index'
import type { Indexing } from '../indexing/indexing.ts'
import { askWhole } from './ask-whole.ts'
import type { SearchScope } from './search-scope.ts'
import { searchSessions } from './search-sessions.ts'

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

export interface SearchesOptions {
  indexing: Indexing
  openIndex: () => Promise<SessionIndex>
  scope: () => SearchScope
  clock: () => number
  /** Until then nothing is found in this mode. */
  whenFindable: (mode: SearchQuery['mode']) => Promise<void>
  /** Nobody waits for anything else. */
  isQuiet: () => boolean
}

type OnPartial = (partial: SearchResult) => void

/** Searches over all sessions. */
export class Searches {
  readonly #options: SearchesOptions
  #hasSearched = false

  constructor(options: SearchesOptions) {
    this.#options = options
  }

  search(query: SearchQuery, signal?: AbortSignal, onPartial?: OnPartial): Promise<SearchResult> {
    this.#hasSearched = true
    return this.#search(query, signal, onPartial)
  }

  /** Has a search done that nobody waits for, unless somebody searches before. */
  rehearse(): Promise<void> {
    this.#hasSearched = false
    return rehearseSearch({
      search: (query) => this.#search(query),
      isNeeded: () => !this.#hasSearched,
      isQuiet: this.#options.isQuiet,
    })
  }

  async #search(query: SearchQuery, signal?: AbortSignal, onPartial?: OnPartial): Promise<SearchResult> {
    const { indexing, openIndex, scope, clock, whenFindable } = this.#options
    await whenFindable(query.mode)
    const index = await openIndex()
    const asking = {
      search: (request: IndexSearchRequest, tell?: (partial: IndexSearchResult) => void) =>
        index.search(request, {
          ...(signal !== undefined && { signal }),
          ...(tell !== undefined && { onPartial: tell }),
        }),
      closestWords: (words: string[]) => index.closestWords(words),
    }
    return askWhole(indexing, () => searchSessions(query, scope(), asking, clock(), onPartial))
  }
}

/**
 * Searches while nobody waits: code that has run and tables that were read answer the first person in half the time.
 * What goes wrong is told to whoever asks next.
 */
async function rehearseSearch({ search, isNeeded, isQuiet }: Rehearsal): Promise<void> {
  do await setTimeout(LOOK_AFTER_MS, null, { ref: false })
  while (isNeeded() && !isQuiet())
  try {
    for (const sort of ['recent', 'relevance'] as const) if (isNeeded()) await search({ ...QUERY, sort })
  } catch {
    // The program ends, or the index cannot be read.
  }
}
