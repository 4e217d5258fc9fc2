import type { scaleBand, scaleLinear } from '@visx/scale'
import { weekdayOf } from '../../../lib/figures/calendar-day.ts'
import type { PeriodUnit } from '../frame/periods.ts'
import { describePeriod } from '../frame/periods.ts'

type Props = {
  columns: { start: string }[]
  unit: PeriodUnit
  x: ReturnType<typeof scaleBand<string>>
  y: ReturnType<typeof scaleLinear<number>>
  write: (value: number) => string
}

const VALUE_TICKS = 4
/** Between a label and its line. */
export const TICK_GAP_PX = 8
/** So much room a label needs. */
const LABEL_PX = 64

/** The values that have a line, and what is written beside it. */
export function writeTicks(y: Props['y'], write: Props['write']): { value: number; label: string }[] {
  return y.ticks(VALUE_TICKS).map((value) => ({ value, label: writeTick(value, write) }))
}

/** Grid lines with their values, and a tick per column with the dates that fit. */
export function ColumnAxes({ columns, unit, x, y, write }: Props) {
  const [left, right] = x.range()
  const base = y(0)
  const every = Math.max(1, Math.ceil(LABEL_PX / x.step()))
  let lastLabelPx = Number.NEGATIVE_INFINITY
  return (
    <>
      {writeTicks(y, write).map(({ value, label }) => (
        <g key={value}>
          <line
            className={value === 0 ? 'axis' : 'grid-line'}
            x1={left}
            x2={right}
            y1={y(value)}
            y2={y(value)}
          />
          <text x={left - TICK_GAP_PX} y={y(value) + 4} textAnchor="end">
            {label}
          </text>
        </g>
      ))}
      {columns.map((column, position) => {
        const at = (x(column.start) ?? 0) - (x.step() - x.bandwidth()) / 2
        const isLabelled = isLandmark(column.start, unit, every, position) && at - lastLabelPx >= LABEL_PX
        if (isLabelled) lastLabelPx = at
        return (
          <g key={column.start}>
            <line className="tick" x1={at} x2={at} y1={base} y2={base + (isLabelled ? 7 : 4)} />
            {isLabelled && (
              <text x={at + 4} y={base + 18}>
                {describePeriod(column.start, unit === 'week' ? 'day' : unit)}
              </text>
            )}
          </g>
        )
      })}
    </>
  )
}

/** Prices so small that two decimals cannot tell the lines apart have all that they need. */
function writeTick(value: number, write: (value: number) => string): string {
  const written = write(value)
  const isPrice = written.includes('$')
  if (isPrice && value > 0 && value !== Math.round(value * 100) / 100)
    return `$${Number(value.toPrecision(2))}`
  return written.replace(/\.00$/, '')
}

/** Days are counted from Mondays; weeks and months from the first column. */
function isLandmark(start: string, unit: PeriodUnit, every: number, position: number): boolean {
  return unit === 'day' ? weekdayOf(start) === 0 : position % every === 0
}
