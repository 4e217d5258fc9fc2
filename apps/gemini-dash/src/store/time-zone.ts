// Days in a reader's zone. Instants are ISO 8601 UTC strings; days are `YYYY-MM-DD`.

const QUARTER_HOUR_MS = 15 * 60 * 1000

/** The day on which an instant falls in an IANA zone. Exact for all zones in use: their offsets are whole quarter hours. */
export function localDay(instant: string, zone: string): string {
  const quarterHour = Math.floor(Date.parse(instant) / QUARTER_HOUR_MS)
  if (Number.isNaN(quarterHour)) return 'unknown'
  const days = daysByZone(zone)
  let day = days.get(quarterHour)
  if (day === undefined) {
    day = formatterOf(zone).format(quarterHour * QUARTER_HOUR_MS)
    days.set(quarterHour, day)
  }
  return day
}

/** A `from`/`to` parameter as epoch milliseconds: an instant as it is, a bare date at its midnight in the zone. */
export function startOfTime(text: string, zone: string): number {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return Date.parse(text)
  const utcMidnight = Date.parse(`${text}T00:00:00Z`)
  // The zone's offset near that midnight; asked twice, for the day on which the clocks change.
  const guess = utcMidnight - offsetMs(utcMidnight, zone)
  return utcMidnight - offsetMs(guess, zone)
}

/** The zone of this machine. */
export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

const formatters = new Map<string, Intl.DateTimeFormat>()
const dayCaches = new Map<string, Map<number, string>>()

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone)
  if (formatter === undefined) {
    // en-CA writes dates as YYYY-MM-DD.
    formatter = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
    formatters.set(zone, formatter)
  }
  return formatter
}

function daysByZone(zone: string): Map<number, string> {
  let days = dayCaches.get(zone)
  if (days === undefined) {
    days = new Map()
    dayCaches.set(zone, days)
  }
  return days
}

function offsetMs(instant: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant)
  const value = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const asUtc = Date.UTC(
    value('year'),
    value('month') - 1,
    value('day'),
    value('hour'),
    value('minute'),
    value('second'),
  )
  return asUtc - Math.floor(instant / 1000) * 1000
}
