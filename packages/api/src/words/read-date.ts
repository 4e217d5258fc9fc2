import { clockAt, momentOfClock } from './zone-clock.ts'

/** The zone and time for reading a date. */
export interface DateContext {
  /** IANA zone in which days begin. */
  zone: string
  nowMs: number
}

/** Words that `readDate` understands, for suggestions. */
export const DATE_WORDS = ['today', 'yesterday', '-7d', '-30d', '-3m', '-1y'] as const

/**
 * The moment that a typed date means, in milliseconds since 1970: everything `readTimeField` reads, and words (`today`,
 * `yesterday`, the last `monday`). null: not a date. Used wherever dates are entered.
 */
export function readDate(text: string, context: DateContext): number | null {
  return readTimeField(text, context) ?? readWord(text.toLowerCase(), context)
}

/**
 * The same for `from` and `to` of the API: the start of a day, month or year (`2026-01-31`, `2026-01`, `2026`), an ISO 8601 time, the start
 * of a span of days that ends today (`7d`, `-7d`; d, w, m for months, y), or a number of hours ago (`12h`).
 */
export function readTimeField(text: string, context: DateContext): number | null {
  const word = text.toLowerCase()
  return (
    readCalendarDay(word, context) ??
    readTime(text, context) ??
    readHours(word, context) ??
    readDays(word, context)
  )
}

/**
 * The first day (`YYYY-MM-DD`) of a span that ends `today`: for `7d` the sixth day before it, for `1m` the day after the same day of the
 * previous month. null: not a span of days.
 */
export function firstDayOf(span: string, today: string): string | null {
  const clock = firstClockOf(span.toLowerCase(), Date.parse(today))
  return clock === null ? null : new Date(clock).toISOString().slice(0, -'T00:00:00.000Z'.length)
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** Years before 1 and after 9999 have a sign and six digits, as in `Date`. */
const DAY = /^((?!0000)\d{4}|[+-]\d{6})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/

function readCalendarDay(text: string, { zone }: DateContext): number | null {
  const match = DAY.exec(text)
  if (match === null) return null
  const clock = clockOf(Number(match[1]), Number(match[2] ?? 1), Number(match[3] ?? 1))
  return clock === null ? null : momentOfClock(clock, zone)
}

/** null for an invalid day, such as 31 February. */
function clockOf(year: number, month: number, day: number): number | null {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? date.getTime() : null
}

const TIME =
  /^((?!0000)\d{4}|[+-]\d{6})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})?$/

function readTime(text: string, { zone }: DateContext): number | null {
  const match = TIME.exec(text)
  if (match === null) return null
  const [, year, month, day, hour, minute, second = '0', fraction = '0', offset] = match
  const start = clockOf(Number(year), Number(month), Number(day))
  if (start === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const ms = Math.floor(Number(`0.${fraction}`) * 1000)
  const clock = start + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + ms
  if (offset === undefined) return momentOfClock(clock, zone)
  if (/^z$/i.test(offset)) return clock
  const sign = offset.startsWith('-') ? -1 : 1
  return clock - sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2))) * 60_000
}

/** Hours are not days: they count back from now. */
function readHours(text: string, { nowMs }: DateContext): number | null {
  const hours = /^-?(\d{1,4})h$/.exec(text)?.[1]
  return hours === undefined ? null : nowMs - Number(hours) * HOUR_MS
}

function readDays(text: string, { zone, nowMs }: DateContext): number | null {
  const clock = firstClockOf(text, midnightOf(nowMs, zone))
  return clock === null ? null : momentOfClock(clock, zone)
}

/** The midnight at which a span begins that ends with a day; both as wall-clock times. */
function firstClockOf(span: string, today: number): number | null {
  const match = /^-?([1-9]\d{0,3})([dwmy])$/.exec(span)
  if (match === null) return null
  const count = Number(match[1])
  const unit = match[2]
  if (unit === 'd' || unit === 'w') return today - (count * (unit === 'w' ? 7 : 1) - 1) * DAY_MS
  return monthsBefore(today, unit === 'y' ? count * 12 : count) + DAY_MS
}

function midnightOf(nowMs: number, zone: string): number {
  return Math.floor(clockAt(nowMs, zone) / DAY_MS) * DAY_MS
}

/** The same day of an earlier month, or its last day if it is too short. */
function monthsBefore(clockMs: number, months: number): number {
  const date = new Date(clockMs)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() - months)
  const lastDay = new Date(0)
  lastDay.setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)
  date.setUTCDate(Math.min(day, lastDay.getUTCDate()))
  return date.getTime()
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

function readWord(word: string, { zone, nowMs }: DateContext): number | null {
  const today = midnightOf(nowMs, zone)
  if (word === 'today') return momentOfClock(today, zone)
  if (word === 'yesterday') return momentOfClock(today - DAY_MS, zone)
  const weekday = WEEKDAYS.findIndex((name) => name === word || name.slice(0, 3) === word)
  if (weekday === -1) return null
  const daysAgo = (new Date(today).getUTCDay() - weekday + 7) % 7
  return momentOfClock(today - daysAgo * DAY_MS, zone)
}
