import type { SearchField } from '@gemini-dash/api'
import type { IndexCounts, IndexSearchRequest, IndexSearchResult } from '../contract/index-search.ts'
import { compareHits } from '../find/hits/compare-hits.ts'
import type { HitReference, HitsBy, ScanProgress, ShardCounts, ShardFound } from '../find/hits/shard-found.ts'
import { SEARCH_FIELDS } from '../shard/database/schema.ts'

export interface MergedFound extends Omit<IndexSearchResult, 'hits' | 'notes'> {
  /** The hits of the wanted page, each with the shard that knows its text. */
  page: { shard: number; reference: HitReference }[]
}

/** One result of what the shards found. No message lies in two shards, so totals simply add up. */
export function mergeFound(
  found: ShardFound[],
  { offset, limit, alsoCount = [] }: Pick<IndexSearchRequest, 'offset' | 'limit' | 'alsoCount'>,
): MergedFound {
  const best = found.flatMap((one, shard) => one.best.map((reference) => ({ shard, reference })))
  return {
    ...mergeCounts(found),
    alsoCounted: alsoCount.map((_, place) =>
      mergeCounts(found.flatMap((one) => one.alsoCounted[place] ?? [])),
    ),
    scan: mergeProgress(found.flatMap(({ scan }) => scan ?? [])),
    page: best.sort((a, b) => compareHits(a.reference, b.reference)).slice(offset, offset + limit),
  }
}

function mergeCounts(counts: ShardCounts[]): IndexCounts {
  const sessionHits = sumByKey(counts.map(({ bySession }) => bySession))
  return {
    total: sum(counts.map(({ total }) => total)),
    messageTotal: sum(counts.map(({ messageTotal }) => messageTotal)),
    sessionTotal: sessionHits.size,
    sessionHits: [...sessionHits],
    fieldCounts: { ...NO_FIELDS, ...Object.fromEntries(sumByKey(counts.map(({ byField }) => byField))) },
    quarterHourCounts: [...sumByKey(counts.map(({ byQuarterHour }) => byQuarterHour))].sort(
      ([a], [b]) => b - a,
    ),
    stateCounts: {
      error: sum(counts.map(({ stateCounts }) => stateCounts.error)),
      superseded: sum(counts.map(({ stateCounts }) => stateCounts.superseded)),
    },
    unansweredHits: [...sumByKey(counts.map(({ unansweredBySession }) => unansweredBySession))],
    toolCounts: [...sumByKey(counts.flatMap(({ callCounts }) => callCounts?.byTool ?? []))],
    statusCounts: [...sumByKey(counts.flatMap(({ callCounts }) => callCounts?.byStatus ?? []))],
  }
}

function mergeProgress(scans: ScanProgress[]): ScanProgress | null {
  if (scans.length === 0) return null
  return {
    filesDone: sum(scans.map(({ filesDone }) => filesDone)),
    filesTotal: sum(scans.map(({ filesTotal }) => filesTotal)),
  }
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function sumByKey<Key>(counts: HitsBy<Key>[]): Map<Key, number> {
  const totals = new Map<Key, number>()
  for (const { keys, hits } of counts) {
    for (const [place, key] of keys.entries()) totals.set(key, (totals.get(key) ?? 0) + (hits[place] ?? 0))
  }
  return totals
}

const NO_FIELDS = Object.fromEntries(SEARCH_FIELDS.map((field) => [field, 0])) as Record<SearchField, number>
