import './column-chart.css'
import { scaleBand, scaleLinear } from '@visx/scale'
import { useId } from 'react'
import { useElementWidth } from '../../lib/use-element-width.ts'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import { ColumnAxes } from './column-axes.tsx'
import { ColumnStack } from './column-stack.tsx'
import type { Columns } from './columns.ts'
import { describePeriod } from './describe-period.ts'
import { type UsageMetric, usageMetrics } from './usage-metric.ts'

const HEIGHT = 212
const BASE = 188
const TOP = 28
const LEFT = 44
const RIGHT = 96
/** Narrower columns are not drawn: the chart scrolls instead, from its newest end. */
const LEAST_STEP = 14
const BAR_SHARE = 0.62

type Props = { data: Columns; metric: UsageMetric }

/** Stacked columns over time, drawn at the measured width so that the axis text keeps its size. */
export function ColumnChart({ data, metric }: Props) {
  const { ref, width: visibleWidth } = useElementWidth()
  const hatchId = useId()
  const { columns } = data
  const { write, label } = usageMetrics[metric]
  const width = Math.max(visibleWidth, LEFT + RIGHT + columns.length * LEAST_STEP)
  const highest = columns.reduce((most, column) => (column.total > most.total ? column : most))
  const mean = columns.reduce((sum, column) => sum + column.total, 0) / columns.length
  const x = scaleBand({
    domain: columns.map((column) => column.start),
    range: [LEFT, width - RIGHT],
    padding: 1 - BAR_SHARE,
  })
  const y = scaleLinear({ domain: [0, highest.total || 1], range: [BASE, TOP] })
  const summary = `${label} per ${data.unit}. Highest: ${write(highest.total)}, ${describePeriod(highest.start, data.unit)}. Mean: ${write(mean)}.`
  return (
    <div ref={ref}>
      <ScrollRegion label={`${label} per ${data.unit}`} className="from-end">
        {visibleWidth > 0 && (
          <svg
            className="column-chart"
            viewBox={`0 0 ${width} ${HEIGHT}`}
            width={width}
            height={HEIGHT}
            role="img"
            aria-label={summary}
          >
            <pattern
              id={hatchId}
              className="hatch"
              width="4"
              height="4"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <path d="M0 0V4" />
            </pattern>
            <ColumnAxes columns={columns} unit={data.unit} x={x} y={y} write={write} />
            {columns.map((column) => (
              <ColumnStack
                key={column.start}
                column={column}
                data={data}
                x={x}
                y={y}
                write={write}
                hatchId={hatchId}
                top={TOP}
              />
            ))}
            {highest.total > 0 && (
              <>
                <text
                  className="strong"
                  x={(x(highest.start) ?? 0) + x.bandwidth() / 2}
                  y={y(highest.total) - 6}
                  textAnchor="middle"
                >
                  {write(highest.total)}
                </text>
                <line className="mean" x1={LEFT} x2={width - RIGHT} y1={y(mean)} y2={y(mean)} />
                <text className="strong" x={width - RIGHT + 8} y={y(mean) + 1}>
                  {write(mean)}
                </text>
                <text x={width - RIGHT + 8} y={y(mean) + 14}>
                  mean per {data.unit}
                </text>
              </>
            )}
          </svg>
        )}
      </ScrollRegion>
    </div>
  )
}
