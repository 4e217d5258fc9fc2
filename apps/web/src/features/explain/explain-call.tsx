import { apiPaths } from '@gemini-dash/api/paths'
import { useQuery } from '@tanstack/react-query'
import { callCostQuery } from '../../api/cost.ts'
import { formatCount } from '../../lib/format.ts'
import { Failed } from '../../ui/failed.tsx'
import { TermTable } from './term-table.tsx'
import { tierWords } from './tier-words.ts'
import { UNKNOWN_REASON } from './unknown-reason.ts'

/** One call: its model, the price of its day, the tier that its input chose, and each product. */
export function ExplainCall({ sessionRef, messageKey }: { sessionRef: string; messageKey: string }) {
  const { data, error, refetch } = useQuery(callCostQuery(sessionRef, messageKey))
  if (error !== null)
    return <Failed what="The price could not be read." error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  const { model, price, tier, terms, usd, reason, formula, unexplainedTokens } = data
  return (
    <>
      {reason !== null && <p>Its cost is not known: {UNKNOWN_REASON[reason]}.</p>}
      {price !== null && (
        <p>
          {model.recorded}
          {model.priced !== model.recorded && model.priced !== null && `, priced as ${model.priced}`} on{' '}
          {price.day}, at {price.source === 'user' ? 'your own price' : 'list price'} ({price.edition}
          {price.since !== null && `, in force since ${price.since}`})
          {tier !== null &&
            tierWords(tier.aboveInputTokens, tier.upToInputTokens) !== '' &&
            `, ${tierWords(tier.aboveInputTokens, tier.upToInputTokens)}. This one sent ${formatCount(tier.inputTokens)}`}
          .
        </p>
      )}
      {terms.length > 0 && <TermTable terms={terms} usd={usd} />}
      {formula !== null && <p className="explain-formula">{formula}</p>}
      {unexplainedTokens !== 0 && (
        <p>The recorded total differs from its parts by {formatCount(unexplainedTokens)} tokens.</p>
      )}
      <p>Cached tokens are part of the input and counted once; thoughts are billed like output.</p>
      <p>
        <a className="link" href={apiPaths.raw(sessionRef, messageKey)} target="_blank" rel="noreferrer">
          The raw record, with its file and line
        </a>
      </p>
    </>
  )
}
