import type { CallExplanation } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { useQuery } from '@tanstack/react-query'
import { callCostQuery } from '../../api/cost.ts'
import type { FigureName } from '../../content/explain/explain-context.ts'
import { formatCount } from '../../lib/figures/format.ts'
import { SUPERSEDED_WORD } from '../../lib/session/superseded-word.ts'
import { Failed } from '../../ui/states/failed.tsx'
import { ExplainRecords } from './explain-records.tsx'
import { TermTable } from './tables/term-table.tsx'
import { TokenTable } from './tables/token-table.tsx'
import { tierWords } from './tier-words.ts'
import { UNKNOWN_REASON } from './unknown-reason.ts'

interface Props {
  sessionRef: string
  messageKey: string
  figure: FigureName | undefined
}

/** One call: its recorded tokens, the price of its day, the tier that its input chose, each product, and its records. */
export function ExplainCall({ sessionRef, messageKey, figure }: Props) {
  const { data, error, refetch } = useQuery(callCostQuery(sessionRef, messageKey))
  if (error !== null)
    return <Failed what="The price could not be read." error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  const { terms, usd, reason, formula, usage, superseded, records } = data
  return (
    <>
      {usage !== null && <TokenTable usage={usage} figure={figure} />}
      {superseded !== null && <p>It was {SUPERSEDED_WORD[superseded]} later. It was billed, so it counts.</p>}
      {reason !== null && <p>Its cost is not known: {UNKNOWN_REASON[reason]}.</p>}
      <PriceLine explanation={data} />
      {terms.length > 0 && <TermTable terms={terms} usd={usd} />}
      {formula !== null && <p className="explain-formula">{formula}</p>}
      <ExplainRecords records={records} rawHref={apiPaths.raw(sessionRef, messageKey)} />
    </>
  )
}

function PriceLine({ explanation: { model, price, tier } }: { explanation: CallExplanation }) {
  if (price === null) return null
  const isRenamed = model.priced !== model.recorded && model.priced !== null
  const tierText = tier === null ? '' : tierWords(tier.aboveInputTokens, tier.upToInputTokens)
  return (
    <p>
      {model.recorded}
      {isRenamed && `, priced as ${model.priced}${model.alias === null ? '' : ' by prices.json'}`} on{' '}
      {price.day}, at {price.source === 'user' ? 'your own price' : 'list price'} ({price.edition}
      {price.since !== null && `, in force since ${price.since}`})
      {tier !== null &&
        tierText !== '' &&
        `, ${tierText}. This one sent ${formatCount(tier.inputTokens)}, and all its tokens go by that rate`}
      .
    </p>
  )
}
