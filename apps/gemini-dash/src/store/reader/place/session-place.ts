import type { SessionDetail, TurnColumns } from '@gemini-dash/api'
import type { IndexGroup } from '@gemini-dash/session-index'
import type { SubagentRef } from 'gemini-sessions'

/** Which session is meant, and what only the whole home knows of it. */
export interface SessionPlace {
  source: IndexGroup
  /** The key that the session's own files give it. */
  ownKey: string
  /** The row was made of a head, which may have told too little: then the first session of the files is meant. */
  isProvisional?: boolean
  /** The key under which it is shown: links in the answer use it. */
  shownKey: string
  subagents: SubagentRef[]
  /** It is being written: a prompt that nothing answered may yet be. */
  isLive?: boolean
  /** Of its project; null where it is not known. */
  root: string | null
  isAgent: boolean
}

/** What the reader tells of a session; its row stands in the catalog. Its turns come by columns. */
export type DetailParts = Omit<SessionDetail, 'session' | 'state' | 'related' | 'turnColumns'> & {
  turnColumns: TurnColumns
}
