import type { DiscoveredFile } from 'gemini-sessions/node'
import type { SessionRecord } from './session-record.ts'

/** Files that may form one or more sessions together, and are always read together. */
export interface IndexGroup {
  id: string
  /** Changes when any of the files does. */
  fingerprint: string
  files: DiscoveredFile[]
}

/** A group as it stands in the index. */
export interface IndexedGroup {
  id: string
  fingerprint: string
  sessions: SessionRecord[]
  /** Why the group could not be indexed; then `sessions` is empty. */
  failure: string | null
}
