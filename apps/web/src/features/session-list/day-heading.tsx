import type { SessionList } from '@gemini-dash/api'
import { formatCost, formatDay, formatPlural, formatTokens } from '../../lib/format.ts'

type Props = { day: string; totals: SessionList['days'][number] | undefined; now: Date }

/** A day with its sessions, input tokens and cost. */
export function DayHeading({ day, totals, now }: Props) {
  return (
    <h2 className="session-day">
      <b>{formatDay(day, now)}</b>
      {totals && (
        <span>
          {formatPlural(totals.sessions, 'session')}
          {totals.usage.input > 0 && `, ${formatTokens(totals.usage.input)} in`}
          {totals.cost.usd !== null && `, ${formatCost(totals.cost)}`}
        </span>
      )}
    </h2>
  )
}
