import type { scaleBand, scaleLinear } from '@visx/scale'
import type { Column, Columns } from './columns.ts'

type Props = {
  column: Column
  series: Columns['series']
  x: ReturnType<typeof scaleBand<string>>
  y: ReturnType<typeof scaleLinear<number>>
  hatchId: string
}

/** The third series is hatched, so that print and forced colours tell it too. */
const HATCHED_SERIES = 2
const GAP = 1

/** One column: its series from the ground up. */
export function ColumnStack({ column, series, x, y, hatchId }: Props) {
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
