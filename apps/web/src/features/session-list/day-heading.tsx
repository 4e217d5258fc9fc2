import type { SessionList } from '@gemini-dash/api'
import type { SessionFilter } from '../../api/sessions.ts'
import { ExplainButton } from '../../content/explain/explain-button.tsx'
import type { FigureName } from '../../content/explain/explain-context.ts'
import { formatCost, formatDay, formatPlural, formatTokens } from '../../lib/figures/format.ts'

type Props = {
  day: string
  totals: SessionList['days'][number] | undefined
  /** What the list leaves out. */
  filter: SessionFilter
  now: Date
}

/** A day with its sessions, input tokens and cost; sub-agents included, as in the rows below it. */
export function DayHeading({ day, totals, filter, now }: Props) {
  const spent = totals?.withSubagents
  const explained = (figure: FigureName, text: string) =>
    isDayAlone(day, filter) ? (
      <ExplainButton of={{ kind: 'day', day, filter, figure }}>{text}</ExplainButton>
    ) : (
      text
    )
  return (
    <h2 className="session-day">
      <b>{formatDay(day, now)}</b>
      {totals && spent && (
        <span>
          {formatPlural(totals.sessions, 'session')}
          {spent.usage.input > 0 && <>, {explained('input', formatTokens(spent.usage.input))} in</>}
          {spent.cost.usd !== null && <>, {explained('cost', formatCost(spent.cost))}</>}
        </span>
      )}
    </h2>
  )
}

/** The sessions of the day can be asked for by the day: no other part of the filter is about times. */
function isDayAlone(day: string, { to, hour }: SessionFilter): boolean {
  return day !== 'unknown' && hour === undefined && (to === undefined || day < to)
}
