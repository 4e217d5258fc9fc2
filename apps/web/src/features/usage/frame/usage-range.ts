import type { UsageRow } from '@gemini-dash/api'
import type { UsageRangeName } from '../../../lib/address/page-searches.ts'
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

/** Of the usage by day. */
type Day = Pick<UsageRow, 'key'>

/** So many years are drawn at most, whatever a broken clock once wrote. */
const MOST_DAYS = 20 * 366

/** Days up to today, the shortest range first; `all`: from the first recorded day. */
const DAY_COUNTS: [UsageRangeName, number][] = [
  ['7d', 7],
  ['30d', 30],
  ['90d', 90],
  ['365d', 365],
]

/** The shortest range in which something was recorded, of the rows of all days. */
export function shortestRange(rows: readonly Day[], now: Date): UsageRangeName {
  const last = recordedDays(rows).at(-1) ?? ''
  const [shortest] = DAY_COUNTS.filter(([, count]) => last >= (lastDays(count, now)[0] ?? ''))
  return shortest?.[0] ?? 'all'
}

export function usageRange(name: UsageRangeName, now: Date): UsageRange {
  const dayCount = new Map(DAY_COUNTS).get(name)
  if (dayCount !== undefined) {
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
      return daysBetween(recordedDays(rows)[0] ?? today, today, MOST_DAYS)
    },
  }
}

/** Oldest first, without what has no date. */
function recordedDays(rows: readonly Day[]): string[] {
  return rows
    .map((row) => row.key)
    .filter((key) => /^\d{4}-/.test(key))
    .sort()
}
