import type { SessionSummary } from 'gemini-sessions'

type Times = Pick<SessionSummary, 'startTime' | 'endTime'>

/** From the start of a session to its last record; null where a time is not recorded. */
export function sessionLengthMs({ startTime, endTime }: Times): number | null {
  if (startTime === null || endTime === null) return null
  return Math.max(Date.parse(endTime) - Date.parse(startTime), 0)
}
