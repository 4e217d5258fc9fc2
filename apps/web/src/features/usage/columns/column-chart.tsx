import { scaleBand, scaleLinear } from '@visx/scale'
import { useId } from 'react'
import { useElementWidth } from '../../../lib/hooks/use-element-width.ts'
import { PeriodReach } from '../frame/period-reach.tsx'
import { describePeriod } from '../frame/periods.ts'
import { type UsageMetric, usageMetrics } from '../frame/usage-metric.ts'
import { useCellWalk } from '../frame/use-cell-walk.ts'
import { ColumnAxes, TICK_GAP_PX, writeTicks } from './column-axes.tsx'
import { ColumnFrame } from './column-frame.tsx'
import type { Column, Columns } from './columns.ts'

/** The third series is hatched, so that print and forced colours tell it too. */
const HATCHED_SERIES = 2
const GAP = 1

const HEIGHT = 212
const BASE = 188
const TOP = 28
const LEAST_LEFT = 44
/** Of a figure on the axis, with some air. */
const DIGIT_PX = 6.5
const RIGHT = 96
/** Narrower columns are not drawn: the chart scrolls instead, from its newest end. */
const LEAST_STEP = 13
const BAR_SHARE = 0.62

type Props = { data: Columns; metric: UsageMetric; projectKey: string | undefined }

/** Stacked columns over time, drawn at the measured width so that the axis text keeps its size. */
export function ColumnChart({ data, metric, projectKey }: Props) {
  const { ref, width: visibleWidth } = useElementWidth()
  const hatchId = useId()
  const { columns, unit, series } = data
  const { shown, handlers, cell } = useCellWalk(`${columns.length - 1},0`)
  const { write, label } = usageMetrics[metric]
  const highest = columns.reduce((most, column) => (column.total > most.total ? column : most))
  const mean = columns.reduce((sum, column) => sum + column.total, 0) / columns.length
  // sessions are whole, their mean is not
  const meanText = metric === 'sessions' ? mean.toFixed(1) : write(mean)
  const y = scaleLinear({ domain: [0, highest.total || 1], range: [BASE, TOP] })
  const longest = Math.max(...writeTicks(y, write).map(({ label }) => label.length))
  const left = Math.max(LEAST_LEFT, TICK_GAP_PX + longest * DIGIT_PX)
  const width = Math.max(visibleWidth, left + RIGHT + columns.length * LEAST_STEP)
  const x = scaleBand({
    domain: columns.map((column) => column.start),
    range: [left, width - RIGHT],
    padding: 1 - BAR_SHARE,
  })
  const summary = `Highest: ${write(highest.total)}, ${describePeriod(highest.start, unit)}. Mean: ${meanText}.`
  return (
    <div ref={ref}>
      <ColumnFrame
        label={`${label} per ${unit}`}
        name={`${label} per ${unit}. ${summary} Arrow keys walk the columns.`}
        width={width}
        height={HEIGHT}
        isMeasured={visibleWidth > 0}
        handlers={handlers}
      >
        <HatchPattern id={hatchId} />
        <ColumnAxes columns={columns} unit={unit} x={x} y={y} write={write} />
        {columns.map((column) => (
          <ColumnStack key={column.start} column={column} series={series} x={x} y={y} hatchId={hatchId} />
        ))}
        <PeriodReach
          starts={columns.map(({ start }) => start)}
          unit={unit}
          x={x}
          top={TOP}
          base={BASE}
          describe={(position) => describeColumn(columns[position], data, write)}
          cell={cell}
          projectKey={projectKey}
        />
        {highest.total > 0 && (
          <g className="annotations">
            <text
              className="strong"
              x={(x(highest.start) ?? 0) + x.bandwidth() / 2}
              y={y(highest.total) - 6}
              textAnchor="middle"
            >
              {write(highest.total)}
            </text>
            <line className="mean" x1={left} x2={width - RIGHT} y1={y(mean)} y2={y(mean)} />
            <text className="strong" x={width - RIGHT + 8} y={y(mean) + 1}>
              {meanText}
            </text>
            <text x={width - RIGHT + 8} y={y(mean) + 14}>
              mean per {unit}
            </text>
          </g>
        )}
      </ColumnFrame>
      <p className="chart-readout">{shown ?? summary}</p>
    </div>
  )
}

function describeColumn(
  column: Column | undefined,
  { unit, series }: Columns,
  write: (value: number) => string,
) {
  if (!column) return ''
  const parts = column.values.flatMap((value, position) =>
    value > 0 && series.length > 1 ? [`${series[position]?.name} ${write(value)}`] : [],
  )
  const total = `${describePeriod(column.start, unit)}: ${write(column.total)}`
  return parts.length > 0 ? `${total} (${parts.join(', ')})` : total
}

/** Diagonal lines over a colour. */
function HatchPattern({ id }: { id: string }) {
  return (
    <pattern
      id={id}
      className="hatch"
      width="4"
      height="4"
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)"
    >
      <path d="M0 0V4" />
    </pattern>
  )
}

type ColumnStackProps = {
  column: Column
  series: Columns['series']
  x: ReturnType<typeof scaleBand<string>>
  y: ReturnType<typeof scaleLinear<number>>
  hatchId: string
}

/** One column: its series from the ground up. */
function ColumnStack({ column, series, x, y, hatchId }: ColumnStackProps) {
  const left = x(column.start) ?? 0
  let below = 0
  return (
    <g>
      {column.values.map((value, position) => {
        if (value <= 0) return null
        const bottomPx = y(below)
        below += value
        const heightPx = Math.max(bottomPx - y(below) - GAP, 0.6)
        const box = { x: left, y: bottomPx - GAP - heightPx + 0.5, width: x.bandwidth(), height: heightPx }
        return (
          <g key={series[position]?.key ?? series[position]?.name}>
            <rect className={`series-${position}`} {...box} />
            {position === HATCHED_SERIES && <rect fill={`url(#${hatchId})`} {...box} />}
          </g>
        )
      })}
    </g>
  )
}
