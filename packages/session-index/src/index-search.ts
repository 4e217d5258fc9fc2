import type { SearchField, SearchHit } from '@gemini-dash/api'
import type { IndexTree } from './query/query-tree.ts'

export interface IndexSearchRequest {
  mode: 'words' | 'substring' | 'regex'
  /** What is asked of each message: words and filters; in the other modes the filters only. null asks nothing. */
  tree: IndexTree | null
  /** What a substring or regex search looks for in every message that fulfils the tree. */
  pattern: string
  sort: 'recent' | 'relevance'
  limit: number
  offset: number
  /** Hits are to be counted by tool and by how calls ended, too. */
  countsCalls?: boolean
}

export interface IndexSearchOptions {
  /** Stops the search; it then fails with the signal's reason. */
  signal?: AbortSignal
  /** What a substring or regex search has found so far, newest sessions first, until it is done. */
  onPartial?: (partial: IndexSearchResult) => void
}

export interface IndexSearchResult {
  /** Hits: one per message and field; one for a message that fulfils filters only. */
  total: number
  /** Messages with a hit; a title is not a message. */
  messageTotal: number
  sessionTotal: number
  /** The wanted page. */
  hits: SearchHit[]
  /** Hits of each session over the whole result. */
  sessionHits: [sessionKey: string, hits: number][]
  fieldCounts: Record<SearchField, number>
  /** Hits by the UTC quarter hour (ISO 8601) in which they were said: days of any time zone are made of these. */
  dayCounts: [quarterHour: string, hits: number][]
  /** Hits in messages with a failed call, and in those that were taken back. */
  stateCounts: { error: number; superseded: number }
  /** Hits by the tools that their messages called; empty where they were not asked for. */
  toolCounts: [tool: string, hits: number][]
  /** The same by how the calls ended. */
  statusCounts: [status: string, hits: number][]
  notes: string[]
}
