import { Bar } from '@visx/shape'
import { memo, useId } from 'react'
import { formatFineUsd, formatTokens } from '../../lib/format.ts'
import type { ChartGeometry, Step } from './chart-geometry.ts'
import { LAYOUT } from './chart-layout.ts'
import { ChartRuler } from './chart-ruler.tsx'

/** The three bands, without the hand that walks over them. */
export const ChartDrawing = memo(function ChartDrawing({ geometry }: { geometry: ChartGeometry }) {
  const hatch = useId()
  const right = geometry.width - LAYOUT.right
  return (
    <>
      <defs>
        <pattern id={hatch} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path className="chart-hatch" d="M0 0V4" />
        </pattern>
      </defs>
      <Grid geometry={geometry} right={right} />
      {geometry.steps.map((step) => (
        <StepBar key={step.index} step={step} hatch={hatch} />
      ))}
      <ChartRuler geometry={geometry} right={right} />
      {geometry.contextPaths.map((path) => (
        <path key={path} className="chart-context" d={path} />
      ))}
      <Seams geometry={geometry} />
      <CostBand geometry={geometry} right={right} />
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

function Grid({ geometry, right }: { geometry: ChartGeometry; right: number }) {
  const { receivedTicks, sentTicks, tierY } = geometry
  return (
    <>
      {[...receivedTicks, ...sentTicks].map(({ value, y }) => (
        <g key={`${value} ${y}`}>
          <line className="chart-grid" x1={LAYOUT.left} x2={right} y1={y} y2={y} />
          <text x={LAYOUT.left - 8} y={y + 4} textAnchor="end">
            {formatTokens(value)}
          </text>
        </g>
      ))}
      {tierY !== null && (
        <>
          <line className="chart-tier" x1={LAYOUT.left} x2={right} y1={tierY} y2={tierY} />
          <text className="chart-tier-word" x={right + 8} y={tierY + 4}>
            higher rate
          </text>
        </>
      )}
      <BandName y={(LAYOUT.receivedTop + LAYOUT.rulerTop) / 2}>received</BandName>
      <BandName y={(LAYOUT.rulerBottom + LAYOUT.sentBottom) / 2}>sent</BandName>
    </>
  )
}

function BandName({ y, children }: { y: number; children: string }) {
  return (
    <text x="12" y={y} transform={`rotate(-90 12 ${y})`} textAnchor="middle" dominantBaseline="middle">
      {children}
    </text>
  )
}

function Seams({ geometry }: { geometry: ChartGeometry }) {
  return geometry.seams.map(({ x, compression }) => {
    const { inputBefore, inputAfter } = compression
    const saved =
      inputBefore !== null && inputAfter !== null
        ? `, ${formatTokens(inputBefore)} → ${formatTokens(inputAfter)}`
        : ''
    const isNearEnd = x > geometry.width - LAYOUT.right - 170
    return (
      <g key={compression.messageKey}>
        <line className="chart-seam" x1={x} x2={x} y1="6" y2={LAYOUT.costBottom} />
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
  const { costPath, costArea, totalUsd } = geometry
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
        </>
      )}
      <text
        className="chart-value"
        x={right + 8}
        y={costPath === '' ? LAYOUT.costBottom : LAYOUT.costTop + 8}
      >
        {totalUsd === null ? 'unknown' : formatFineUsd(totalUsd)}
      </text>
    </>
  )
}

/** What the last call that stands sent: the size of the context now. */
function ContextNow({ geometry, right }: { geometry: ChartGeometry; right: number }) {
  const last = geometry.steps.findLast((step) => !step.isSuperseded && step.call.usage !== null)
  if (last?.call.usage == null) return null
  const isOnTier = geometry.tierY !== null && Math.abs(geometry.tierY - last.contextY) < 24
  const y = isOnTier ? last.contextY - 30 : Math.min(last.contextY + 4, LAYOUT.sentBottom - 10)
  return (
    <text className="chart-value" x={right + 8} y={y}>
      {formatTokens(last.call.usage.input)}
      <tspan className="chart-note" x={right + 8} dy="13">
        context now
      </tspan>
    </text>
  )
}
