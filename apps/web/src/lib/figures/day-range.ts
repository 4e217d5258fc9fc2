import { firstDayOf } from '@gemini-dash/api/read-date'
import { addDays } from './calendar-day.ts'
import { dayOf } from './format.ts'

/** The last `count` days up to today, oldest first, as `YYYY-MM-DD` in the reader's zone. */
export function lastDays(count: number, now: Date): string[] {
  const today = dayOf(now)
  return Array.from({ length: count }, (_, position) => addDays(today, position - count + 1))
}

/** The first day of `today`, `7d` or any other span of days that ends today, as the API reads it. */
export function firstDay(range: string, now: Date): string {
  const today = dayOf(now)
  return firstDayOf(range, today) ?? today
}

/** All days from one to another, both included; at most `most`, the newest. */
export function daysBetween(first: string, last: string, most: number): string[] {
  const days: string[] = []
  for (let day = last; day >= first && days.length < most; day = addDays(day, -1)) days.push(day)
  return days.reverse()
}
