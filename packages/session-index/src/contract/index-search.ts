import type { SearchField, SearchHit } from '@gemini-dash/api'
import type { IndexTree } from '../query/tree/query-tree.ts'

/** What is looked for. Names are replaced by keys, and words such as `yesterday` by instants. */
export interface ResolvedQuery {
  mode: 'words' | 'substring' | 'regex'
  /** What each message has to fulfil: words and filters; in the other modes filters only. null: nothing. */
  tree: IndexTree | null
  /** What a substring or regex search looks for in every message that fulfils the tree. */
  pattern: string
}

export interface IndexSearchRequest extends ResolvedQuery {
  sort: 'recent' | 'relevance'
  limit: number
  offset: number
  /** Hits are to be counted by tool and by how calls ended, too. */
  countsCalls?: boolean
  /** Other trees whose hits are counted too: facets show what there would be without a filter. */
  alsoCount?: (IndexTree | null)[]
}

export interface IndexSearchOptions {
  /** Stops the search; it then fails with the signal's reason. */
  signal?: AbortSignal
  /** What a substring or regex search has found so far, newest sessions first, until it is done. */
  onPartial?: (partial: IndexSearchResult) => void
}

/** How many hits a query has. */
export interface IndexCounts {
  /** Hits: one per message and field; one for a message that fulfils filters only. */
  total: number
  /** Messages with a hit; a title is not a message. */
  messageTotal: number
  sessionTotal: number
  /** Hits of each session over the whole result. */
  sessionHits: [sessionKey: string, hits: number][]
  fieldCounts: Record<SearchField, number>
  /** Hits by the UTC quarter hour (milliseconds since 1970) in which they were said: days of any time zone are made of these. */
  quarterHourCounts: [quarterHourMs: number, hits: number][]
  /** Hits in messages where a call or a request failed, and in those that were taken back. */
  stateCounts: { error: number; superseded: number }
  /** Hits in prompts without an answer. Those of sessions that are still being written have not failed. */
  unansweredHits: [sessionKey: string, hits: number][]
  /** Hits by the tools that their messages called; empty where they were not asked for. */
  toolCounts: [tool: string, hits: number][]
  /** The same by how the calls ended. */
  statusCounts: [status: string, hits: number][]
}

export interface IndexSearchResult extends IndexCounts {
  /** The wanted page. */
  hits: SearchHit[]
  /** For each of `alsoCount`. */
  alsoCounted: IndexCounts[]
  /** How many of the files that may have hits have been looked at; null where the index knows without. */
  scan: { filesDone: number; filesTotal: number } | null
  notes: string[]
}
