import type { IndexedGroup, IndexGroup, OnIndexed } from './contract/index-group.ts'
import type { IndexSearchOptions, IndexSearchRequest, IndexSearchResult } from './contract/index-search.ts'
import type { TouchedPath } from './find/touched-paths.ts'

/** The searchable memory of all sessions of a home. A cache: everything in it can be read again from the sessions. */
export interface SessionIndex {
  /** Another live process has the folder, so this index is built in memory. */
  isPrivate: boolean
  /**
   * It is on disk, and stays there for the next start. Looks whether its folder is still there: whoever cannot write beside it
   * asks this before telling, as a lost folder is told by the index, before this answers.
   */
  isKept(): boolean
  /** Why it, or a part of it, is not kept on disk; null where it is, or is not meant to be. */
  problem(): string | null
  /** false: a thread of it died and is being started again; what it still holds is not known before that. */
  isUp(): boolean
  /** What is stored: the fingerprint of each group by its id. */
  fingerprints(): Promise<Map<string, string>>
  /** What is stored of these groups; null is all. */
  load(groupIds: string[] | null): Promise<IndexedGroup[]>
  /**
   * Reads the groups and stores what they say, in the given order (newest first). Calls may overlap: a
   * later one goes first, and replaces groups of the same id that wait. A group that cannot be indexed is
   * reported with its `failure` and stops nothing.
   */
  update(groups: IndexGroup[], onIndexed: OnIndexed): Promise<void>
  remove(groupIds: string[]): Promise<void>
  /**
   * Has nothing left of these groups, not even in what a database keeps of rows that were deleted: the databases that held them
   * are begun anew. What else was in them is told as lost, and read again.
   */
  forget(groupIds: string[]): Promise<void>
  /** Answers also while an update runs, from what is there. */
  search(request: IndexSearchRequest, options?: IndexSearchOptions): Promise<IndexSearchResult>
  /** For each of the words (folded) those that are indexed and nearly the same, closest first; in bounded time. */
  closestWords(words: string[]): Promise<Map<string, string[]>>
  /** Paths with this in them that calls touched, those of most messages first, and no more than can be chosen from. */
  touchedPaths(typed: string): Promise<TouchedPath[]>
  /**
   * Ends threads that nothing was asked of for so long, to give their memory back; what is asked next starts them again.
   * true: one was ended.
   */
  rest(idleMs: number): Promise<boolean>
  /** Starts threads that rest, before somebody asks. true: one was started. */
  wake(): boolean
  close(): Promise<void>
}
