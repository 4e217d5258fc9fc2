import type { ChartCall } from './chart-call.ts'

/** One step of the chart: a call, or several where there are more calls than the width can hold. */
export interface ChartBar {
  /** The call that is drawn: of several the one with most tokens, so that no peak is lost. */
  call: ChartCall
  /** 1-based numbers of the calls that this step stands for. */
  first: number
  last: number
  hasFailure: boolean
  isSuperseded: boolean
  isAtHigherRate: boolean
}

/** Calls as at most `maxBars` steps of equal numbers of calls. */
export function chartBars(calls: readonly ChartCall[], maxBars: number): ChartBar[] {
  const size = Math.max(1, Math.ceil(calls.length / Math.max(maxBars, 1)))
  const bars: ChartBar[] = []
  for (let start = 0; start < calls.length; start += size) {
    const group = calls.slice(start, start + size)
    const largest = group.reduce((best, call) => (tokensOf(call) > tokensOf(best) ? call : best))
    bars.push({
      call: largest,
      first: start + 1,
      last: start + group.length,
      hasFailure: group.some((call) => call.failed),
      isAtHigherRate: group.some((call) => call.isAtHigherRate),
      isSuperseded: group.every((call) => call.superseded !== null),
    })
  }
  return bars
}

function tokensOf(call: ChartCall): number {
  return (call.usage?.input ?? 0) + (call.usage?.output ?? 0) + (call.usage?.thoughts ?? 0)
}
