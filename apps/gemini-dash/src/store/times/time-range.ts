import { readTimeField } from '@gemini-dash/api/read-date'
import { ownZone } from './time-zone.ts'

/** Instants from `fromMs` up to, but not with, `toMs`; without end on a side that is not asked for. */
export interface TimeRange {
  fromMs: number
  toMs: number
}

export const ANY_TIME: TimeRange = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }

interface AskedTimes {
  from?: string | undefined
  to?: string | undefined
  tz?: string | undefined
}

/** The range that a `from` and `to` name in a zone. `nowMs` may be left out where `withMoments` was asked before. */
export function timeRange({ from, to }: AskedTimes, zone: string, nowMs = Number.NaN): TimeRange {
  if (from === undefined && to === undefined) return ANY_TIME
  return {
    fromMs: from === undefined ? ANY_TIME.fromMs : startOfTime(from, zone, nowMs),
    toMs: to === undefined ? ANY_TIME.toMs : startOfTime(to, zone, nowMs),
  }
}

/** A `from`/`to` parameter as epoch milliseconds; NaN: no date, or one that needs to know what time it is. */
export function startOfTime(text: string, zone: string, nowMs = Number.NaN): number {
  return readTimeField(text, { zone, nowMs }) ?? Number.NaN
}

/** The same question with moments for `7d` and `12h`: an answer that is stored under it is not given on another day. */
export function withMoments<Asked extends AskedTimes>(asked: Asked, nowMs: number): Asked {
  const { from, to, tz: zone = ownZone() } = asked
  if (from === undefined && to === undefined) return asked
  const momentOf = (text: string) => {
    const moment = new Date(startOfTime(text, zone, nowMs))
    // a day at the end of time has no midnight in zones behind UTC
    return Number.isNaN(moment.getTime()) ? text : moment.toISOString()
  }
  return {
    ...asked,
    ...(from !== undefined && { from: momentOf(from) }),
    ...(to !== undefined && { to: momentOf(to) }),
  }
}

/** NaN, an unknown time, is in no range. */
export function isInRange(timeMs: number, { fromMs, toMs }: TimeRange): boolean {
  return timeMs >= fromMs && timeMs < toMs
}
