import type { scaleBand, scaleLinear } from '@visx/scale'
import type { Column, Columns } from './columns.ts'
import { describePeriod } from './describe-period.ts'

type Props = {
  column: Column
  data: Columns
  x: ReturnType<typeof scaleBand<string>>
  y: ReturnType<typeof scaleLinear<number>>
  write: (value: number) => string
  hatchId: string
  top: number
}

/** The third series is hatched, so that print and forced colours tell it too. */
const HATCHED_SERIES = 2
const GAP = 1

/** One column: its series from the ground up, and a reach over the full height that names them. */
export function ColumnStack({ column, data, x, y, write, hatchId, top }: Props) {
  const left = x(column.start) ?? 0
  const base = y(0)
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
          <g key={data.series[position]}>
            <rect className={`series-${position}`} {...box} />
            {position === HATCHED_SERIES && <rect fill={`url(#${hatchId})`} {...box} />}
          </g>
        )
      })}
      <rect
        className="reach"
        x={left - (x.step() - x.bandwidth()) / 2}
        y={top}
        width={x.step()}
        height={base - top}
      >
        <title>{describe(column, data, write)}</title>
      </rect>
    </g>
  )
}

function describe(column: Column, data: Columns, write: (value: number) => string): string {
  const lines = column.values.flatMap((value, position) =>
    value > 0 && data.series.length > 1 ? [`${data.series[position]}: ${write(value)}`] : [],
  )
  return [`${describePeriod(column.start, data.unit)}: ${write(column.total)}`, ...lines].join('\n')
}
