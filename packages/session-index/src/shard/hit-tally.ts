import type { SearchField } from '@gemini-dash/api'
import type { IndexSearchRequest } from '../index-search.ts'
import { SEARCH_FIELDS } from './schema.ts'

/** A message or title that the query is found in. */
export interface FoundText {
  sessionKey: string
  groupId: string
  /** null for a title; not yet looked up where only the slot is known. */
  messageKey: string | null
  isTitle: boolean
  timeMs: number
  place: number
  /** bm25: smaller is better; 0 unless ranked. */
  score: number
  fields: SearchField[]
  /** Row of the full-text table, where the hit comes from there. */
  rowId: number | null
}

/** One hit, small enough to be compared with those of other shards. */
export interface HitReference extends Omit<FoundText, 'fields'> {
  field: SearchField
}

const QUARTER_HOUR_MS = 15 * 60_000

/** Adds up what is found; keeps totals of everything and lists the best. */
export class HitTally {
  total = 0
  messageTotal = 0
  readonly #request: IndexSearchRequest
  readonly #found: FoundText[] = []
  readonly #sessionHits = new Map<string, number>()
  readonly #fieldCounts = new Map<SearchField, number>()
  readonly #quarterHourCounts = new Map<number, number>()

  constructor(request: IndexSearchRequest) {
    this.#request = request
  }

  add(found: FoundText): void {
    const hits = found.fields.length
    if (hits === 0) return
    this.#found.push(found)
    this.total += hits
    if (!found.isTitle) this.messageTotal += 1
    count(this.#sessionHits, found.sessionKey, hits)
    count(this.#quarterHourCounts, Math.floor(found.timeMs / QUARTER_HOUR_MS) * QUARTER_HOUR_MS, hits)
    for (const field of found.fields) count(this.#fieldCounts, field, 1)
  }

  result({ isRanked } = { isRanked: false }): ShardFound {
    const wanted = this.#request.offset + this.#request.limit
    // Every found text has a hit, so no more texts than hits are needed.
    const best = this.#found.sort(compareHits).slice(0, wanted)
    return {
      total: this.total,
      messageTotal: this.messageTotal,
      sessionHits: [...this.#sessionHits],
      fieldCounts: [...this.#fieldCounts],
      quarterHourCounts: [...this.#quarterHourCounts],
      isRanked,
      best: best.flatMap(toReferences).slice(0, wanted),
    }
  }
}

/** What one shard answers to a search: all counts, and the best hits without their texts. */
export interface ShardFound {
  total: number
  messageTotal: number
  sessionHits: [sessionKey: string, hits: number][]
  fieldCounts: [field: SearchField, hits: number][]
  quarterHourCounts: [timeMs: number, hits: number][]
  /** The best hits are those with the best scores, not the newest. */
  isRanked: boolean
  best: HitReference[]
}

type Comparable = Pick<FoundText, 'score' | 'timeMs' | 'sessionKey' | 'place'>

/** Best score, then newest, then an order that is always the same. */
export function compareHits(a: Comparable, b: Comparable): number {
  return (
    a.score - b.score ||
    b.timeMs - a.timeMs ||
    (a.sessionKey < b.sessionKey ? -1 : a.sessionKey > b.sessionKey ? 1 : 0) ||
    b.place - a.place
  )
}

function toReferences({ fields, ...found }: FoundText): HitReference[] {
  return SEARCH_FIELDS.filter((field) => fields.includes(field)).map((field) => ({ ...found, field }))
}

function count<Key>(counts: Map<Key, number>, key: Key, hits: number): void {
  counts.set(key, (counts.get(key) ?? 0) + hits)
}
