import type { SessionList } from '@gemini-dash/api'
import { formatCost, formatDay, formatPlural, formatTokens } from '../../lib/format.ts'

type Props = { day: string; totals: SessionList['days'][number] | undefined; now: Date }

/** A day with its sessions, input tokens and cost; sub-agents included, as in the rows below it. */
export function DayHeading({ day, totals, now }: Props) {
  const spent = totals?.withSubagents
  return (
    <h2 className="session-day">
      <b>{formatDay(day, now)}</b>
      {totals && spent && (
        <span>
          {formatPlural(totals.sessions, 'session')}
          {spent.usage.input > 0 && `, ${formatTokens(spent.usage.input)} in`}
          {spent.cost.usd !== null && `, ${formatCost(spent.cost)}`}
        </span>
      )}
    </h2>
  )
}
