import { formatTokens } from '../../lib/figures/format.ts'
import { BandName } from './band-name.tsx'
import type { ChartGeometry, Tick } from './geometry/chart-geometry.ts'
import { LAYOUT } from './geometry/chart-layout.ts'

/** Behind the bars: lines with their values, the model's window, and where its rates rise. */
export function ChartGrid({ geometry, right }: { geometry: ChartGeometry; right: number }) {
  const { receivedTicks, sentTicks, contextTicks, ruler, tier, windowY, contextWindow } = geometry
  return (
    <>
      {[...receivedTicks, ...sentTicks, ...contextTicks].map(({ value, y }) => (
        <g key={`${value} ${y}`}>
          <line className="chart-grid" x1={LAYOUT.left} x2={right} y1={y} y2={y} />
          <text x={LAYOUT.left - 8} y={y + 4} textAnchor="end">
            {formatTokens(value)}
          </text>
        </g>
      ))}
      {tier !== null && (
        <>
          <line className="chart-tier" x1={LAYOUT.left} x2={right} y1={tier.y} y2={tier.y} />
          <TierWord tier={tier} windowY={windowY} right={right} />
        </>
      )}
      {windowY !== null && contextWindow !== null && (
        <>
          <line className="chart-window" x1={LAYOUT.left} x2={right} y1={windowY} y2={windowY} />
          <text x={right - 6} y={windowY - 3} textAnchor="end">
            window {formatTokens(contextWindow)}
          </text>
        </>
      )}
      <line
        className="chart-axis"
        x1={LAYOUT.left}
        x2={right}
        y1={LAYOUT.contextBottom + 0.5}
        y2={LAYOUT.contextBottom + 0.5}
      />
      <BandName y={(LAYOUT.receivedTop + ruler.top) / 2}>received</BandName>
      {ruler.bottom < LAYOUT.sentBottom && (
        <BandName y={(ruler.bottom + LAYOUT.sentBottom) / 2}>sent</BandName>
      )}
      <BandName y={(LAYOUT.contextTop + LAYOUT.contextBottom) / 2}>context</BandName>
    </>
  )
}

/** Above its line; where the line of the window is near, as on the logarithmic scale, beside the word of that. */
function TierWord({ tier, windowY, right }: { tier: Tick; windowY: number | null; right: number }) {
  const isNear = windowY !== null && tier.y - windowY < 14
  const place = isNear
    ? ({ x: right - 88, y: windowY - 3, textAnchor: 'end' } as const)
    : { x: LAYOUT.left + 6, y: tier.y - 3 }
  return (
    <text className="chart-tier-word" {...place}>
      {formatTokens(tier.value)}, higher rate above
    </text>
  )
}
