import type { UsageRow } from '@gemini-dash/api'
import { daysBetween, lastDays } from '../../../lib/figures/day-range.ts'
import { dayOf } from '../../../lib/figures/format.ts'

export type UsageRange = {
  /** First day, `YYYY-MM-DD`; undefined: from the first one recorded. */
  from: string | undefined
  /** The time of equal length right before; undefined: there is none. */
  previous: { from: string; to: string } | undefined
  /** Every day of the range, oldest first. */
  days: (rows: UsageRow[]) => string[]
}

/** So many years are drawn at most, whatever a broken clock once wrote. */
const MOST_DAYS = 20 * 366

/** The last `dayCount` days up to today; `all`: from the first recorded day. */
export function usageRange(dayCount: number | 'all', now: Date): UsageRange {
  if (dayCount !== 'all') {
    const days = lastDays(dayCount, now)
    const [from] = days
    const [before] = lastDays(2 * dayCount, now)
    return { from, previous: from && before ? { from: before, to: from } : undefined, days: () => days }
  }
  const today = dayOf(now)
  return {
    from: undefined,
    previous: undefined,
    days: (rows) => {
      const recorded = rows.map((row) => row.key).filter((key) => /^\d{4}-/.test(key))
      const first = recorded.toSorted()[0] ?? today
      return daysBetween(first, today, MOST_DAYS)
    },
  }
}
