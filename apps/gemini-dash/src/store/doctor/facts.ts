import { sessionName } from '@gemini-dash/api/session-name'
import type { SessionRecord } from '@gemini-dash/session-index'
import type { SessionSummary } from 'gemini-sessions'

/** A session as shown, and what the index stores about its files. */
export interface ExaminedSession {
  summary: SessionSummary
  record: SessionRecord
}

/** A session with a display name: its title, or else its file's name. */
export function toSessionLink({ summary }: ExaminedSession): { sessionKey: string; title: string } {
  return { sessionKey: summary.key, title: sessionName(summary) }
}
