import type { SessionSummary } from 'gemini-sessions'
import { dayOf } from './format.ts'
import { timeZone } from './time-zone.ts'

/** When something was last said in a session: what the server sorts and sums days by. */
export function lastActivity(session: SessionSummary): string | null {
  return session.endTime ?? session.startTime
}

/** The day of it, which the list shows the session under. */
export function dayOfSession(session: SessionSummary): string {
  return dayOfTime(lastActivity(session))
}

/** More than a list of ten thousand asks for. */
const MOST_DAYS = 30_000
let days = new Map<string, string>()
let zone = ''

/** The day of a moment, `unknown` without one. Each change of a list asks for that of every row. */
export function dayOfTime(time: string | null): string {
  if (time === null || time === '') return 'unknown'
  if (zone !== timeZone() || days.size > MOST_DAYS) days = new Map()
  zone = timeZone()
  const day = days.get(time) ?? dayOf(new Date(time))
  days.set(time, day)
  return day
}
