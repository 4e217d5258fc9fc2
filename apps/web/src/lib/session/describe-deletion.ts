import type { SessionSummary } from 'gemini-sessions'
import { dayOf, formatDate } from '../figures/format.ts'

const DAY_MS = 86_400_000
/** So far ahead it is told, as on the health page. */
const WARNED_DAYS = 7

/** `at the next start`, `today`, `tomorrow`, `in 3 days`: when Gemini CLI deletes a session; null: not within a week. */
export function describeDeletion(deletedAfter: string | null, now: Date): string | null {
  const due = new Date(deletedAfter ?? '')
  const leftMs = due.getTime() - now.getTime()
  if (Number.isNaN(leftMs) || leftMs > WARNED_DAYS * DAY_MS) return null
  if (leftMs <= 0) return 'at the next start'
  // the reader counts days of the calendar, which a change of clocks makes longer or shorter
  const days = (Date.parse(dayOf(due)) - Date.parse(dayOf(now))) / DAY_MS
  return days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`
}

/** `Deleted by Gemini CLI, last seen 3 Nov`: what became of a session that is left in the archive alone; null: it is in its home. */
export function describeDeleted(
  { deletedSeen, deletedBy }: Pick<SessionSummary, 'deletedSeen' | 'deletedBy'>,
  now: Date,
): string | null {
  if (deletedSeen === null) return null
  const by = deletedBy === null ? '' : ' by Gemini CLI'
  return `Deleted${by}, last seen ${formatDate(deletedSeen, now)}`
}
