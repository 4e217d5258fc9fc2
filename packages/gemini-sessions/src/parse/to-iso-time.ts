const FIRST_YEAR_MS = Date.UTC(1970, 0, 1)
const LAST_YEAR_MS = Date.UTC(10_000, 0, 1)

/** ISO 8601 UTC with milliseconds, or null for what is no date between 1970 and 9999. */
export function toIsoTime(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const timeMs = Date.parse(value)
  if (!(timeMs >= FIRST_YEAR_MS && timeMs < LAST_YEAR_MS)) return null
  return isNormal(value) ? value : new Date(timeMs).toISOString()
}

/** As `toISOString` writes it, on a day that every month has: the form of nearly all records. */
function isNormal(value: string): boolean {
  return value.length === 24 && value[10] === 'T' && value[23] === 'Z' && value.slice(8, 10) < '29'
}
