import type { SessionDetail } from '@gemini-dash/api'
import { ChevronRight } from 'lucide-react'
import { Fragment, useState } from 'react'
import { useHasPrices } from '../../api/use-has-prices.ts'
import { ExplainButton } from '../../content/explain/explain-button.tsx'
import { useIsNarrow } from '../../lib/hooks/use-is-narrow.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Figure } from '../../ui/figures/figure.tsx'
import { TokenText } from '../../ui/figures/token-text.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { type HeadFigure, toHeadFigures } from './to-head-figures.ts'

/** The totals of a session; on a phone the four that matter first. */
export function SessionFigures({ detail }: { detail: SessionDetail }) {
  const isNarrow = useIsNarrow()
  const [isAll, setIsAll] = useState(false)
  const hasPrices = useHasPrices()
  const figures = toHeadFigures(detail, hasPrices)
  const shown = isNarrow && !isAll ? figures.filter((figure) => figure.isMain) : figures
  const rest = figures.length - shown.length
  return (
    <>
      <dl className="figures">
        {shown.map(({ label, notes, title, value, tokens, explains }) => (
          <Figure key={label} label={label} note={notes.length > 0 && <Notes notes={notes} />} title={title}>
            {explains === undefined ? (
              value
            ) : (
              <ExplainButton of={{ kind: 'session', figure: explains }}>
                {tokens === undefined ? value : <TokenText tokens={tokens} />}
              </ExplainButton>
            )}
          </Figure>
        ))}
      </dl>
      {rest > 0 && (
        <Button look="quiet" aria-expanded={false} onClick={() => setIsAll(true)}>
          <Icon of={ChevronRight} small />
          {rest} more figures
        </Button>
      )}
    </>
  )
}

function Notes({ notes }: Pick<HeadFigure, 'notes'>) {
  return notes.map(({ text, isBad }, index) => (
    <Fragment key={text}>
      {index > 0 && ', '}
      {isBad ? <span className="tone-error">{text}</span> : text}
    </Fragment>
  ))
}
