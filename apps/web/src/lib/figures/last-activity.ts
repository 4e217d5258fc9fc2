import type { SessionSummary } from 'gemini-sessions'
import { dayOf } from './format.ts'

/** When something was last said in a session: what the server sorts and sums days by. */
export function lastActivity(session: SessionSummary): string | null {
  return session.endTime ?? session.startTime
}

/** The day of it, which the list shows the session under. */
export function dayOfSession(session: SessionSummary): string {
  const time = lastActivity(session)
  return time ? dayOf(new Date(time)) : 'unknown'
}
