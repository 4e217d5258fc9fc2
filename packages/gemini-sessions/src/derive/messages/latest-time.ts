/** The latest of these ISO times; what is missing or no time is passed over. */
export function latestTime(times: Iterable<string | null>): string | null {
  let latest: string | null = null
  let latestMs = Number.NEGATIVE_INFINITY
  for (const time of times) {
    const timeMs = time === null ? Number.NaN : Date.parse(time)
    if (timeMs > latestMs) [latest, latestMs] = [time, timeMs]
  }
  return latest
}
