import type { SearchField, SearchHit } from '@gemini-dash/api'

export interface IndexSearchRequest {
  text: string
  mode: 'words' | 'substring' | 'regex'
  sort: 'recent' | 'relevance'
  /** Where to look; null is everywhere. Words must be found within these fields together. */
  fields: SearchField[] | null
  /** Only in these sessions; null is all. */
  sessionKeys: string[] | null
  /** Only what was said at or after this time (ISO 8601). */
  from: string | null
  /** Only what was said before this time. */
  to: string | null
  limit: number
  offset: number
}

export interface IndexSearchResult {
  /** Hits: one per message and field. */
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
  notes: string[]
}
