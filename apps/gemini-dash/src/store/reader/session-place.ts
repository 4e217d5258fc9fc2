import type { SessionDetail, TurnColumns } from '@gemini-dash/api'
import type { IndexGroup } from '@gemini-dash/session-index'
import type { SubagentRef } from 'gemini-sessions'
import type { Rows } from '../sync/rows.ts'

/** Which session is meant, and facts about it that only the whole home reveals. */
export interface SessionPlace {
  source: IndexGroup
  /** The key derived from the session's own files. */
  ownKey: string
  /** The row was made from a head, which may not have revealed the key: then the first session of the files is meant. */
  isProvisional?: boolean
  /** The key under which it is shown: links in the answer use it. */
  shownKey: string
  subagents: SubagentRef[]
  /** It is still being written: a prompt without an answer may still get one. */
  isLive?: boolean
  /** Root folder of its project; null if unknown. */
  root: string | null
  isAgent: boolean
}

/** What the reader knows of a session; its row is stored separately. Its turns are in columns. */
export type DetailParts = Omit<SessionDetail, 'session' | 'state' | 'related' | 'turnColumns'> & {
  turnColumns: TurnColumns
}

/** A file was rewritten or deleted since its sessions were read, so they must be read again. */
export class ChangedFileError extends Error {}

/** What a reader needs to know about a session; null: no session has this key. */
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
