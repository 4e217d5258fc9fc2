import { clockAt } from '@gemini-dash/api/zone-clock'

// Days in a reader's zone. Instants are ISO 8601 UTC strings; days are `YYYY-MM-DD`.

const DAY_MS = 24 * 60 * 60 * 1000

/** The day on which an instant falls in an IANA zone. */
export function localDay(instant: string, zone: string): string {
  return localDayOf(Date.parse(instant), zone)
}

/** The same of milliseconds since 1970. */
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

/** The zone of this machine, which a process asks the system for once. */
export function ownZone(): string {
  own ??= new Intl.DateTimeFormat().resolvedOptions().timeZone
  return own
}

let own: string | undefined
