import type { SessionSummary } from 'gemini-sessions'
import { ANY_TIME, type TimeRange } from './time-range.ts'

type Times = Pick<SessionSummary, 'startTime' | 'endTime'>

/** From the first to the last instant of a session, in ms since 1970; NaN where no time of it is known. */
interface Span {
  startMs: number
  endMs: number
}

const spans = new WeakMap<Times, Span>()

/** Every list and report asks for that of every session: each is read once. */
function spanOf(session: Times): Span {
  let span = spans.get(session)
  if (span === undefined) {
    const startMs = Date.parse(session.startTime ?? session.endTime ?? '')
    // An imported session holds messages older than its start.
    span = { startMs, endMs: Math.max(startMs, Date.parse(session.endTime ?? session.startTime ?? '')) }
    spans.set(session, span)
  }
  return span
}

/** A session without any time is in no range but that of any time. */
export function overlaps(session: Times, range: TimeRange): boolean {
  if (range === ANY_TIME) return true
  const { startMs, endMs } = spanOf(session)
  return endMs >= range.fromMs && startMs < range.toMs
}
