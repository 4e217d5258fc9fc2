import { readTimeField } from '@gemini-dash/api/read-date'
import { clockAt } from '@gemini-dash/api/zone-clock'
import type { SessionSummary } from 'gemini-sessions'

// Days in a reader's time zone. Instants are ISO 8601 UTC strings; days are `YYYY-MM-DD`.

const DAY_MS = 24 * 60 * 60 * 1000

/** The day of an instant in an IANA zone. */
export function localDay(instant: string, zone: string): string {
  return localDayOf(Date.parse(instant), zone)
}

/** The same for milliseconds since 1970. */
export function localDayOf(instantMs: number, zone: string): string {
  const dayNumber = Math.floor(clockAt(instantMs, zone) / DAY_MS)
  let day = daysByNumber.get(dayNumber)
  if (day === undefined) {
    day = writeDay(dayNumber)
    daysByNumber.set(dayNumber, day)
  }
  return day
}

const daysByNumber = new Map<number, string>()

function writeDay(dayNumber: number): string {
  const midnight = new Date(dayNumber * DAY_MS)
  return Number.isNaN(midnight.getTime())
    ? 'unknown'
    : midnight.toISOString().slice(0, -'T00:00:00.000Z'.length)
}

/** The zone of this machine, which a process queries only once. */
export function ownZone(): string {
  own ??= new Intl.DateTimeFormat().resolvedOptions().timeZone
  return own
}

let own: string | undefined

export const PERIODS = ['day', 'week', 'month'] as const
type Period = (typeof PERIODS)[number]

export function isPeriod(name: string): name is Period {
  return PERIODS.some((period) => period === name)
}

/** 1 January 1970 was a Thursday. */
const DAYS_FROM_MONDAY = 3
const DAYS_OF_WEEK = 7

const mondays = new Map<string, string>()

/**
 * The day, ISO week or month of an instant in a zone, in ms since 1970: a day as `YYYY-MM-DD`, a week by its Monday in the same form, a
 * month as `YYYY-MM`; `unknown` if the instant is. Each can be used as `from`.
 */
export function periodOf(instantMs: number, period: Period, zone: string): string {
  const day = localDayOf(instantMs, zone)
  if (period === 'day' || day === 'unknown') return day
  return period === 'month' ? monthOf(day) : mondayOf(day)
}

/** The first day after a month, as `YYYY-MM-DD`. */
export function endOfMonth(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + 1)
  return dayOf(date)
}

function monthOf(day: string): string {
  return day.slice(0, -'-DD'.length)
}

function mondayOf(day: string): string {
  let monday = mondays.get(day)
  if (monday === undefined) {
    const dayNumber = Date.parse(`${day}T00:00:00Z`) / DAY_MS
    const since = (((dayNumber + DAYS_FROM_MONDAY) % DAYS_OF_WEEK) + DAYS_OF_WEEK) % DAYS_OF_WEEK
    monday = dayOf(new Date((dayNumber - since) * DAY_MS))
    mondays.set(day, monday)
  }
  return monday
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, -'T00:00:00.000Z'.length)
}

type Times = Pick<SessionSummary, 'startTime' | 'endTime'>

/** From the first to the last instant of a session, in ms since 1970; NaN if it has no known time. */
interface Span {
  startMs: number
  endMs: number
}

const spans = new WeakMap<Times, Span>()

/** Every list and report needs the span of every session, so each is parsed once. */
function spanOf(session: Times): Span {
  let span = spans.get(session)
  if (span === undefined) {
    const startMs = Date.parse(session.startTime ?? session.endTime ?? '')
    // An imported session has messages older than its start.
    span = { startMs, endMs: Math.max(startMs, Date.parse(session.endTime ?? session.startTime ?? '')) }
    spans.set(session, span)
  }
  return span
}

/** A session without any time is only in the range of any time. */
export function overlaps(session: Times, range: TimeRange): boolean {
  if (range === ANY_TIME) return true
  const { startMs, endMs } = spanOf(session)
  return endMs >= range.fromMs && startMs < range.toMs
}

/** Instants from `fromMs` up to but excluding `toMs`; infinite on a side that is not given. */
export interface TimeRange {
  fromMs: number
  toMs: number
}

export const ANY_TIME: TimeRange = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }

interface AskedTimes {
  from?: string | undefined
  to?: string | undefined
  tz?: string | undefined
}

/** The range of a `from` and `to` in a zone. `nowMs` may be omitted after `withMoments`. */
export function timeRange({ from, to }: AskedTimes, zone: string, nowMs = Number.NaN): TimeRange {
  if (from === undefined && to === undefined) return ANY_TIME
  return {
    fromMs: from === undefined ? ANY_TIME.fromMs : startOfTime(from, zone, nowMs),
    toMs: to === undefined ? ANY_TIME.toMs : startOfTime(to, zone, nowMs),
  }
}

/** A `from`/`to` parameter as epoch milliseconds; NaN: not a date, or one that depends on the current time. */
export function startOfTime(text: string, zone: string, nowMs = Number.NaN): number {
  return readTimeField(text, { zone, nowMs }) ?? Number.NaN
}

/** The same query with instants for `7d` and `12h`: an answer cached under it is not reused on another day. */
export function withMoments<Asked extends AskedTimes>(asked: Asked, nowMs: number): Asked {
  const { from, to, tz: zone = ownZone() } = asked
  if (from === undefined && to === undefined) return asked
  const momentOf = (text: string) => {
    const moment = new Date(startOfTime(text, zone, nowMs))
    // a day at the end of time has no midnight in zones behind UTC
    return Number.isNaN(moment.getTime()) ? text : moment.toISOString()
  }
  return {
    ...asked,
    ...(from !== undefined && { from: momentOf(from) }),
    ...(to !== undefined && { to: momentOf(to) }),
  }
}

/** NaN, an unknown time, is in no range. */
export function isInRange(timeMs: number, { fromMs, toMs }: TimeRange): boolean {
  return timeMs >= fromMs && timeMs < toMs
}
