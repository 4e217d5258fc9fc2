import './head-figures.css'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId, useSyncExternalStore } from 'react'
import { useHasPrices } from '../../api/health.ts'
import type { ShownDetail } from '../../api/session/opening.ts'
import { ExplainButton } from '../../content/explain/explain-button.tsx'
import { keptChoice } from '../../lib/browser/kept-choice.ts'
import { useIsNarrow } from '../../lib/hooks/use-is-narrow.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ToMessage } from '../../ui/controls/to-message.tsx'
import { Figure } from '../../ui/figures/figure.tsx'
import { TokenText } from '../../ui/figures/token-text.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { type HeadFigure, toHeadFigures, WHOLE_TIME } from './to-head-figures.ts'

interface Props {
  sessionRef: string
  detail: ShownDetail
  /** What else is told when all figures are. */
  children: ReactNode
}

/** Open once, open for every session; and still open when all is drawn anew, as in another time zone. */
const allFigures = keptChoice<boolean>(
  'gemini-dash.all-figures',
  (kept) => kept === 'yes',
  (isAll) => (isAll ? 'yes' : null),
)

/** The five figures that matter first, on one line, and all others behind them. */
export function HeadFigures({ sessionRef, detail, children }: Props) {
  const isAll = useSyncExternalStore(allFigures.subscribe, allFigures.get)
  const restId = useId()
  const figures = toHeadFigures(detail, useHasPrices())
  const rest = figures.filter(({ unit, notes }) => unit === undefined || notes.some(({ isSide }) => isSide))
  return (
    <>
      <div className="head-figures">
        <dl>
          {figures.map((figure) => (
            <MainFigure key={figure.label} sessionRef={sessionRef} figure={figure} />
          ))}
        </dl>
        <Button
          look="quiet"
          size="tiny"
          aria-expanded={isAll}
          aria-controls={isAll ? restId : undefined}
          onClick={() => allFigures.set(!isAll)}
        >
          <Icon of={ChevronRight} small className="disclosure-chevron" />
          <span>More</span>
        </Button>
      </div>
      {isAll && (
        <div id={restId} className="head-rest">
          <dl className="figures">
            {rest.map((figure) => (
              <Figure
                key={figure.label}
                label={figure.label}
                note={figure.notes.length > 0 && figure.notes.map(({ text }) => text).join(', ')}
                title={figure.title}
              >
                <Value {...figure} />
              </Figure>
            ))}
          </dl>
          {children}
        </div>
      )}
    </>
  )
}

function MainFigure({ sessionRef, figure }: { sessionRef: string; figure: HeadFigure }) {
  const { unit, title } = figure
  const isNarrow = useIsNarrow()
  if (unit === undefined) return null
  const notes = figure.notes.filter(({ isSide }) => !isSide)
  const leadsToCost = unit === 'cost' && figure.value !== '-'
  // on a phone a note that leads somewhere stands in the place of the word, and for others there is no room
  const isTold = leadsToCost || notes[0]?.messageKey !== undefined
  return (
    <div className={isTold && notes.length + Number(leadsToCost) > 0 ? 'note-first' : 'word-first'}>
      <dt>{isNarrow && unit === WHOLE_TIME ? 'time' : unit}</dt>
      <dd className="head-value" title={title}>
        <Value {...figure} />
      </dd>
      {notes.map(({ text, title: meaning, messageKey, isFailure }) => (
        <dd key={text} title={meaning} className={messageKey === undefined ? 'roomy-only' : undefined}>
          {messageKey === undefined ? (
            text
          ) : (
            <ToMessage
              sessionRef={sessionRef}
              messageKey={messageKey}
              call={null}
              className={isFailure ? 'failure-link' : 'verdict-link'}
            >
              {text}
            </ToMessage>
          )}
        </dd>
      ))}
      {leadsToCost && (
        <dd>
          <Link
            from="/s/$key"
            to="/s/$key"
            params={{ key: sessionRef }}
            search={(search) => ({ ...search, view: 'context' as const })}
            className="link"
          >
            where it went
          </Link>
        </dd>
      )}
    </div>
  )
}

function Value({ value, tokens, explains }: Pick<HeadFigure, 'value' | 'tokens' | 'explains'>) {
  if (explains === undefined) return value
  return (
    <ExplainButton of={{ kind: 'session', figure: explains }}>
      {tokens === undefined ? value : <TokenText tokens={tokens} />}
    </ExplainButton>
  )
}
