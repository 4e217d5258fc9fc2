import type { Message } from '../../model/message.ts'

/** The earliest of these ISO times; what is missing or no time is passed over. */
export function earliestTime(times: Iterable<string | null>): string | null {
  let earliest: string | null = null
  let earliestMs = Number.POSITIVE_INFINITY
  for (const time of times) {
    const timeMs = time === null ? Number.NaN : Date.parse(time)
    if (timeMs < earliestMs) [earliest, earliestMs] = [time, timeMs]
  }
  return earliest
}

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

export function lastMessageTime(messages: readonly Message[]): string | null {
  return latestTime(messages.map((message) => message.timestamp))
}
