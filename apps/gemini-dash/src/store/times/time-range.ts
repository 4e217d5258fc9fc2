import { startOfTime } from './time-zone.ts'

/** Instants from `fromMs` up to, but not with, `toMs`; without end on a side that is not asked for. */
export interface TimeRange {
  fromMs: number
  toMs: number
}

export const ANY_TIME: TimeRange = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }

/** The range that a `from` and `to` name in a zone. */
export function timeRange(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  zone: string,
): TimeRange {
  if (from === undefined && to === undefined) return ANY_TIME
  return {
    fromMs: from === undefined ? ANY_TIME.fromMs : startOfTime(from, zone),
    toMs: to === undefined ? ANY_TIME.toMs : startOfTime(to, zone),
  }
}

/** NaN, an unknown time, is in no range. */
export function isInRange(timeMs: number, { fromMs, toMs }: TimeRange): boolean {
  return timeMs >= fromMs && timeMs < toMs
}
