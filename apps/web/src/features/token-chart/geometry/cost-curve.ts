import { scaleLinear } from '@visx/scale'
import type { ChartCall } from './chart-call.ts'
import type { Step } from './chart-geometry.ts'
import { LAYOUT } from './chart-layout.ts'
import { roundPx } from './round-px.ts'

/** Dollars as heights of the lowest band, up to all that the calls cost. */
export function costScale(calls: readonly ChartCall[]) {
  const totalUsd = calls.reduce((sum, { usd }) => sum + (usd ?? 0), 0)
  const hasPrice = calls.some(({ usd }) => usd !== null)
  const domain = [0, totalUsd > 0 ? totalUsd : 1]
  const y = scaleLinear({ domain, range: [LAYOUT.costBottom, LAYOUT.costTop] })
  const hasUnpriced = calls.some(({ usage, usd }) => usage !== null && usd === null)
  return { y: (usd: number) => y(usd), totalUsd: hasPrice ? totalUsd : null, hasUnpriced }
}

/** Stairs that rise in the middle of each step. */
export function costCurve(calls: readonly ChartCall[], steps: readonly Step[], step: number) {
  if (!calls.some(({ usd }) => usd !== null)) return { costPath: '', costGaps: '', costArea: '' }
  let y: number = LAYOUT.costBottom
  let area = `M${LAYOUT.left} ${y}`
  let costPath = area
  let costGaps = ''
  let isGapBefore = false
  for (const { first, last, x, costY } of steps) {
    const isGap = calls.slice(first - 1, last).some(({ usd }) => usd === null)
    const middle = roundPx(x + step / 2)
    const stair = `H${middle}V${roundPx(costY)}H${roundPx(x + step)}`
    if (isGap) costGaps += `M${roundPx(x)} ${roundPx(y)}${stair}`
    else costPath += `${isGapBefore ? `M${roundPx(x)} ${roundPx(y)}` : ''}${stair}`
    area += stair
    y = costY
    isGapBefore = isGap
  }
  return { costPath, costGaps, costArea: `${area}V${LAYOUT.costBottom}H${LAYOUT.left}Z` }
}
