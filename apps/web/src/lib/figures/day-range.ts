import { addDays } from './calendar-day.ts'
import { dayOf } from './format.ts'

/** The last `count` days up to today, oldest first, as `YYYY-MM-DD` in the reader's zone. */
export function lastDays(count: number, now: Date): string[] {
  const today = dayOf(now)
  return Array.from({ length: count }, (_, position) => addDays(today, position - count + 1))
}

/** All days from one to another, both included; at most `most`, the newest. */
export function daysBetween(first: string, last: string, most: number): string[] {
  const days: string[] = []
  for (let day = last; day >= first && days.length < most; day = addDays(day, -1)) days.push(day)
  return days.reverse()
}
