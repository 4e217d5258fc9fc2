import { apiPaths } from '@gemini-dash/api/paths'
import { useQuery } from '@tanstack/react-query'
import { costReportQuery } from '../../api/cost.ts'
import { formatCount, formatPlural } from '../../lib/format.ts'
import { SUPERSEDED_WORD } from '../../lib/superseded-word.ts'
import { Failed } from '../../ui/failed.tsx'
import { exactUsd } from './exact-usd.ts'
import { ExplainCalls } from './explain-calls.tsx'
import { TermTable } from './term-table.tsx'
import { tierWords } from './tier-words.ts'
import { UNKNOWN_REASON } from './unknown-reason.ts'

interface Props {
  sessionRef: string
  turn: number | undefined
  onJump: (messageKey: string, offset: number) => void
}

/** A sum over calls: by model, price and tier, then the calls themselves. */
export function ExplainSum({ sessionRef, turn, onJump }: Props) {
  const { data, error, refetch } = useQuery(costReportQuery(sessionRef, turn))
  if (error !== null)
    return <Failed what="The prices could not be read." error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  const { usage, cost, rates, unknown, superseded, savedByCache, calls } = data
  return (
    <>
      <p>
        {formatPlural(usage.calls, 'model call')}, {formatCount(usage.total)} tokens in all
        {cost.usd !== null && `, ${exactUsd(cost.usd)} at list price`}. Each call is billed at the rates of
        its own day, model and input.
      </p>
      {rates.map((rate) => (
        <section key={`${rate.model} ${rate.since} ${rate.aboveInputTokens}`} className="explain-rate">
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
      ))}
      <ul className="explain-notes">
        {unknown.map(({ reason, model, calls: count }) => (
          <li key={`${reason} ${model}`}>
            {formatPlural(count, 'call')}
            {model !== null && ` of ${model}`} without a price: {UNKNOWN_REASON[reason]}. In no sum, never $0.
          </li>
        ))}
        {superseded.map((part) => (
          <li key={part.cause}>
            {SUPERSEDED_WORD[part.cause]}: {formatPlural(part.usage.calls, 'call')}
            {part.cost.usd !== null && `, ${exactUsd(part.cost.usd)}`}. Billed, so counted here.
          </li>
        ))}
        {savedByCache.usd !== null && savedByCache.usd > 0 && (
          <li>Without the cache it would have been {exactUsd(savedByCache.usd)} more.</li>
        )}
      </ul>
      <ExplainCalls
        calls={calls}
        total={usage.calls}
        rawHref={(messageKey) => apiPaths.raw(sessionRef, messageKey)}
        onJump={onJump}
      />
    </>
  )
}
