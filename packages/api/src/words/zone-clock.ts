// Clock times in an IANA zone. A wall-clock time is the UTC time (in ms) with the same digits.

const DAY_MS = 86_400_000
/** The latest time a `Date` can represent. */
const END_OF_TIME_MS = 8.64e15

/** Wall-clock time of a zone at a moment; NaN stays NaN. */
export function clockAt(momentMs: number, zone: string): number {
  return Number.isNaN(momentMs) ? momentMs : momentMs + offsetMs(momentMs, zone)
}

/**
 * The moment of a wall-clock time in a zone: the first if it occurs twice. If it is skipped, the moment it would be without the jump, so a
 * day without a midnight begins at the jump.
 */
export function momentOfClock(clockMs: number, zone: string): number {
  if (Number.isNaN(clockMs)) return clockMs
  const before = clockMs - offsetMs(clockMs - DAY_MS, zone)
  const after = clockMs - offsetMs(clockMs + DAY_MS, zone)
  if (before === after) return before
  const shown = [before, after].filter((momentMs) => clockAt(momentMs, zone) === clockMs)
  return shown.length > 0 ? Math.min(...shown) : Math.max(before, after)
}

/** `2026-11-21 20:31` in a zone. */
export function formatZonedTime(iso: string, zone: string): string {
  const clock = new Date(clockAt(Date.parse(iso), zone))
  return Number.isNaN(clock.getTime())
    ? iso
    : clock
        .toISOString()
        .replace('T', ' ')
        .replace(/:\d\d\.\d+Z$/, '')
}

/** By zone and UTC day: the offset at its start. */
const offsetCaches = new Map<string, Map<number, number>>()

/** Asking the zone takes microseconds, and pages and reports ask for every row and quarter hour. Days without a change are asked once. */
function offsetMs(momentMs: number, zone: string): number {
  const day = Math.floor(momentMs / DAY_MS)
  const offset = offsetAtStartOf(day, zone)
  return offset === offsetAtStartOf(day + 1, zone) ? offset : exactOffsetMs(momentMs, zone)
}

function offsetAtStartOf(day: number, zone: string): number {
  const offsets = offsetCaches.get(zone) ?? new Map<number, number>()
  offsetCaches.set(zone, offsets)
  let offset = offsets.get(day)
  if (offset === undefined) {
    offset = exactOffsetMs(day * DAY_MS, zone)
    offsets.set(day, offset)
  }
  return offset
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function exactOffsetMs(wantedMs: number, zone: string): number {
  const momentMs = Math.max(-END_OF_TIME_MS, Math.min(wantedMs, END_OF_TIME_MS))
  let formatter = formatters.get(zone)
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      era: 'short',
    })
    formatters.set(zone, formatter)
  }
  const parts = formatter.formatToParts(momentMs)
  const value = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const year = parts.some(({ type, value }) => type === 'era' && value === 'BC')
    ? 1 - value('year')
    : value('year')
  const clock = new Date(0)
  clock.setUTCFullYear(year, value('month') - 1, value('day'))
  clock.setUTCHours(value('hour'), value('minute'), value('second'))
  return clock.getTime() - Math.floor(momentMs / 1000) * 1000
}
