import type { SearchField } from '@gemini-dash/api'
import type { IndexScan, ScanPosition } from '../../contract/index-search.ts'
import type { RankedRow } from './compare-hits.ts'

/** One hit, small enough to be compared with those of other shards. */
export interface HitReference extends RankedRow {
  row: number
  isTitle: boolean
  field: SearchField
}

/** Hits by something that they have, in two lists: those of many sessions pass between threads quickly so. */
export interface HitsBy<Key> {
  keys: Key[]
  hits: number[]
}

/** How much one shard has that fulfils a query. */
export interface ShardCounts {
  total: number
  messageTotal: number
  bySession: HitsBy<string>
  byField: HitsBy<SearchField>
  /** Keys are the milliseconds since 1970 at which a quarter of an hour begins. */
  byQuarterHour: HitsBy<number>
  /** Hits in messages where a call or a request failed, and in those that were taken back. */
  stateCounts: { error: number; superseded: number }
  /** Hits in prompts without an answer. */
  unansweredBySession: HitsBy<string>
  /** null: not asked for. */
  callCounts: CallCounts | null
}

export interface CallCounts {
  /** Hits of the messages that called the tool. */
  byTool: HitsBy<string>
  /** Hits of the messages with a call that ended so. */
  byStatus: HitsBy<string>
}

/** How far a search over the files themselves has come. */
export interface ScanProgress extends Omit<IndexScan, 'stoppedAt'> {
  stoppedAt: ScanPosition
}

/** What one shard answers to a search: all counts, and the best hits without their texts. */
export interface ShardFound extends ShardCounts {
  best: HitReference[]
  /** For each of `alsoCount`. */
  alsoCounted: ShardCounts[]
  /** null: no file had to be looked at. */
  scan: ScanProgress | null
}
