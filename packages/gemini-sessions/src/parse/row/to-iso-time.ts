/** `Date.parse` also takes "timestamp-1" for a day of 2001: only what looks like ISO 8601 is a time. */
const ISO_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/
const FIRST_YEAR_MS = Date.UTC(1970, 0, 1)
const LAST_YEAR_MS = Date.UTC(10_000, 0, 1)

/** ISO 8601 UTC with milliseconds, or null for what is no date between 1970 and 9999. */
export function toIsoTime(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const timeMs = Date.parse(isNormal(value) ? value : toZoned(value))
  if (!(timeMs >= FIRST_YEAR_MS && timeMs < LAST_YEAR_MS)) return null
  return isNormal(value) ? value : new Date(timeMs).toISOString()
}

/** As `toISOString` writes it, on a day that every month has: the form of nearly all records. */
function isNormal(value: string): boolean {
  return (
    value.length === 24 &&
    value[4] === '-' &&
    value[10] === 'T' &&
    value[16] === ':' &&
    value[23] === 'Z' &&
    value.slice(8, 10) < '29'
  )
}

/** Times of the format are UTC; one without a zone must not mean this machine's. '' for what is no time. */
function toZoned(value: string): string {
  const [, date, time = '00:00', zone = 'Z'] = ISO_TIME.exec(value) ?? []
  return date === undefined ? '' : `${date}T${time}${zone}`
}
