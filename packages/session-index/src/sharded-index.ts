import { hashGroup } from './contract/hash-group.ts'
import type { IndexedGroup, IndexGroup, OnIndexed } from './contract/index-group.ts'
import type { IndexSearchOptions, IndexSearchRequest, IndexSearchResult } from './contract/index-search.ts'
import { type CloseWord, compareCloseWords } from './find/close-words/closest-words.ts'
import { mostTouched, type TouchedPath } from './find/touched-paths.ts'
import { queryMatcher } from './match/query-matcher.ts'
import type { ShardClient } from './pool/shard-client.ts'
import { ShardedSearch } from './pool/sharded-search.ts'
import type { SessionIndex } from './session-index.ts'

const MAX_WORDS = 5

export interface ShardedIndexOptions {
  shards: ShardClient[]
  /** It lies on disk, in a folder that is ours alone: looks now. */
  isKept: () => boolean
  isPrivate: boolean
  problem: () => string | null
  /** Gives the folder free. */
  release: () => void
}

const RANKED =
  'Most relevant first: rare words count for more, as do titles, prompts and answers, and short texts; how often a text repeats a word does not count.'
const NOT_RANKED = 'Substring and regular expression searches are not ranked; the newest are shown first.'

/** Spreads the work over the shards and puts their answers together. */
export class ShardedIndex implements SessionIndex {
  readonly isPrivate: boolean
  readonly #options: ShardedIndexOptions

  constructor(options: ShardedIndexOptions) {
    this.#options = options
    this.isPrivate = options.isPrivate
  }

  isKept(): boolean {
    return this.#options.isKept()
  }

  problem(): string | null {
    return this.#options.problem()
  }

  isUp(): boolean {
    return this.#options.shards.every((shard) => shard.isUp)
  }

  async fingerprints(): Promise<Map<string, string>> {
    return new Map(this.#options.shards.flatMap((shard) => [...shard.held]))
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

  async update(groups: IndexGroup[], onIndexed: OnIndexed): Promise<void> {
    await this.#all((shard) => {
      const its = groups.filter((group) => this.#shardOf(group.id) === shard)
      return its.length === 0 ? null : shard.update(its, onIndexed)
    })
  }

  async remove(groupIds: string[]): Promise<void> {
    await this.#all((shard) => {
      const its = groupIds.filter((id) => this.#shardOf(id) === shard)
      return its.length === 0 ? null : shard.remove(its)
    })
  }

  async forget(groupIds: string[]): Promise<void> {
    const holding = new Set(groupIds.map((id) => this.#shardOf(id)))
    await this.#all((shard) => (holding.has(shard) ? shard.call('beginAnew', null) : null))
  }

  async search(asked: IndexSearchRequest, options: IndexSearchOptions = {}): Promise<IndexSearchResult> {
    const { notes } = await queryMatcher(asked)
    const search = new ShardedSearch(this.#options.shards, asked, [...notes, ...rankingNotes(asked)])
    return search.run(options)
  }

  async closestWords(words: string[]): Promise<Map<string, string[]>> {
    const found = await this.#all((shard) => shard.call('closestWords', words))
    return new Map(
      words.map((word, index) => [word, mergeCloseWords(found.flatMap((ofShard) => ofShard[index] ?? []))]),
    )
  }

  async touchedPaths(typed: string): Promise<TouchedPath[]> {
    return mostTouched((await this.#all((shard) => shard.call('touchedPaths', typed))).flat())
  }

  async rest(idleMs: number): Promise<boolean> {
    return (await this.#all((shard) => shard.rest(idleMs))).includes(true)
  }

  wake(): boolean {
    return this.#options.shards.map((shard) => shard.wake()).includes(true)
  }

  async close(): Promise<void> {
    await this.#all((shard) => shard.close())
    this.#options.release()
  }

  #shardOf(groupId: string): ShardClient {
    const { shards } = this.#options
    const shard = shards[hashGroup(groupId) % shards.length]
    if (shard === undefined) throw new Error('The index has no shards.')
    return shard
  }

  #all<Answer>(ask: (shard: ShardClient) => Promise<Answer> | Answer): Promise<Answer[]> {
    return Promise.all(this.#options.shards.map(ask))
  }
}

function rankingNotes({ sort, mode, tree }: IndexSearchRequest): string[] {
  if (sort === 'recent') return []
  return mode === 'words' && tree !== null ? [RANKED] : [NOT_RANKED]
}

/** The closest words of all shards, each once. */
function mergeCloseWords(found: CloseWord[]): string[] {
  const byWord = new Map<string, CloseWord>()
  for (const close of found) {
    byWord.set(close.word, { ...close, texts: close.texts + (byWord.get(close.word)?.texts ?? 0) })
  }
  return [...byWord.values()]
    .sort(compareCloseWords)
    .slice(0, MAX_WORDS)
    .map(({ word }) => word)
}
