import type { SearchField, SearchHit } from '@gemini-dash/api'
import { SEARCH_FIELDS } from '@gemini-dash/api/search-fields'
import type {
  HitPosition,
  IndexCounts,
  IndexScan,
  IndexSearchOptions,
  IndexSearchRequest,
  IndexSearchResult,
  ScanPosition,
} from '../contract.ts'
import type { HitReference, HitsBy, ScanProgress, ShardCounts, ShardFound } from '../find/hits.ts'
import { compareHits } from '../find/hits.ts'
import type { ShardClient } from './shard-client.ts'

const NO_FIELDS = Object.fromEntries(SEARCH_FIELDS.map((field) => [field, 0])) as Record<SearchField, number>

/** As many as are visible at once: all texts would be read again for every partial answer. */
const PARTIAL_HITS = 20

/** One search over all shards, with its partial results. */
export class ShardedSearch {
  readonly #shards: ShardClient[]
  readonly #request: IndexSearchRequest
  readonly #notes: string[]
  /** What each shard has found so far. */
  readonly #found = new Map<ShardClient, ShardFound>()
  /** Hits described before, since reading their texts is most of the work. */
  readonly #described = new Map<string, SearchHit>()
  #isTelling = false
  #isDone = false

  constructor(shards: ShardClient[], request: IndexSearchRequest, notes: string[]) {
    this.#shards = shards
    this.#request = request
    this.#notes = notes
  }

  async run({ signal, onPartial }: IndexSearchOptions): Promise<IndexSearchResult> {
    signal?.throwIfAborted()
    let onAbort = () => {}
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(signal?.reason)
    })
    signal?.addEventListener('abort', onAbort)
    const finished = Promise.all(
      this.#shards.map(async (shard, index) => {
        const note = (found: ShardFound) => {
          this.#found.set(shard, found)
          const haveAllReported = this.#found.size === this.#shards.length
          if (onPartial !== undefined && haveAllReported && signal?.aborted !== true)
            void this.#tell(onPartial)
        }
        this.#found.set(shard, await shard.find(this.#requestOf(index), note, signal))
      }),
    )
    try {
      await Promise.race([finished, aborted])
      return await Promise.race([this.#result(), aborted])
    } finally {
      this.#isDone = true
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** If it stopped with another number of shards, each continues from the earliest position: nothing is skipped. */
  #requestOf(index: number): IndexSearchRequest {
    const { continueAt, endAt, ...request } = this.#request
    const ofShard = (positions: (ScanPosition | null)[]) => {
      if (positions.length === this.#shards.length) return [positions[index] ?? null]
      const [first = null] = positions
        .filter((position) => position !== null)
        .sort((a, b) => b.timeMs - a.timeMs)
      return [first && { ...first, group: -1, messages: 0 }]
    }
    return {
      ...request,
      ...(continueAt && { continueAt: ofShard(continueAt) }),
      ...(endAt && { endAt: ofShard(endAt) }),
    }
  }

  /** One at a time, since each one reads; none after the end. */
  async #tell(onPartial: (partial: IndexSearchResult) => void): Promise<void> {
    if (this.#isTelling) return
    this.#isTelling = true
    try {
      const partial = await this.#result(PARTIAL_HITS)
      if (!this.#isDone) onPartial(partial)
    } catch {
      // If a shard fails, the search itself fails.
    } finally {
      this.#isTelling = false
    }
  }

  async #result(mostHits = this.#request.limit): Promise<IndexSearchResult> {
    const found = this.#shards.flatMap((shard) => this.#found.get(shard) ?? [])
    const { best, ...counts } = mergeFound(found, this.#request)
    const page = best.slice(0, mostHits)
    const hits = await this.#describe(page)
    const positions = page.map(({ reference }) => positionOf(reference))
    return { ...counts, hits, positions, hasMore: best.length > page.length, notes: this.#notes }
  }

  async #describe(page: PageHit[]): Promise<SearchHit[]> {
    const isUnknown = (hit: PageHit) => !this.#described.has(hitName(hit))
    await Promise.all(
      this.#shards.map(async (shard, index) => {
        const unknown = page.filter((hit) => hit.shard === index && isUnknown(hit))
        if (unknown.length === 0) return
        const references = unknown.map(({ reference }) => reference)
        const hits = await shard.call('describe', { request: this.#request, references })
        for (const [place, hit] of hits.entries()) {
          const described = unknown[place]
          if (described !== undefined) this.#described.set(hitName(described), hit)
        }
      }),
    )
    return page.flatMap((hit) => this.#described.get(hitName(hit)) ?? [])
  }
}

type PageHit = MergedFound['best'][number]

function hitName({ shard, reference: { sessionKey, row, field } }: PageHit): string {
  return `${shard} ${row} ${field} ${sessionKey}`
}

function positionOf({ score, timeMs, sessionKey, place, group, field }: HitPosition): HitPosition {
  return { score, timeMs, sessionKey, place, group, field }
}

interface MergedFound extends Omit<IndexSearchResult, 'hits' | 'positions' | 'hasMore' | 'notes'> {
  /** The hits of the requested page and the next one, in order, each with the shard that can read its text. */
  best: { shard: number; reference: HitReference }[]
}

/** Merges the shards' results. No message is in two shards, so totals are added. */
function mergeFound(
  found: ShardFound[],
  { alsoCount = [] }: Pick<IndexSearchRequest, 'alsoCount'>,
): MergedFound {
  const best = found.flatMap((one, shard) => one.best.map((reference) => ({ shard, reference })))
  return {
    ...mergeCounts(found),
    alsoCounted: alsoCount.map((_, place) =>
      mergeCounts(found.flatMap((one) => one.alsoCounted[place] ?? [])),
    ),
    scan: mergeProgress(found.flatMap(({ scan }) => scan ?? [])),
    best: best.sort((a, b) => compareHits(a.reference, b.reference)),
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

function mergeProgress(scans: ScanProgress[]): IndexScan | null {
  if (scans.length === 0) return null
  const positions = scans.map(({ continueAt }) => continueAt)
  return {
    filesDone: sum(scans.map(({ filesDone }) => filesDone)),
    filesTotal: sum(scans.map(({ filesTotal }) => filesTotal)),
    messagesLeftOut: sum(scans.map(({ messagesLeftOut }) => messagesLeftOut)),
    continueAt: positions.every((position) => position === null) ? null : positions,
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
