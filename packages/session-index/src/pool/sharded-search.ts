import type { SearchHit } from '@gemini-dash/api'
import type { IndexSearchOptions, IndexSearchRequest, IndexSearchResult } from '../contract/index-search.ts'
import type { ShardFound } from '../find/hits/shard-found.ts'
import { type MergedFound, mergeFound } from './merge-found.ts'
import type { ShardClient } from './shard-client.ts'

/** As many as are seen at once: the texts of all would be read again for every partial answer. */
const PARTIAL_HITS = 20

/** One search over all shards, and what it tells on its way. */
export class ShardedSearch {
  readonly #shards: ShardClient[]
  readonly #request: IndexSearchRequest
  readonly #notes: string[]
  /** What each shard has found so far. */
  readonly #found = new Map<ShardClient, ShardFound>()
  /** Hits that were told before, as reading their texts is most of the work. */
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
      this.#shards.map(async (shard) => {
        const note = (found: ShardFound) => {
          this.#found.set(shard, found)
          const haveAllTold = this.#found.size === this.#shards.length
          if (onPartial !== undefined && haveAllTold && signal?.aborted !== true) void this.#tell(onPartial)
        }
        this.#found.set(shard, await shard.find(this.#request, note, signal))
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

  /** One at a time, as each takes reading; none after the end. */
  async #tell(onPartial: (partial: IndexSearchResult) => void): Promise<void> {
    if (this.#isTelling) return
    this.#isTelling = true
    try {
      const partial = await this.#result(PARTIAL_HITS)
      if (!this.#isDone) onPartial(partial)
    } catch {
      // A shard that fails makes the search itself fail.
    } finally {
      this.#isTelling = false
    }
  }

  async #result(mostHits = this.#request.limit): Promise<IndexSearchResult> {
    const found = this.#shards.flatMap((shard) => this.#found.get(shard) ?? [])
    const { page, ...counts } = mergeFound(found, this.#request)
    return { ...counts, hits: await this.#describe(page.slice(0, mostHits)), notes: this.#notes }
  }

  async #describe(page: MergedFound['page']): Promise<SearchHit[]> {
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

type PageHit = MergedFound['page'][number]

function hitName({ shard, reference: { sessionKey, row, field } }: PageHit): string {
  return `${shard} ${row} ${field} ${sessionKey}`
}
