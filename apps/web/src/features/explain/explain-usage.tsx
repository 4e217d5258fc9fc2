import { formatExactUsd } from '@gemini-dash/api/figures'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usageSumQuery } from '../../api/cost.ts'
import { useHasPrices } from '../../api/health.ts'
import type { FigureName, UsageScope } from '../../content/explain/explain-context.ts'
import { formatCount, formatDate, formatPlural } from '../../lib/figures/format.ts'
import { Failed } from '../../ui/states/failed.tsx'
import { SumTable } from './tables/sum-table.tsx'
import { TokenTable } from './tables/token-table.tsx'

interface Props {
  scope: UsageScope
  figure: FigureName | undefined
}

/** A figure of the usage page: by field, by model, and by the sessions that each explain themselves. */
export function ExplainUsage({ scope, figure }: Props) {
  const { data, error, refetch } = useQuery(usageSumQuery(scope))
  const hasPrices = useHasPrices()
  if (error !== null)
    return <Failed what="The sums could not be read." error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  const { total, models, sessions, sessionTotal } = data
  const { usage, cost } = total
  const unpriced = hasPrices ? models.filter((model) => model.cost.unpricedCalls > 0) : []
  return (
    <>
      <p>
        {formatPlural(total.calls, 'model call')} in {formatPlural(sessionTotal, 'session')}, sub-agents
        included: {formatCount(usage.total)} tokens
        {cost.usd !== null && `, ${formatExactUsd(cost.usd)} at list price`}. A call belongs to the day on
        which it was made.
      </p>
      <TokenTable usage={usage} figure={figure} />
      <section className="explain-rate">
        <h3>By model</h3>
        <SumTable
          label="By model"
          head="Model"
          rows={models.map(({ name, ...figures }) => ({
            key: name,
            name,
            ...figures,
            ...(models.length > 1 && {
              explains: { kind: 'usage', name, scope: { ...scope, model: name } },
            }),
          }))}
          together={{ usage, cost }}
        />
      </section>
      <ul className="explain-notes">
        {usage.callsWithoutTokens > 0 && (
          <li>
            {formatPlural(usage.callsWithoutTokens, 'call')} without recorded tokens: counted as{' '}
            {usage.callsWithoutTokens === 1 ? 'a call' : 'calls'}, in no sum of tokens or cost.
          </li>
        )}
        {unpriced.map(({ name, cost: { unpricedCalls } }) => (
          <li key={name}>
            {formatPlural(unpricedCalls, 'call')} of {name} without a known price. In no sum, never $0.
          </li>
        ))}
        {sessionTotal !== total.sessions && (
          <li>
            {formatPlural(total.sessions, 'session')} went on in this time, also those without a call; a
            sub-agent is part of the session that started it.
          </li>
        )}
        <li>
          What was taken back or summarised later was billed, so it counts. Copies of a call count once.
        </li>
      </ul>
      <section className="explain-rate">
        <h3>
          {sessions.length < sessionTotal
            ? `The costliest ${sessions.length} of ${formatCount(sessionTotal)} sessions`
            : 'Sessions'}
        </h3>
        <SumTable
          label="Sessions, costliest first"
          head="Session"
          rows={sessions.map(({ key, title, project, startTime, kind, ...figures }) => ({
            key,
            ...figures,
            explains: { kind: 'session', sessionRef: key },
            name: (
              <>
                <Link to="/s/$key" params={{ key }} className="link" title={title} dir="auto">
                  {title || key}
                </Link>
                <small dir="auto">
                  {[project, kind === 'subagent' && 'sub-agent', startTime && formatDate(startTime)]
                    .filter(Boolean)
                    .join(', ')}
                </small>
              </>
            ),
          }))}
        />
      </section>
    </>
  )
}
