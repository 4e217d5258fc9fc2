import { clockChoice } from './format.ts'

/** As they follow each other in a week of ISO 8601. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

const HOURS_PER_DAY = 24

/** The hours of a day, and of the week as the API names them: `1-00` is Monday's first. */
export const HOURS = Array.from({ length: HOURS_PER_DAY }, (_, hour) => String(hour).padStart(2, '0'))

export function hourKey(weekday: number, hour: string): string {
  return `${weekday + 1}-${hour}`
}

/** `09:00`, or `9 am` for who wants a clock of twelve hours. */
export function formatHour(hour: string): string {
  if (clockChoice.get() === '24') return `${hour}:00`
  const value = Number(hour)
  return `${value % 12 === 0 ? 12 : value % 12} ${value < 12 ? 'am' : 'pm'}`
}

/** `Mon, 09:00 to 10:00` */
export function describeHour(weekday: number, hour: string): string {
  const next = String((Number(hour) + 1) % HOURS_PER_DAY).padStart(2, '0')
  return `${WEEKDAYS[weekday]}, ${formatHour(hour)} to ${formatHour(next)}`
}

/** The same of a name as the API has it; undefined where it is none. */
export function describeHourKey(key: string): string | undefined {
  const [, day, hour] = /^([1-7])-(\d\d)$/.exec(key) ?? []
  return day === undefined || hour === undefined || !HOURS.includes(hour)
    ? undefined
    : describeHour(Number(day) - 1, hour)
}
