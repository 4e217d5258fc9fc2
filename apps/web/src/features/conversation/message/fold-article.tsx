import './fold-article.css'
import { ChevronRight, Network, Undo2 } from 'lucide-react'
import { useContext } from 'react'
import { classNames } from '../../../lib/browser/class-names.ts'
import { formatFineCost, formatPlural, formatTokens } from '../../../lib/figures/format.ts'
import { Icon } from '../../../ui/signs/icon.tsx'
import { Leads } from '../lead/leads.tsx'
import { OpenStoreContext } from '../open/open-store.ts'
import { foldHeadline } from '../rows/fold-headline.ts'
import { foldId } from '../rows/fold-id.ts'
import { foldKeys } from '../rows/fold-keys.ts'
import { type FoldTally, foldTally } from '../rows/fold-tally.ts'
import type { Fold, Lead } from '../rows/row.ts'

/** Messages that the CLI took back, or that a sub-agent wrote: closed to one line with the cause and what they cost. */
export function FoldArticle({ fold, lead, total }: { fold: Fold; lead: Lead[]; total: number }) {
  const store = useContext(OpenStoreContext)
  const tally = foldTally(fold)
  const firstOffset = fold.branch?.firstOffset ?? fold.messages[0]?.offset ?? 0
  const isAgent = fold.cause === 'agent'
  return (
    <article
      className="fold"
      aria-label={foldHeadline(fold)}
      aria-posinset={firstOffset + 1}
      aria-setsize={total}
    >
      <Leads lead={lead} />
      <button
        type="button"
        className={classNames('fold-head', isAgent && 'of-agent')}
        aria-expanded={fold.isOpen}
        onClick={() => store.set(foldKeys(fold).map(foldId), !fold.isOpen)}
      >
        <Icon of={ChevronRight} small className="disclosure-chevron" />
        <Icon of={isAgent ? Network : Undo2} small />
        <b>{foldHeadline(fold)}</b>
        {!fold.isOpen && !isAgent && <s dir="auto">{tally.firstLine}</s>}
        {isAgent && (
          <span className="fold-task" dir="auto">
            {tally.firstLine}
          </span>
        )}
        <span className="fold-tally">{tallyWords(tally, isAgent)}</span>
      </button>
    </article>
  )
}

function tallyWords({ messages, calls, tokens, cost }: FoldTally, isAgent: boolean): string {
  return [
    formatPlural(messages, 'message'),
    calls > 0 && formatPlural(calls, 'call'),
    tokens > 0 && `${formatTokens(tokens)} tokens`,
    (cost.usd ?? 0) > 0 && `${isAgent ? '' : 'still billed '}${formatFineCost(cost)}`,
  ]
    .filter(Boolean)
    .join(', ')
}
