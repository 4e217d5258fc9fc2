import type { IndexedGroup, IndexGroup } from './index-group.ts'
import type { IndexSearchRequest, IndexSearchResult } from './index-search.ts'
import { queryMatcher } from './match/query-matcher.ts'
import { mergeFound } from './pool/merge-found.ts'
import type { ShardClient } from './pool/shard-client.ts'
import { shardOfGroup } from './pool/shard-of-group.ts'
import type { SessionIndex } from './session-index.ts'
import { MAX_RANKED_MESSAGES } from './shard/find-words.ts'
import type { ShardFound } from './shard/hit-tally.ts'

export interface ShardedIndexOptions {
  shards: ShardClient[]
  /** null: nothing is on disk. */
  directory: string | null
  isPrivate: boolean
  notes: ReadonlySet<string>
  /** Gives the folder free. */
  release: () => void
}

const TOO_MANY_TO_RANK = `More than ${MAX_RANKED_MESSAGES.toLocaleString('en')} messages match, so the newest are shown first instead of the most relevant.`
const NOT_RANKED = 'Substring and regular expression searches are not ranked; the newest are shown first.'

/** Spreads the work over the shards and puts their answers together. */
export class ShardedIndex implements SessionIndex {
  readonly isPrivate: boolean
  readonly isKept: boolean
  readonly #options: ShardedIndexOptions

  constructor(options: ShardedIndexOptions) {
    this.#options = options
    this.isPrivate = options.isPrivate
    this.isKept = options.directory !== null
  }

  notes(): string[] {
    return [...this.#options.notes]
  }

  async fingerprints(): Promise<Map<string, string>> {
    const stored = await this.#all((shard) => shard.call('fingerprints', null))
    return new Map(stored.flat())
  }

  async load(groupIds: string[] | null): Promise<IndexedGroup[]> {
    const stored = await this.#all((shard) => shard.call('load', groupIds))
    return stored.flat().map(({ id, fingerprint, recordsJson }) => ({
      id,
      fingerprint,
      sessions: JSON.parse(`[${recordsJson.join(',')}]`),
      failure: null,
    }))
  }

  async update(groups: IndexGroup[], onIndexed: (group: IndexedGroup) => void): Promise<void> {
    await this.#all((shard) => {
      const its = groups.filter((group) => this.#shardOf(group.id) === shard)
      return its.length === 0 ? null : shard.update(its, onIndexed)
    })
  }

  async remove(groupIds: string[]): Promise<void> {
    await this.#all((shard) => {
      const its = groupIds.filter((id) => this.#shardOf(id) === shard)
      return its.length === 0 ? null : shard.call('remove', its)
    })
  }

  async search(request: IndexSearchRequest): Promise<IndexSearchResult> {
    const { notes } = await queryMatcher(request)
    const found = await this.#find(request)
    const { counts, page } = mergeFound(found.shards, request)
    const hits = await this.#describe(request, page)
    return { ...counts, hits, notes: [...notes, ...found.notes] }
  }

  async close(): Promise<void> {
    await this.#all((shard) => shard.close())
    this.#options.release()
  }

  async #find(request: IndexSearchRequest): Promise<{ shards: ShardFound[]; notes: string[] }> {
    const shards = await this.#all((shard) => shard.call('find', request))
    if (request.sort === 'recent') return { shards, notes: [] }
    if (request.mode !== 'words') return { shards, notes: [NOT_RANKED] }
    const messages = shards.reduce((sum, { messageTotal }) => sum + messageTotal, 0)
    if (messages <= MAX_RANKED_MESSAGES && shards.every(({ isRanked }) => isRanked))
      return { shards, notes: [] }
    const recent = await this.#all((shard) => shard.call('find', { ...request, sort: 'recent' }))
    return { shards: recent, notes: [TOO_MANY_TO_RANK] }
  }

  async #describe(
    request: IndexSearchRequest,
    page: ReturnType<typeof mergeFound>['page'],
  ): Promise<IndexSearchResult['hits']> {
    const described = await Promise.all(
      this.#options.shards.map(async (shard, index) => {
        const references = page.filter((hit) => hit.shard === index).map(({ reference }) => reference)
        return references.length === 0 ? [] : shard.call('describe', { request, references })
      }),
    )
    const queues = described.map((hits) => hits.values())
    return page.flatMap(({ shard }) => queues[shard]?.next().value ?? [])
  }

  #shardOf(groupId: string): ShardClient {
    const { shards } = this.#options
    const shard = shards[shardOfGroup(groupId, shards.length)]
    if (shard === undefined) throw new Error('The index has no shards.')
    return shard
  }

  #all<Answer>(ask: (shard: ShardClient) => Promise<Answer> | Answer): Promise<Answer[]> {
    return Promise.all(this.#options.shards.map(ask))
  }
}
