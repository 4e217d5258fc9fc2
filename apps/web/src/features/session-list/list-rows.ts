import type { SessionList } from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'
import { dayOfSession } from '../../lib/figures/last-activity.ts'

type DayTotals = SessionList['days'][number]

export type ListRow =
  | { kind: 'day'; key: string; day: string; totals: DayTotals | undefined }
  | {
      kind: 'session'
      key: string
      session: SessionSummary
      isFirst: boolean
      isLast: boolean
      isUnderDay: boolean
    }

/**
 * Sessions as the rows that are drawn: with `days`, a heading stands before each day's sessions; without, they are one
 * sheet. `isFirst` and `isLast` tell where a sheet begins and ends.
 */
export function toListRows(sessions: SessionSummary[], days: DayTotals[] | null): ListRow[] {
  const totalsByDay = new Map(days?.map((totals) => [totals.day, totals]))
  const rows: ListRow[] = []
  sessions.forEach((session, position) => {
    const day = days && dayOfSession(session)
    const isFirst = position === 0 || (days !== null && dayBeside(sessions[position - 1]) !== day)
    const isLast =
      position === sessions.length - 1 || (days !== null && dayBeside(sessions[position + 1]) !== day)
    if (day !== null && isFirst)
      rows.push({ kind: 'day', key: `day ${day}`, day, totals: totalsByDay.get(day) })
    rows.push({ kind: 'session', key: session.key, session, isFirst, isLast, isUnderDay: days !== null })
  })
  return rows
}

function dayBeside(session: SessionSummary | undefined): string | null {
  return session === undefined ? null : dayOfSession(session)
}
