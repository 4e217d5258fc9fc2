import type { SessionCost } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { useQuery } from '@tanstack/react-query'
import { costReportQuery } from '../../api/cost.ts'
import type { FigureName } from '../../content/explain/explain-context.ts'
import { formatCount, formatPlural } from '../../lib/figures/format.ts'
import { Failed } from '../../ui/states/failed.tsx'
import { ExplainCalls } from './explain-calls.tsx'
import { ExplainFamily } from './explain-family.tsx'
import { ExplainNotes } from './explain-notes.tsx'
import { exactUsd } from './tables/exact-usd.ts'
import { TermTable } from './tables/term-table.tsx'
import { TokenTable } from './tables/token-table.tsx'
import { tierWords } from './tier-words.ts'

interface Props {
  sessionRef: string
  turn: number | undefined
  figure: FigureName | undefined
  /** undefined: the session is not the one of the page. */
  onJump: ((messageKey: string, offset: number) => void) | undefined
}

/** A sum over calls: its tokens, its cost by model, price and tier, its sub-agents, then the calls themselves. */
export function ExplainSum({ sessionRef, turn, figure, onJump }: Props) {
  const { data, error, refetch } = useQuery(costReportQuery(sessionRef, turn))
  if (error !== null)
    return <Failed what="The prices could not be read." error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  const { usage, cost, rates, unknown, family, calls } = data
  const hasPrices = !unknown.some(({ reason }) => reason === 'plan')
  return (
    <>
      <p>
        {formatPlural(usage.calls, 'model call')}, {formatCount(usage.total)} tokens in all
        {cost.usd !== null && `, ${exactUsd(cost.usd)} at list price`}
        {family !== null && ', without sub-agents'}.
        {hasPrices && ' Each call is billed at the rates of its own day, model and input.'}
      </p>
      {usage.total > 0 && <TokenTable usage={usage} figure={figure} />}
      {rates.map((rate) => (
        <Rate key={`${rate.model} ${rate.since} ${rate.aboveInputTokens}`} rate={rate} />
      ))}
      <ExplainNotes report={data} />
      {family !== null && <ExplainFamily family={family} own={{ usage, cost }} />}
      <ExplainCalls
        calls={calls}
        total={usage.calls}
        sessionRef={sessionRef}
        rawHref={(messageKey) => apiPaths.raw(sessionRef, messageKey)}
        hasPrices={hasPrices}
        onJump={onJump}
      />
    </>
  )
}

/** Calls that share a model, a price and a tier. */
function Rate({ rate }: { rate: SessionCost['rates'][number] }) {
  return (
    <section className="explain-rate">
      <h3>
        {rate.model}
        {rate.priced !== rate.model && ` as ${rate.priced}`}, {formatPlural(rate.calls, 'call')}
      </h3>
      <p className="dim">
        {rate.source === 'user' ? 'Your own price' : 'List price'} ({rate.edition}
        {rate.since !== null && `, in force since ${rate.since}`}){' '}
        {tierWords(rate.aboveInputTokens, rate.upToInputTokens)}
      </p>
      <TermTable terms={rate.terms} usd={rate.usd} />
    </section>
  )
}
