// Figures are written as in a terminal; times as the reader of the page chose.

export {
  describeCopiedSessions,
  describeCost,
  formatAtMost,
  formatCost,
  formatCount,
  formatDuration,
  formatExactUsd,
  formatFineCost,
  formatFineUsd,
  formatPercent,
  formatPlural,
  formatShareUsd,
  formatShortDuration,
  formatSize,
  formatTokens,
  formatUsd,
} from '@gemini-dash/api/figures'

import { formatPlural } from '@gemini-dash/api/figures'
import { clockAt, momentOfClock } from '@gemini-dash/api/zone-clock'
import { keptChoice } from '../browser/kept-choice.ts'
import { addDays } from './calendar-day.ts'
import { currentTime } from './current-time.ts'
import { timeZone } from './time-zone.ts'

/** Whether the reader wants 20:31 or 8:31 pm. */
export const clockChoice = keptChoice<'24' | '12'>(
  'gemini-dash.clock',
  (kept) => (kept === '12' ? '12' : '24'),
  (clock) => (clock === '24' ? null : clock),
)

/** Day before month, as in the rest of the interface. */
const LOCALE = 'en-GB'

const FORMS = {
  minutes: { hour: '2-digit', minute: '2-digit' },
  seconds: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  date: { day: 'numeric', month: 'short' },
  dateOfYear: { day: 'numeric', month: 'short', year: 'numeric' },
  longDate: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  wholeDate: { day: 'numeric', month: 'long' },
  wholeDateOfYear: { day: 'numeric', month: 'long', year: 'numeric' },
  weekday: { weekday: 'long' },
  month: { month: 'short' },
  monthOfYear: { month: 'short', year: 'numeric' },
  moment: { dateStyle: 'full', timeStyle: 'long' },
  zone: { timeZoneName: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

type DateForm = keyof typeof FORMS

const made = new Map<string, Intl.DateTimeFormat>()

/** `gemini-3-pro-preview` as `3-pro`, where space is short; the whole name belongs into the title. */
export function formatModel(name: string): string {
  return name.replace(/^(models\/)?(gemini-)?/, '').replace(/-preview(-\d\d-\d\d)?$/, '')
}

/** `20:31`, with seconds `20:31:40`. */
export function formatClock(time: string, precision: 'minutes' | 'seconds' = 'minutes'): string {
  return write(precision, new Date(time))
}

/** `now`, `5 min ago`, `2 h ago`, `3 days ago`, and the date beyond a month. */
export function formatAgo(time: string, now: Date = currentTime()): string {
  const minutes = Math.floor((now.getTime() - Date.parse(time)) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`
  const days = Math.floor(minutes / 1_440)
  return days <= 30 ? `${formatPlural(days, 'day')} ago` : formatDate(time, now)
}

/** `today, 20:30`, `20 Nov, 22:41`, with the year where it is not this one. */
export function formatDateTime(time: string, now: Date = currentTime()): string {
  const isToday = dayOf(new Date(time)) === dayOf(now)
  return `${isToday ? 'today' : formatDate(time, now)}, ${formatClock(time)}`
}

/** `20 Nov`, or `20 Nov 2025` where the year is not this one. */
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

/** A calendar day `YYYY-MM-DD` as a heading: `Today`, `Yesterday`, `Thursday, 19 November`. */
export function formatDay(day: string, now: Date = currentTime()): string {
  const today = dayOf(now)
  if (day === today) return 'Today'
  const date = startOfDay(day)
  if (Number.isNaN(date.getTime())) return 'No date'
  if (day === addDays(today, -1)) return 'Yesterday'
  const isThisYear = day.slice(0, 4) === today.slice(0, 4)
  return `${write('weekday', date)}, ${write(isThisYear ? 'wholeDate' : 'wholeDateOfYear', date)}`
}

/** `Nov`, or `Nov 2026` with its year. */
export function formatMonth(day: string, isWithYear: boolean): string {
  return write(isWithYear ? 'monthOfYear' : 'month', startOfDay(day))
}

/** `YYYY-MM-DD` of a moment, in the reader's zone; `unknown` where it is none. */
export function dayOf(date: Date): string {
  const clock = new Date(clockAt(date.getTime(), timeZone()))
  return Number.isNaN(clock.getTime()) ? 'unknown' : clock.toISOString().slice(0, -'T00:00:00.000Z'.length)
}

/** The first moment, in the reader's zone, of `YYYY-MM-DD`. */
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

/** Writes moments in the chosen zone. Making a format takes much longer than using it, so each is made once. */
function dateFormat(form: DateForm): Intl.DateTimeFormat {
  const zone = timeZone()
  const clock = clockChoice.get()
  const key = `${form} ${zone} ${clock}`
  const known = made.get(key)
  if (known !== undefined) return known
  // said only where there is a clock: it would add one
  const hasClock = 'hour' in FORMS[form] || 'timeStyle' in FORMS[form]
  const format = new Intl.DateTimeFormat(LOCALE, {
    ...FORMS[form],
    ...('hour' in FORMS[form] && clock === '12' ? { hour: 'numeric' } : {}),
    // `hour12` would make noon 0:00 pm in this locale
    ...(hasClock ? { hourCycle: clock === '12' ? 'h12' : 'h23' } : {}),
    timeZone: zone,
  })
  made.set(key, format)
  return format
}
