import './fold-article.css'
import { ChevronRight, Network, Undo2 } from 'lucide-react'
import { formatFineCost, formatPlural, formatTokens } from '../../../lib/figures/format.ts'
import { SUPERSEDED_MEANING } from '../../../lib/session/superseded-word.ts'
import { Icon } from '../../../ui/signs/icon.tsx'
import { foldHeadline } from '../rows/fold-headline.ts'
import type { FoldTally } from '../rows/fold-tally.ts'
import type { Fold } from '../rows/row.ts'

/** What stands on the line of a fold: why, what it begins with, how much it is and what it cost. */
export function FoldHead({ fold, tally, isOpen }: { fold: Fold; tally: FoldTally; isOpen: boolean }) {
  const isAgent = fold.cause === 'agent'
  return (
    <>
      <Icon of={ChevronRight} small className="disclosure-chevron" />
      <Icon of={isAgent ? Network : Undo2} small />
      <b title={fold.cause === 'agent' ? undefined : SUPERSEDED_MEANING[fold.cause]}>{foldHeadline(fold)}</b>
      {!isOpen && !isAgent && <s dir="auto">{tally.firstLine}</s>}
      {isAgent && (
        <span className="fold-task" dir="auto">
          {tally.firstLine}
        </span>
      )}
      <span className="fold-tally">{tallyWords(tally, isAgent)}</span>
    </>
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
