import type { UsageReport } from '@gemini-dash/api'
import { formatDate, formatUsd, startOfDay } from '../../../lib/figures/format.ts'

type Props = {
  rows: UsageReport['rows']
  /** Oldest first. */
  days: string[]
  /** The newest days that the figures beside are about. */
  recentDays: number
}

const WIDTH = 248
const BASE = 38
/** Below the caption. */
const HIGHEST = 24
const STEP = WIDTH / 30
const WEEK = 7

/** Cost per day as small bars; days without cost are a hairline. */
export function CostSparkline({ rows, days, recentDays }: Props) {
  const costByDay = new Map(rows.map((row) => [row.key, row.cost?.usd ?? 0]))
  const costs = days.map((day) => costByDay.get(day) ?? 0)
  const highest = Math.max(...costs)
  const highestDay = days[costs.indexOf(highest)]
  const [firstDay] = days
  if (highest === 0 || !firstDay || !highestDay) return null
  const label = `Cost per day, last ${days.length} days. Highest: ${formatUsd(highest)} on ${formatDate(startOfDay(highestDay).toISOString())}.`
  return (
    <figure className="sparkline wide-only roomy-only">
      <svg viewBox={`0 0 ${WIDTH} 52`} width={WIDTH} height="52" role="img" aria-label={label}>
        {costs.map((cost, position) => {
          const height = Math.max(1, (cost / highest) * HIGHEST)
          return (
            <rect
              key={days[position]}
              className={position >= days.length - recentDays ? 'recent' : undefined}
              x={position * STEP}
              y={BASE - height}
              width="5.6"
              height={height}
            />
          )
        })}
        {days.map(
          (day, position) =>
            (days.length - 1 - position) % WEEK === 0 && (
              <line
                key={day}
                className="tick"
                x1={(position + 1) * STEP - 1}
                x2={(position + 1) * STEP - 1}
                y1={BASE}
                y2={BASE + 4}
              />
            ),
        )}
        <line className="axis" x1="0" x2={WIDTH} y1={BASE + 0.5} y2={BASE + 0.5} />
        <text x="0" y="10">
          Cost per day, {days.length} days
        </text>
        <text x="0" y="51">
          {formatDate(startOfDay(firstDay).toISOString())}
        </text>
        <text x={WIDTH} y="51" textAnchor="end">
          today
        </text>
      </svg>
    </figure>
  )
}
