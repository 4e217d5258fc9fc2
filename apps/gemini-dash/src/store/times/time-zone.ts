import { clockAt, momentOfClock } from '@gemini-dash/session-index'

// Days in a reader's zone. Instants are ISO 8601 UTC strings; days are `YYYY-MM-DD`.

const DAY_MS = 24 * 60 * 60 * 1000
/** The last moment that a `Date` can name. */
const END_OF_TIME_MS = 8.64e15

/** The day on which an instant falls in an IANA zone. */
export function localDay(instant: string, zone: string): string {
  return localDayOf(Date.parse(instant), zone)
}

/** The same of milliseconds since 1970. */
export function localDayOf(instantMs: number, zone: string): string {
  const dayNumber = Math.floor(localTimeMs(instantMs, zone) / DAY_MS)
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

/** An instant moved by the zone's offset: read as UTC, it says what the clocks there show. NaN stays NaN. */
export function localTimeMs(instantMs: number, zone: string): number {
  return Number.isNaN(instantMs) ? instantMs : instantMs + offsetMs(instantMs, zone)
}

/** A `from`/`to` parameter as epoch milliseconds: an instant as it is, a bare date at its midnight in the zone. */
export function startOfTime(text: string, zone: string): number {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return Date.parse(text)
  return momentOfClock(Date.parse(`${text}T00:00:00Z`), zone)
}

/** The zone of this machine, which a process asks the system for once. */
export function ownZone(): string {
  own ??= new Intl.DateTimeFormat().resolvedOptions().timeZone
  return own
}

let own: string | undefined

/** By zone and UTC day: the offset at its beginning. */
const offsetCaches = new Map<string, Map<number, number>>()

/** Asking the zone takes microseconds, and reports ask for every quarter hour of years: days without a change are asked once. */
function offsetMs(instant: number, zone: string): number {
  const day = Math.floor(instant / DAY_MS)
  const offset = offsetAtStartOf(day, zone)
  return offset === offsetAtStartOf(day + 1, zone) ? offset : exactOffsetMs(instant, zone)
}

function offsetAtStartOf(day: number, zone: string): number {
  const offsets = offsetCaches.get(zone) ?? new Map<number, number>()
  offsetCaches.set(zone, offsets)
  let offset = offsets.get(day)
  if (offset === undefined) {
    offset = exactOffsetMs(Math.max(-END_OF_TIME_MS, Math.min(day * DAY_MS, END_OF_TIME_MS)), zone)
    offsets.set(day, offset)
  }
  return offset
}

function exactOffsetMs(instant: number, zone: string): number {
  return clockAt(instant, zone) - instant
}
