import { basename, dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { SessionIndex } from '@gemini-dash/session-index'
import type { KeyBook } from '../own-data/key-book.ts'
import { removeIndexes } from './cache/index-folders.ts'
import type { CatalogSession } from './catalog/catalog.ts'
import type { Library } from './library/library.ts'
import type { KeptFiles } from './library/library-options.ts'
import type { RowKeeper } from './library/row-keeper.ts'
import type { SkeletonFiles } from './reader/skeleton/skeleton-files.ts'

const LONGEST_LOOK_MS = 3_000

export interface ForgettingParts {
  library: Library
  kept: KeptFiles
  openIndex: () => Promise<SessionIndex>
  keeper: RowKeeper
  keys: KeyBook
  /** null: nothing is kept on disk. */
  skeletons: SkeletonFiles | null
  /** That of the index; null: it is in memory. */
  directory: string | null
}

/** All that a session and its sub-agents are known by. */
export interface ForgottenSession {
  /** Under which something can have been said of them. */
  keys: ReadonlySet<string>
  groupIds: string[]
  /** That no other session has. */
  sessionIds: string[]
  files: { home: string; path: string; isKept: boolean }[]
}

/** Finds what there is of a session, and takes it out of everything that was made of its files. */
export class Forgetting {
  readonly #parts: ForgettingParts

  constructor(parts: ForgettingParts) {
    this.#parts = parts
  }

  /** null: there is no such session. */
  describe(key: string): ForgottenSession | null {
    const sessions = this.#parts.library.catalog.sessions()
    const family = familyOf(key, sessions)
    if (family.length === 0) return null
    const own = new Set(family)
    const shared = new Set(
      [...sessions.values()].flatMap((each) => (own.has(each) ? [] : [each.summary.sessionId])),
    )
    return {
      keys: new Set(family.flatMap(({ summary, record }) => [summary.key, ...record.ownKeys])),
      groupIds: [...new Set(family.map(({ groupId }) => groupId))],
      sessionIds: [...new Set(family.map(({ summary }) => summary.sessionId))].filter(
        (id) => !shared.has(id),
      ),
      files: family.flatMap(({ summary }) =>
        summary.files.map(({ home, path, kept }) => ({ home, path, isKept: kept !== undefined })),
      ),
    }
  }

  /**
   * To be called before anything is answered: what another process has forgotten since is not there. A look that takes
   * longer, as while much is read for the first time, is not waited for.
   */
  async catchUp(): Promise<void> {
    const { library, kept } = this.#parts
    if (!kept.hasChanged()) return
    const looked = library.refresh().catch(() => {})
    await Promise.race([looked, setTimeout(LONGEST_LOOK_MS, null, { ref: false })])
  }

  /** To be called when it is nowhere else: index, rows and what was made of opened sessions are begun anew without it. */
  async erase({ groupIds, keys: erased }: ForgottenSession): Promise<void> {
    const { library, openIndex, keeper, keys, skeletons, directory } = this.#parts
    keys.forget(erased)
    await library.refresh()
    await (await openIndex()).forget(groupIds)
    await keeper.keep()
    const left = new Set(library.catalog.groupIds())
    for (const id of groupIds) left.delete(id)
    await skeletons?.keepOnly(left)
    // other homes may have read the same files; an index that is in use is told by its own look at the disk
    if (directory !== null) removeIndexes(dirname(directory), basename(directory))
  }

  /** Where all indexes are; null: that of this store is in memory. */
  get cacheFolder(): string | null {
    const { directory } = this.#parts
    return directory && dirname(directory)
  }
}

/** With all sub-agents, and theirs. */
function familyOf(key: string, sessions: ReadonlyMap<string, CatalogSession>): CatalogSession[] {
  const found = new Map<string, CatalogSession>()
  const open = [key]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const session = sessions.get(next)
    if (session === undefined || found.has(next)) continue
    found.set(next, session)
    open.push(...session.summary.subagentKeys)
  }
  return [...found.values()]
}
