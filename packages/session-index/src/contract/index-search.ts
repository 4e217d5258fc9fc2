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
  /** A search over the files stops when each thread has worked for so long, with what it has found; absent: at its end. */
  limitMs?: number
  /** Where a search over the files begins and ends: positions that an earlier one has stopped at, of each shard. */
  scanFrom?: ScanPosition[]
  scanTo?: ScanPosition[]
}

/**
 * The first message that a search over the files of one shard has not looked at. Groups come in the order of their newest
 * message that may be a hit, so that sessions which are written meanwhile do not move it.
 */
export interface ScanPosition {
  /** Of that message, in milliseconds since 1970; -1: it came to its end. */
  timeMs: number
  /** `hashGroup` of the group's id. */
  group: number
  /** So many messages of the group were looked at. */
  messages: number
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

export interface IndexScan {
  /** Of the files that may have hits, those that were looked at, now and before `scanFrom`. */
  filesDone: number
  filesTotal: number
  /** Messages on which the pattern takes too long. */
  messagesLeftOut: number
  /** Where it stopped when its time was over, of each shard; null: it came to its end, or to `scanTo`. */
  stoppedAt: ScanPosition[] | null
}

export interface IndexSearchResult extends IndexCounts {
  /** The wanted page. */
  hits: SearchHit[]
  /** For each of `alsoCount`. */
  alsoCounted: IndexCounts[]
  /** How far a search over the files has come; null where the index knows without. */
  scan: IndexScan | null
  notes: string[]
}
