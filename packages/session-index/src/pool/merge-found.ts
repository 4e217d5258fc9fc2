import type { SearchField } from '@gemini-dash/api'
import { compareHits } from '../find/compare-hits.ts'
import type { HitReference, ShardFound } from '../find/count-hits.ts'
import type { IndexSearchRequest, IndexSearchResult } from '../index-search.ts'
import { SEARCH_FIELDS } from '../shard/schema.ts'

export interface MergedFound {
  counts: Omit<IndexSearchResult, 'hits' | 'notes'>
  /** The hits of the wanted page, each with the shard that knows its text. */
  page: { shard: number; reference: HitReference }[]
}

/** One result of what the shards found. No message lies in two shards, so totals simply add up. */
export function mergeFound(
  found: ShardFound[],
  { offset, limit }: Pick<IndexSearchRequest, 'offset' | 'limit'>,
): MergedFound {
  const best = found.flatMap((one, shard) => one.best.map((reference) => ({ shard, reference })))
  const sessionHits = sumByKey(found.flatMap((one) => one.sessionHits))
  return {
    counts: {
      total: sum(found.map((one) => one.total)),
      messageTotal: sum(found.map((one) => one.messageTotal)),
      sessionTotal: sessionHits.length,
      sessionHits,
      fieldCounts: sumFields(found.flatMap((one) => one.fieldCounts)),
      dayCounts: sumQuarterHours(found.flatMap((one) => one.quarterHourCounts)),
      stateCounts: {
        error: sum(found.map((one) => one.stateCounts.error)),
        superseded: sum(found.map((one) => one.stateCounts.superseded)),
      },
      toolCounts: sumByKey(found.flatMap((one) => one.callCounts?.tools ?? [])),
      statusCounts: sumByKey(found.flatMap((one) => one.callCounts?.statuses ?? [])),
    },
    page: best.sort((a, b) => compareHits(a.reference, b.reference)).slice(offset, offset + limit),
  }
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function sumByKey(counts: [string, number][]): [string, number][] {
  const totals = new Map<string, number>()
  for (const [key, hits] of counts) totals.set(key, (totals.get(key) ?? 0) + hits)
  return [...totals]
}

function sumFields(counts: [SearchField, number][]): Record<SearchField, number> {
  const totals = Object.fromEntries(SEARCH_FIELDS.map((field) => [field, 0])) as Record<SearchField, number>
  for (const [field, hits] of counts) totals[field] += hits
  return totals
}

function sumQuarterHours(counts: [number, number][]): [string, number][] {
  const totals = new Map<number, number>()
  for (const [timeMs, hits] of counts) totals.set(timeMs, (totals.get(timeMs) ?? 0) + hits)
  return [...totals].sort(([a], [b]) => b - a).map(([timeMs, hits]) => [new Date(timeMs).toISOString(), hits])
}
