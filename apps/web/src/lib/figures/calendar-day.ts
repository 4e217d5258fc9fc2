// Days of the calendar, `YYYY-MM-DD`. They are counted in UTC, where every day has 24 hours: no change of clocks moves them.

const DAY_MS = 86_400_000

/** `2026-11-01` and 30 are `2026-12-01`; a negative count goes back. */
export function addDays(day: string, count: number): string {
  return toDay(Date.parse(day) + count * DAY_MS)
}

/** The first day of the month after that of a day. */
export function nextMonth(day: string): string {
  const date = new Date(day)
  return toDay(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1))
}

/** 0 is Monday. */
export function weekdayOf(day: string): number {
  return (new Date(day).getUTCDay() + 6) % 7
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
