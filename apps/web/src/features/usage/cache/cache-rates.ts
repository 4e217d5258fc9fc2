import type { UsageRow } from '@gemini-dash/api'
import { type PeriodUnit, periodUnit, startOfPeriod } from '../frame/periods.ts'

/** `rate` is null where no input is recorded: a gap, not 0 %. */
export type CachePoint = { start: string; input: number; cached: number; rate: number | null }
export type CacheRates = { unit: PeriodUnit; points: CachePoint[] }

/** Cached input of all input for each period of `days`, weighted by tokens. */
export function toCacheRates(rows: UsageRow[], days: string[]): CacheRates {
  const unit = periodUnit(days.length)
  const sums = new Map(days.map((day) => [startOfPeriod(unit, day), { input: 0, cached: 0 }]))
  for (const { key, usage } of rows) {
    const sum = sums.get(startOfPeriod(unit, key))
    if (!sum || !usage) continue
    sum.input += usage.input
    sum.cached += usage.cached
  }
  const points = [...sums].map(([start, { input, cached }]) => ({
    start,
    input,
    cached,
    rate: input > 0 ? cached / input : null,
  }))
  return { unit, points }
}

/** The points that a line may join: neighbours without a gap between them. */
export function unbrokenRuns(points: CachePoint[]): CachePoint[][] {
  const runs: CachePoint[][] = [[]]
  for (const point of points) {
    if (point.rate === null) runs.push([])
    else runs.at(-1)?.push(point)
  }
  return runs.filter((run) => run.length > 0)
}
