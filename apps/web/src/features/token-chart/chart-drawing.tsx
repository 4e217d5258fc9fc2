import { Bar } from '@visx/shape'
import { memo, useId } from 'react'
import { formatFineUsd, formatPercent, formatTokens } from '../../lib/figures/format.ts'
import { ChartRuler } from './chart-ruler.tsx'
import type { ChartGeometry, Step, Tick } from './geometry/chart-geometry.ts'
import { LAYOUT } from './geometry/chart-layout.ts'
import { isContextState } from './geometry/context-band.ts'

interface Props {
  geometry: ChartGeometry
  /** Where the lowest band ends. */
  bottom: number
}

/** The three bands, without the hand that walks over them. */
export const ChartDrawing = memo(function ChartDrawing({ geometry, bottom }: Props) {
  const hatch = useId()
  const right = geometry.width - LAYOUT.right
  return (
    <>
      <defs>
        <pattern id={hatch} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path className="chart-hatch" d="M0 0V4" />
        </pattern>
      </defs>
      <ChartGrid geometry={geometry} right={right} />
      {geometry.steps.map((step) => (
        <StepBar key={step.index} step={step} hatch={hatch} />
      ))}
      <ChartRuler geometry={geometry} right={right} />
      {geometry.contextPaths.map((path) => (
        <path key={path} className="chart-context" d={path} />
      ))}
      <Seams geometry={geometry} bottom={bottom} />
      {bottom === LAYOUT.costBottom && <CostBand geometry={geometry} right={right} />}
      <ContextNow geometry={geometry} right={right} />
    </>
  )
})

function StepBar({ step, hatch }: { step: Step; hatch: string }) {
  const place = { x: step.barX, width: step.barWidth }
  return (
    <g className={step.isSuperseded ? 'chart-superseded' : undefined}>
      {step.blocks.map(({ tokenClass, y, height }) => (
        <Bar key={tokenClass} className={`fill-${tokenClass}`} {...place} y={y} height={height} />
      ))}
      {step.blocks
        .filter(({ tokenClass }) => tokenClass === 'cached')
        .map(({ y, height }) => (
          <Bar key="hatch" {...place} y={y} height={height} fill={`url(#${hatch})`} />
        ))}
    </g>
  )
}

function Seams({ geometry, bottom }: Props) {
  return geometry.seams.map(({ x, compression }) => {
    const { inputBefore, inputAfter } = compression
    const saved =
      inputBefore !== null && inputAfter !== null
        ? `, ${formatTokens(inputBefore)} → ${formatTokens(inputAfter)}`
        : ''
    const isNearEnd = x > geometry.width - LAYOUT.right - 170
    return (
      <g key={compression.messageKey}>
        <line className="chart-seam" x1={x} x2={x} y1="6" y2={bottom} />
        <text
          className="chart-strong"
          x={isNearEnd ? x - 6 : x + 6}
          y="11"
          textAnchor={isNearEnd ? 'end' : 'start'}
        >
          compressed{saved}
        </text>
      </g>
    )
  })
}

function CostBand({ geometry, right }: { geometry: ChartGeometry; right: number }) {
  const { costPath, costGaps, costArea, totalUsd, hasUnpriced, steps } = geometry
  return (
    <>
      <line
        className="chart-axis"
        x1={LAYOUT.left}
        x2={right}
        y1={LAYOUT.costBottom + 0.5}
        y2={LAYOUT.costBottom + 0.5}
      />
      <BandName y={(LAYOUT.costTop + LAYOUT.costBottom) / 2}>cost</BandName>
      <text x={LAYOUT.left - 8} y={LAYOUT.costBottom + 1} textAnchor="end">
        $0
      </text>
      {costPath !== '' && (
        <>
          <path className="chart-cost-area" d={costArea} />
          <path className="chart-cost" d={costPath} />
          {costGaps !== '' && <path className="chart-cost unknown" d={costGaps} />}
          {steps
            .filter(({ isTierJump }) => isTierJump)
            .map(({ index, barX, barWidth, costY }) => (
              <path
                key={index}
                className="chart-tier-jump"
                d={`M${barX + barWidth / 2} ${costY - 9}l4 7h-8z`}
              />
            ))}
        </>
      )}
      <text
        className="chart-value"
        x={right + 8}
        y={costPath === '' ? LAYOUT.costBottom : LAYOUT.costTop + 8}
      >
        {totalUsd === null ? 'unknown' : `${formatFineUsd(totalUsd)}${hasUnpriced ? '+' : ''}`}
      </text>
    </>
  )
}

/** What the last call that stands sent: the size of the context now. */
function ContextNow({ geometry, right }: { geometry: ChartGeometry; right: number }) {
  const last = geometry.steps.findLast(isContextState)
  if (last?.call.usage == null) return null
  const { contextWindow } = geometry
  const y = Math.min(Math.max(last.contextY + 4, LAYOUT.contextTop + 4), LAYOUT.contextBottom - 12)
  return (
    <text className="chart-value" x={right + 8} y={y}>
      {formatTokens(last.call.usage.input)}
      <tspan className="chart-note" x={right + 8} dy="13">
        {contextWindow === null
          ? 'context now'
          : `now, ${formatPercent(last.call.usage.input / contextWindow)} full`}
      </tspan>
    </text>
  )
}

/** Behind the bars: lines with their values, the model's window, and where its rates rise. */
function ChartGrid({ geometry, right }: { geometry: ChartGeometry; right: number }) {
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
      <BandName y={(LAYOUT.receivedTop + ruler.top) / 2}>output</BandName>
      {ruler.bottom < LAYOUT.sentBottom && (
        <BandName y={(ruler.bottom + LAYOUT.sentBottom) / 2}>input</BandName>
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

/** What a band of the chart shows, beside it. */
function BandName({ y, children }: { y: number; children: string }) {
  return (
    <text x="12" y={y} transform={`rotate(-90 12 ${y})`} textAnchor="middle" dominantBaseline="middle">
      {children}
    </text>
  )
}
