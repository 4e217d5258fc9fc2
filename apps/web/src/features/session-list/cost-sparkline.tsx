import { useQuery } from '@tanstack/react-query'
import { usageQuery } from '../../api/usage.ts'
import { lastDays } from '../../lib/figures/day-range.ts'
import { formatDate, formatUsd, startOfDay } from '../../lib/figures/format.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { FailedLine } from '../../ui/states/failed-line.tsx'

const DAYS = 30
const WEEK = 7
const WIDTH = 248
const BASE = 38
/** Below the caption. */
const HIGHEST = 24
const STEP = WIDTH / DAYS

interface Props {
  /** The days that the figures beside it are about; not named: all. `to` is not included. */
  from: string | undefined
  to: string | undefined
}

/** What each of the last thirty days cost, as small bars; days without cost are a hairline. */
export function CostSparkline({ from, to }: Props) {
  const days = lastDays(DAYS, useNow())
  const month = useQuery(usageQuery({ by: 'day', from: days[0] }))
  if (month.data === undefined)
    return (
      <div className="sparkline wide-only roomy-only">
        <FailedLine what="The cost per day could not be loaded." asked={month} />
      </div>
    )
  const isMeant = (day: string) => (from === undefined || day >= from) && (to === undefined || day < to)
  const costByDay = new Map(month.data.rows.map((row) => [row.key, row.cost?.usd ?? 0]))
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
              className={isMeant(days[position] ?? '') ? 'recent' : undefined}
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
