import { dayOf, startOfDay } from './format.ts'

/** The last `count` days up to today, oldest first, as `YYYY-MM-DD` in the reader's zone. */
export function lastDays(count: number, now: Date): string[] {
  return Array.from({ length: count }, (_, position) =>
    dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - count + 1 + position)),
  )
}

/** All days from one to another, both included; at most `most`, the newest. */
export function daysBetween(first: string, last: string, most: number): string[] {
  const days: string[] = []
  const from = startOfDay(first)
  for (const at = startOfDay(last); at >= from && days.length < most; at.setDate(at.getDate() - 1)) {
    days.unshift(dayOf(at))
  }
  return days
}
