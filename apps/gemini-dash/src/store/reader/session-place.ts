import type { SessionDetail, TurnColumns } from '@gemini-dash/api'
import type { IndexGroup } from '@gemini-dash/session-index'
import type { SubagentRef } from 'gemini-sessions'
import type { Rows } from '../sync/rows.ts'

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

/** What the reader tells of a session; its row stands in the rows. Its turns come by columns. */
export type DetailParts = Omit<SessionDetail, 'session' | 'state' | 'related' | 'turnColumns'> & {
  turnColumns: TurnColumns
}

/** A file was written anew or deleted since its sessions were read, so what is wanted of it must be looked up again. */
export class ChangedFileError extends Error {}

/** What a reader is told of a session; null: there is none under this key. */
export function placeOf(rows: Rows, key: string): SessionPlace | null {
  const session = rows.sessions().get(key)
  const group = session === undefined ? undefined : rows.sourceOf(session.groupId)
  if (session === undefined || group === undefined) return null
  const subagents = session.summary.subagentKeys.flatMap((other) => {
    const known = rows.sessions().get(other)
    return known === undefined ? [] : [known.summary]
  })
  return {
    source: group,
    ownKey: session.record.summary.key,
    isProvisional: session.record.summary.indexed !== 'full',
    shownKey: key,
    root: session.summary.project.path,
    isAgent: session.summary.kind === 'subagent',
    subagents: subagents.map(({ key, sessionId, startTime, endTime }) => ({
      key,
      sessionId,
      startTime,
      endTime,
    })),
  }
}
