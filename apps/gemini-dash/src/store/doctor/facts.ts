import type { SessionRecord } from '@gemini-dash/session-index'
import type { SessionSummary } from 'gemini-sessions'

/** A session as shown, and what the index stores about its files. */
export interface ExaminedSession {
  summary: SessionSummary
  record: SessionRecord
}

/** A session with a display name: its title, or else its file's name. */
export function toSessionLink({ summary }: ExaminedSession): { sessionKey: string; title: string } {
  const fileName = summary.files[0]?.path.split('/').at(-1)
  return { sessionKey: summary.key, title: summary.title || (fileName ?? summary.sessionId) }
}
