import './summary-strip.css'
import '../../../ui/figures/figures.css'
import { useQuery } from '@tanstack/react-query'
import { usageQuery } from '../../../api/usage.ts'
import { ExplainButton } from '../../../content/explain/explain-button.tsx'
import { lastDays } from '../../../lib/figures/day-range.ts'
import {
  describeCost,
  formatCost,
  formatCount,
  formatPercent,
  formatTokens,
} from '../../../lib/figures/format.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { Figure } from '../../../ui/figures/figure.tsx'
import { CostSparkline } from './cost-sparkline.tsx'

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
              <span className="tone-error">{formatPercent(toolErrors / toolCalls)} failed</span>
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
