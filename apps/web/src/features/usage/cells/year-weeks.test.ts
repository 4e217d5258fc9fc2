import { expect, test } from 'vitest'
import { weekdayOf } from '../../../lib/figures/calendar-day.ts'
import { yearWeeks } from './year-panel.tsx'

test.each(['2026-11-22', '2026-11-23', '2024-02-29', '2026-03-29'])(
  '53 weeks from Monday up to %s',
  (today) => {
    const weeks = yearWeeks(new Date(`${today}T12:00:00`))
    expect(weeks).toHaveLength(53)
    expect(weeks.flat().at(-1)).toBe(today)
    expect(weeks.every(([monday]) => monday !== undefined && weekdayOf(monday) === 0)).toBe(true)
    expect(new Set(weeks.flat()).size).toBe(52 * 7 + weekdayOf(today) + 1)
  },
)
