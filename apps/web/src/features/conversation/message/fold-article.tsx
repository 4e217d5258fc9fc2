import './fold-article.css'
import { ChevronRight, Undo2 } from 'lucide-react'
import { useContext } from 'react'
import { formatFineUsd, formatPlural } from '../../../lib/format.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Leads } from '../lead/leads.tsx'
import { OpenStoreContext } from '../open-store.ts'
import { foldHeadline } from '../rows/fold-headline.ts'
import { foldId } from '../rows/fold-id.ts'
import { foldTally } from '../rows/fold-tally.ts'
import type { Fold, Lead } from '../rows/row.ts'

/** Messages that the CLI took back: closed to one line with the cause and what they still cost. */
export function FoldArticle({ fold, lead, total }: { fold: Fold; lead: Lead[]; total: number }) {
  const store = useContext(OpenStoreContext)
  const tally = foldTally(fold)
  const firstOffset = fold.messages[0]?.offset ?? 0
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
        className="fold-head"
        aria-expanded={fold.isOpen}
        onClick={() =>
          store.set(
            fold.messages.map(({ message }) => foldId(message.key)),
            !fold.isOpen,
          )
        }
      >
        <Icon of={ChevronRight} small className="disclosure-chevron" />
        <Icon of={Undo2} small />
        <b>{foldHeadline(fold)}</b>
        {!fold.isOpen && <s dir="auto">{tally.firstLine}</s>}
        <span className="fold-tally">
          {[
            formatPlural(tally.messages, 'message'),
            tally.calls > 0 && formatPlural(tally.calls, 'call'),
            tally.usd !== null && tally.usd > 0 && `still billed ${formatFineUsd(tally.usd)}`,
          ]
            .filter(Boolean)
            .join(', ')}
        </span>
      </button>
    </article>
  )
}
