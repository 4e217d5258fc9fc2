import './summary-strip.css'
import '../../../ui/figures/figures.css'
import type { UsageReport } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usageQuery } from '../../../api/usage.ts'
import { ExplainButton } from '../../../content/explain/explain-button.tsx'
import { lastDays } from '../../../lib/figures/day-range.ts'
import {
  describeCost,
  formatCost,
  formatCount,
  formatDate,
  formatPercent,
  formatTokens,
  formatUsd,
  startOfDay,
} from '../../../lib/figures/format.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { Figure } from '../../../ui/figures/figure.tsx'

const WIDTH = 248
const BASE = 38
/** Below the caption. */
const HIGHEST = 24
const STEP = WIDTH / 30
const WEEK = 7

const WEEK_DAYS = 7
const MONTH_DAYS = 30

/** What the last seven days came to, beside the cost of each of the last thirty. */
export function SummaryStrip({ hasPrices }: { hasPrices: boolean }) {
  const now = useNow()
  const weekStart = lastDays(WEEK_DAYS, now)[0]
  const days = lastDays(MONTH_DAYS, now)
  const week = useQuery(usageQuery({ by: 'day', from: weekStart }))
  const tools = useQuery(usageQuery({ by: 'tool', from: weekStart }))
  const month = useQuery(usageQuery({ by: 'day', from: days[0] }))
  const explains = { kind: 'usage', name: 'last 7 days', scope: { from: weekStart } } as const
  if (!week.data) return <div className="summary" />
  const { usage, cost, sessions } = week.data.total
  const toolRows = tools.data?.rows ?? []
  const toolCalls = toolRows.reduce((sum, row) => sum + row.calls, 0)
  const toolErrors = toolRows.reduce((sum, row) => sum + (row.errors ?? 0), 0)
  return (
    <div className="summary">
      <dl className="figures">
        <Figure label="Sessions, last 7 days">{formatCount(sessions)}</Figure>
        <Figure
          label="Input tokens"
          title={`${formatCount(usage.input)} tokens`}
          note={usage.input > 0 && `${formatPercent(usage.cached / usage.input)} cached`}
        >
          <ExplainButton of={{ ...explains, figure: 'input' }}>{formatTokens(usage.input)}</ExplainButton>
        </Figure>
        <Figure
          label="Output and thoughts"
          className="roomy-only"
          title={`${formatCount(usage.output)} output, ${formatCount(usage.thoughts)} thoughts`}
        >
          <ExplainButton of={{ ...explains, figure: 'output' }}>
            {formatTokens(usage.output + usage.thoughts)}
          </ExplainButton>
        </Figure>
        <Figure
          label="Tool calls"
          note={
            toolErrors > 0 && (
              <Link
                to="/search"
                search={{ q: `is:error after:${weekStart}` }}
                className="tone-error"
                title={`${formatCount(toolErrors)} calls failed: find them`}
              >
                {formatPercent(toolErrors / toolCalls)} failed
              </Link>
            )
          }
        >
          {formatCount(toolCalls)}
        </Figure>
        {hasPrices && (
          <Figure
            label="Cost"
            title={describeCost(cost)}
            note={cost.unpricedCalls > 0 && `${formatCount(cost.unpricedCalls)} unpriced`}
          >
            <ExplainButton of={{ ...explains, figure: 'cost' }}>
              {formatCost({ usd: cost.usd, unpricedCalls: 0 })}
            </ExplainButton>
          </Figure>
        )}
      </dl>
      {month.data && <CostSparkline rows={month.data.rows} days={days} recentDays={WEEK_DAYS} />}
    </div>
  )
}

type Props = {
  rows: UsageReport['rows']
  /** Oldest first. */
  days: string[]
  /** The newest days that the figures beside are about. */
  recentDays: number
}

/** Cost per day as small bars; days without cost are a hairline. */
function CostSparkline({ rows, days, recentDays }: Props) {
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
