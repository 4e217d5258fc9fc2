// Every number and time on the page is written here, or with the terminal's in the api.

export { formatSize } from '@gemini-dash/api/format-size'
export { formatTokens } from '@gemini-dash/api/format-tokens'

import { trimZero } from '@gemini-dash/api/format-size'
import { addDays } from './calendar-day.ts'
import { type DateForm, dateFormat } from './date-format.ts'
import { zoneChoice } from './time-zone.ts'

const NUMBER_LOCALE = 'en-US'

const wholeNumber = new Intl.NumberFormat(NUMBER_LOCALE, { maximumFractionDigits: 0 })

/** `1,030` */
export function formatCount(count: number): string {
  return wholeNumber.format(count)
}

/** `1 session`, `1,030 sessions` */
export function formatPlural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** Two decimals as in lists: `$1.46`, `< $0.01`. `-` where no price is known, `+` where calls without a price come on top. */
export function formatCost(cost: { usd: number | null; unpricedCalls: number } | null): string {
  if (cost === null || cost.usd === null) return '-'
  return `${formatUsd(cost.usd)}${cost.unpricedCalls > 0 ? '+' : ''}`
}

/** `$1,204.00`, `$0.21`, `< $0.01` */
export function formatUsd(usd: number): string {
  if (usd > 0 && usd < 0.005) return '< $0.01'
  return `$${fixed(usd, 2)}`
}

/** Three decimals below a dollar, for one session or one answer: `$0.019`, `$1.46`. */
export function formatFineUsd(usd: number): string {
  if (usd > 0 && usd < 0.0005) return '< $0.001'
  return usd > 0 && usd < 0.9995 ? `$${fixed(usd, 3)}` : `$${fixed(usd, 2)}`
}

/** At most four decimals, for the parts of a sum: `$0.0351`, `< $0.0001`, `$15.64`. */
export function formatShareUsd(usd: number): string {
  if (usd > 0 && usd < 0.00005) return '< $0.0001'
  return `$${fixed(usd, usd > 0 && usd < 0.99995 ? 4 : 2)}`
}

/** All digits: prices are whole numbers of 10⁻¹¹ USD. */
export function formatFullUsd(usd: number): string {
  return `$${usd.toFixed(11).replace(/(\.\d\d\d*?)0+$/, '$1')}`
}

/** The same of a cost, `+` where calls without a price come on top. */
export function formatFineCost(cost: { usd: number | null; unpricedCalls: number } | null): string {
  if (cost === null || cost.usd === null) return '-'
  return `${formatFineUsd(cost.usd)}${cost.unpricedCalls > 0 ? '+' : ''}`
}

/** The whole truth about a cost, for titles and screen readers. */
export function describeCost(cost: { usd: number | null; unpricedCalls: number } | null): string {
  if (cost === null || (cost.usd === null && cost.unpricedCalls === 0)) return 'No cost recorded'
  const unpriced = `${formatPlural(cost.unpricedCalls, 'call')} of unknown price`
  if (cost.usd === null) return unpriced
  const price = `$${cost.usd.toFixed(6)} at list price`
  return cost.unpricedCalls > 0 ? `${price}, and ${unpriced}` : price
}

/** `71 %`, `3.1 %`, `< 0.1 %` of a ratio between 0 and 1. */
export function formatPercent(ratio: number): string {
  const percent = ratio * 100
  if (percent > 0 && percent < 0.05) return '< 0.1 %'
  return `${percent >= 9.95 ? percent.toFixed(0) : trimZero(percent.toFixed(1))} %`
}

/** `0.2 s`, `48 s`, `1 min 48 s`, `2 h 5 min`, `3 days` */
export function formatDuration(durationMs: number): string {
  const seconds = durationMs / 1_000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  if (seconds < 59.5) return `${seconds.toFixed(0)} s`
  const minutes = Math.floor(Math.round(seconds) / 60)
  if (minutes < 10) return joinUnits(minutes, 'min', Math.round(seconds) % 60, 's')
  if (minutes < 60) return `${minutes} min`
  if (minutes < 48 * 60) return joinUnits(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
  return `${Math.round(minutes / 1_440)} days`
}

/** `≤ 4.2 s`: an upper bound, so it is never rounded down. */
export function formatAtMost(durationMs: number): string {
  if (durationMs < 100) return '< 0.1 s'
  const step = durationMs < 9_950 ? 100 : 1_000
  return `≤ ${formatDuration(Math.ceil(durationMs / step) * step)}`
}

/** `gemini-3-pro-preview` as `3-pro`, where space is short; the whole name belongs into the title. */
export function formatModel(name: string): string {
  return name.replace(/^(models\/)?(gemini-)?/, '').replace(/-preview(-\d\d-\d\d)?$/, '')
}

/** `20:31`, with seconds `20:31:40`. */
export function formatClock(time: string, precision: 'minutes' | 'seconds' = 'minutes'): string {
  return write(precision, new Date(time))
}

/** `now`, `5 min ago`, `2 h ago`, `3 days ago`, and the date beyond a month. */
export function formatAgo(time: string, now: Date = new Date()): string {
  const minutes = Math.floor((now.getTime() - Date.parse(time)) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`
  const days = Math.floor(minutes / 1_440)
  return days <= 30 ? `${formatPlural(days, 'day')} ago` : formatDate(time, now)
}

/** `today, 20:30`, `20 Nov, 22:41`, with the year where it is not this one. */
export function formatDateTime(time: string, now: Date = new Date()): string {
  const isToday = dayOf(new Date(time)) === dayOf(now)
  return `${isToday ? 'today' : formatDate(time, now)}, ${formatClock(time)}`
}

/** `20 Nov`, or `20 Nov 2025` where the year is not this one. */
export function formatDate(time: string, now: Date = new Date()): string {
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
export function formatDay(day: string, now: Date = new Date()): string {
  const today = dayOf(now)
  if (day === today) return 'Today'
  const date = startOfDay(day)
  if (Number.isNaN(date.getTime())) return 'No time recorded'
  if (day === addDays(today, -1)) return 'Yesterday'
  const isThisYear = day.slice(0, 4) === today.slice(0, 4)
  return `${write('weekday', date)}, ${write(isThisYear ? 'wholeDate' : 'wholeDateOfYear', date)}`
}

/** `Nov`, or `Nov 2026` with its year. */
export function formatMonth(day: string, isWithYear: boolean): string {
  return write(isWithYear ? 'monthOfYear' : 'month', startOfDay(day))
}

/** `YYYY-MM-DD` of a moment, in the reader's zone. */
export function dayOf(date: Date): string {
  if (zoneChoice.get() === 'utc') return date.toISOString().slice(0, 10)
  const month = String(date.getMonth() + 1).padStart(2, '0')
  return `${date.getFullYear()}-${month}-${String(date.getDate()).padStart(2, '0')}`
}

/** Midnight, in the reader's zone, of `YYYY-MM-DD`. */
export function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00${zoneChoice.get() === 'utc' ? 'Z' : ''}`)
}

/** `CET` */
export function formatZone(date: Date = new Date()): string {
  const parts = dateFormat('zone').formatToParts(date)
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? 'local time'
}

function write(form: DateForm, date: Date): string {
  return Number.isNaN(date.getTime()) ? 'Invalid Date' : dateFormat(form).format(date)
}

const fixedFormats = new Map<number, Intl.NumberFormat>()

/** A format is made once for each number of decimals: making one takes longer than writing a hundred numbers. */
function fixed(value: number, decimals: number): string {
  let format = fixedFormats.get(decimals)
  if (format === undefined) {
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
    format = new Intl.NumberFormat(NUMBER_LOCALE, digits)
    fixedFormats.set(decimals, format)
  }
  return format.format(value)
}

function joinUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`
}
