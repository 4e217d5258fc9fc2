import type { SessionRecord } from '@gemini-dash/session-index'
import type { SessionSummary } from 'gemini-sessions'

/** A session as it is shown, and what the index remembers of its files. */
export interface ExaminedSession {
  summary: SessionSummary
  record: SessionRecord
}
