import { formatPlural } from '@gemini-dash/api/figures'
import { firstDayOf } from '@gemini-dash/api/read-date'
import { clockAt, momentOfClock } from '@gemini-dash/api/zone-clock'
import type { SessionSummary } from 'gemini-sessions'
import { keptChoice } from './preferences.ts'

/** The browser's language determines dates and clocks; on paper, rendered without a browser, it is US English with a 24-hour clock. */
const LOCALE = typeof document === 'undefined' ? 'en-US-u-hc-h23' : navigator.language
const HAS_TWELVE_HOURS =
  new Intl.DateTimeFormat(LOCALE, { hour: 'numeric' }).resolvedOptions().hour12 === true

const FORMS = {
  minutes: { hour: '2-digit', minute: '2-digit' },
  seconds: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  date: { day: 'numeric', month: 'short' },
  dateOfYear: { day: 'numeric', month: 'short', year: 'numeric' },
  longDate: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  weekday: { weekday: 'long' },
  month: { month: 'short' },
  monthOfYear: { month: 'short', year: 'numeric' },
  moment: { dateStyle: 'full', timeStyle: 'long' },
  zone: { timeZoneName: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

type DateForm = keyof typeof FORMS

const made = new Map<string, Intl.DateTimeFormat>()

/** `20:31`, with seconds `20:31:40`. */
export function formatClock(time: string, precision: 'minutes' | 'seconds' = 'minutes'): string {
  return write(precision, new Date(time))
}

/** `now`, `5 min ago`, `2 h ago`, `3 days ago`, or the date beyond a month. */
export function formatAgo(time: string, now: Date = currentTime()): string {
  const minutes = Math.floor((now.getTime() - Date.parse(time)) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`
  const days = Math.floor(minutes / 1_440)
  return days <= 30 ? `${formatPlural(days, 'day')} ago` : formatDate(time, now)
}

/** `today, 20:30`, `20 Nov, 22:41`, with the year if it is not the current one. */
export function formatDateTime(time: string, now: Date = currentTime()): string {
  const isToday = dayOf(new Date(time)) === dayOf(now)
  return `${isToday ? 'today' : formatDate(time, now)}, ${formatClock(time)}`
}

/** `20 Nov`, or `20 Nov 2025` if the year is not the current one. */
export function formatDate(time: string, now: Date = currentTime()): string {
  const date = new Date(time)
  return write(dayOf(date).slice(0, 4) === dayOf(now).slice(0, 4) ? 'date' : 'dateOfYear', date)
}

/** `Sat, 21 Nov 2026` */
export function formatLongDate(time: string): string {
  return write('longDate', new Date(time))
}

/** The exact moment with its zone, for titles: `Saturday, 21 November 2026 at 20:31:40 CET`. */
export function formatMoment(time: string): string {
  return write('moment', new Date(time))
}

/** A calendar day `YYYY-MM-DD` as a heading: `Today`, `Yesterday`, `Thursday, 19 Nov`. */
export function formatDay(day: string, now: Date = currentTime()): string {
  const today = dayOf(now)
  if (day === today) return 'Today'
  const date = startOfDay(day)
  if (Number.isNaN(date.getTime())) return 'No date'
  if (day === addDays(today, -1)) return 'Yesterday'
  const isThisYear = day.slice(0, 4) === today.slice(0, 4)
  return `${write('weekday', date)}, ${write(isThisYear ? 'date' : 'dateOfYear', date)}`
}

/** `Nov`, or `Nov 2026` with its year. */
export function formatMonth(day: string, isWithYear: boolean): string {
  return write(isWithYear ? 'monthOfYear' : 'month', startOfDay(day))
}

/** `YYYY-MM-DD` in the reader's zone; `unknown` for an invalid date. */
export function dayOf(date: Date): string {
  const clock = new Date(clockAt(date.getTime(), timeZone()))
  return Number.isNaN(clock.getTime()) ? 'unknown' : clock.toISOString().slice(0, -'T00:00:00.000Z'.length)
}

/** The first moment of `YYYY-MM-DD` in the reader's zone. */
export function startOfDay(day: string): Date {
  return new Date(momentOfClock(Date.parse(`${day}T00:00:00Z`), timeZone()))
}

/** `CET` */
export function formatZone(date: Date = currentTime()): string {
  const parts = dateFormat('zone').formatToParts(date)
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? 'local time'
}

function write(form: DateForm, date: Date): string {
  return Number.isNaN(date.getTime()) ? 'Invalid Date' : dateFormat(form).format(date)
}

/** A formatter in the chosen zone. Cached: creating one is far slower than using it. */
function dateFormat(form: DateForm): Intl.DateTimeFormat {
  const zone = timeZone()
  const key = `${form} ${zone}`
  const known = made.get(key)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat(LOCALE, {
    ...FORMS[form],
    // 8:31 PM, but 08:31
    ...('hour' in FORMS[form] && HAS_TWELVE_HOURS ? { hour: 'numeric' } : {}),
    timeZone: zone,
  })
  made.set(key, format)
  return format
}

// Calendar days are `YYYY-MM-DD` and counted in UTC, where every day has 24 hours, so that daylight saving does not shift them.

const DAY_MS = 86_400_000

/** `2026-11-01` and 30 are `2026-12-01`; a negative count goes back. */
export function addDays(day: string, count: number): string {
  return toDay(Date.parse(day) + count * DAY_MS)
}

/** The first day of the next month. */
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

/** Set by the server in the page of the sample sessions, so that it is known before the first render. */
const sampleNow = globalThis.document?.documentElement.dataset.sampleNow

/** The base of all ages, days and ranges on the page: the current time, or the fixed time of the sample sessions. */
export function currentTime(): Date {
  return sampleNow === undefined ? new Date() : new Date(sampleNow)
}

export type ZoneChoice = 'own' | 'utc'

/** The zone for times: the reader's own or UTC. */
export const zoneChoice = keptChoice<ZoneChoice>(
  'gemini-dash.time-zone',
  (kept) => (kept === 'utc' ? 'utc' : 'own'),
  (zone) => (zone === 'own' ? null : zone),
)

/** The IANA name of the chosen zone, e.g. `Europe/Vienna`. */
export function timeZone(): string {
  return paperZone ?? (zoneChoice.get() === 'utc' ? 'UTC' : ownTimeZone())
}

/** The zone of the document that is being drawn. */
let paperZone: string | null = null
let turn: Promise<unknown> = Promise.resolve()

/** Runs synchronous code in the given zone. */
export function inZone<Made>(wanted: string, make: () => Made): Made {
  const before = paperZone
  paperZone = wanted
  try {
    return make()
  } finally {
    paperZone = before
  }
}

/** Draws asynchronously in the given zone, one document at a time, as documents in several zones share a thread. */
export function drawInZone(wanted: string, draw: () => Promise<string>): Promise<string> {
  const drawn = turn.then(() => {
    paperZone = wanted
    return draw()
  })
  turn = drawn.catch(() => undefined)
  return drawn
}

/** Read through `useSyncExternalStore`, with `timeZone`. */
export function onZoneChange(listener: () => void): () => void {
  const stops = [zoneChoice, chosenZone].map(({ subscribe }) => subscribe(listener))
  return () => {
    for (const stop of stops) stop()
  }
}

/** The reader's zone, even while times are shown in UTC. */
export function ownTimeZone(): string {
  return chosenZone.get() ?? localTimeZone()
}

/** The computer's zone. Cached: a page formats hundreds of times, and each lookup takes 0.1 ms. */
export function localTimeZone(): string {
  local ??= Intl.DateTimeFormat().resolvedOptions().timeZone
  return local
}

let local: string | undefined

/** Longer than any zone name. */
const MOST_LETTERS = 64

/** Current names of zones that some browsers list only under an older name, but accept. */
const TODAYS_NAMES = [
  'America/Argentina/Buenos_Aires',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Atlantic/Faroe',
  'Europe/Kyiv',
]

let known: readonly string[] | undefined

/** All zones known to this browser, by IANA name. */
export function zoneNames(): readonly string[] {
  const todays = () => TODAYS_NAMES.filter((name) => resolveZone(name) !== null)
  known ??= [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...todays()])].sort()
  return known
}

/** The listed name of a zone, ignoring case; old names are accepted. null if there is none. */
function findZone(name: string): string | null {
  // newer browsers accept `+05:30`, which is not an IANA name
  if (!/^[a-z]/i.test(name) || name.length > MOST_LETTERS) return null
  const wanted = name.toLowerCase()
  return zoneNames().find((each) => each.toLowerCase() === wanted) ?? resolveZone(name)
}

function resolveZone(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** The reader's own zone; null: the computer's, also if the stored one is unknown to this browser. */
export const chosenZone = keptChoice<string | null>(
  'gemini-dash.own-zone',
  (kept) => (kept === null ? null : findZone(kept)),
  (zone) => zone,
)

/** The zone that matches a name or a part of it, such as `new york`; all zones if none or several match. */
export function zonesLike(text: string): readonly string[] {
  const wanted = text.trim().replace(/\s+/g, '_')
  const exact = findZone(wanted)
  if (exact !== null) return [exact]
  const part = wanted.toLowerCase()
  const cities = zoneNames().filter((name) => name.toLowerCase().endsWith(`/${part}`))
  return cities.length > 0 ? cities : zoneNames().filter((name) => name.toLowerCase().includes(part))
}

/** The last `count` days up to today, oldest first, as `YYYY-MM-DD` in the reader's zone. */
export function lastDays(count: number, now: Date): string[] {
  const today = dayOf(now)
  return Array.from({ length: count }, (_, position) => addDays(today, position - count + 1))
}

/** The first day of `today`, `7d` or any other range of days that ends today, in API form. */
export function firstDay(range: string, now: Date): string {
  const today = dayOf(now)
  return firstDayOf(range, today) ?? today
}

/** Time of the last activity in a session: the server sorts by it and assigns days by it. */
export function lastActivity(session: SessionSummary): string | null {
  return session.endTime ?? session.startTime
}

/** The day under which the list shows the session. */
export function dayOfSession(session: SessionSummary): string {
  return dayOfTime(lastActivity(session))
}

/** More than a list of ten thousand sessions needs. */
const MOST_DAYS = 30_000
let days = new Map<string, string>()
let zone = ''

/** The day of a time, `unknown` without one. Cached, as each change of a list needs it for every row. */
function dayOfTime(time: string | null): string {
  if (time === null || time === '') return 'unknown'
  if (zone !== timeZone() || days.size > MOST_DAYS) days = new Map()
  zone = timeZone()
  const day = days.get(time) ?? dayOf(new Date(time))
  days.set(time, day)
  return day
}
