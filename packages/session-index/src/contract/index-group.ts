import type { PriceOverrides } from '@gemini-dash/pricing/overrides'
import type { GroupClaims, UnreadFile } from 'gemini-sessions'
import type { DiscoveredFile, FileHead, LooseFiles } from 'gemini-sessions/node'
import type { SessionRecord } from './session-record.ts'

/** Files that may form one or more sessions together, and are always read together. */
export interface IndexGroup {
  id: string
  /** Changes when any of the files does, and when their calls may cost something else. */
  fingerprint: string
  files: DiscoveredFile[]
  /** What other files and earlier runs say about the keys of its sessions; part of the fingerprint. */
  claims?: GroupClaims | undefined
  /** What else the files are, where they are no session files. */
  loose?: LooseFiles
  /** What the user says of prices; list prices where it is left out. */
  prices?: PriceOverrides
}

/** A group as it stands in the index. */
export interface IndexedGroup {
  id: string
  fingerprint: string
  sessions: SessionRecord[]
  /** Why the group could not be indexed; then `sessions` is empty. */
  failure: string | null
  /**
   * Files that the system did not let us read. What the index held of the group before stays then, else `sessions` is
   * what could be read; neither counts as read. Left out where there are none.
   */
  unread?: UnreadFile[]
  /** What the heads of its files tell of their project, by absolute path. Whoever keeps rows keeps it with them; the index does not. */
  heads?: Record<string, ProjectHead>
}

export type ProjectHead = Pick<
  FileHead,
  'projectHash' | 'directories' | 'contextPaths' | 'movedFrom' | 'firstStartTime'
>

/** Told of each group that was indexed, and how long its reading took. */
export type OnIndexed = (group: IndexedGroup, tookMs: number) => void
