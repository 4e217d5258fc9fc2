const FIRST_YEAR_MS = Date.UTC(1970, 0, 1)
const LAST_YEAR_MS = Date.UTC(10_000, 0, 1)

/** ISO 8601 UTC with milliseconds, or null for what is no date between 1970 and 9999. */
export function toIsoTime(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const timeMs = Date.parse(value)
  if (!(timeMs >= FIRST_YEAR_MS && timeMs < LAST_YEAR_MS)) return null
  return new Date(timeMs).toISOString()
}
