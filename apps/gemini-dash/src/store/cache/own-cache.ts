import { rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { CacheCleared, Settings } from '@gemini-dash/api'
import type { SessionIndex } from '@gemini-dash/session-index'
import type { Library } from '../library/library.ts'
import type { SkeletonFiles } from '../reader/skeleton/skeleton-files.ts'
import { indexesIn, removeIndexes, sizeOfIndex } from './index-folders.ts'

interface OwnCacheParts {
  library: Library
  openIndex: () => Promise<SessionIndex>
  /** null: nothing is kept on disk. */
  skeletons: SkeletonFiles | null
  /** That of the index; null: it is in memory. */
  directory: string | null
}

const NOTHING = { count: 0, inUse: 0, freedBytes: 0, left: [] }

/** What was made of session files: how much it takes, and a way to begin it anew. */
export class OwnCache {
  readonly #parts: OwnCacheParts

  constructor(parts: OwnCacheParts) {
    this.#parts = parts
  }

  /** null: it is in memory. */
  state(): Settings['cache'] {
    const { directory } = this.#parts
    if (directory === null) return null
    const path = dirname(directory)
    const others = indexesIn(path).filter((name) => name !== basename(directory))
    const sizeBytes = others.reduce((sum, name) => sum + sizeOfIndex(join(path, name)), 0)
    return { path, sizeBytes: sizeOfIndex(directory), others: { count: others.length, sizeBytes } }
  }

  /**
   * Nothing of what was made of the shown homes is left, and all of it is read anew; of `all`, indexes of other homes go, too.
   * Resolves when reading has begun.
   */
  async clear(of: 'shown' | 'all'): Promise<CacheCleared> {
    const { library, openIndex, skeletons, directory } = this.#parts
    const index = await openIndex()
    const isOurs = directory !== null && index.isKept()
    const ownBytes = isOurs ? sizeOfIndex(directory) : 0
    if (isOurs) {
      await skeletons?.keepOnly([])
      // Windows does not delete what is open; it is replaced when all is read
      try {
        rmSync(join(directory, 'rows.jsonl'), { force: true })
      } catch {}
    }
    await index.forget([...library.catalog.groupIds()])
    const isAll = directory !== null && of === 'all'
    const others = isAll ? removeIndexes(dirname(directory), basename(directory)) : NOTHING
    const { count, inUse, freedBytes, left } = others
    return { freedBytes: ownBytes + freedBytes, indexes: count, inUse, left }
  }
}
