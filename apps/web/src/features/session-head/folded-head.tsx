import './session-head.css'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useHasPrices } from '../../api/health.ts'
import type { ShownDetail } from '../../api/session/opening.ts'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { ToMessage } from '../../ui/controls/to-message.tsx'
import { sessionName } from './session-name.ts'
import { toHeadFigures } from './to-head-figures.ts'
import { Verdict } from './verdict.tsx'

interface Props {
  sessionRef: string
  detail: ShownDetail
  viewSwitch: ReactNode
  onUnfold: () => void
}

/** The head on one line, where what stands below it needs the room. */
export function FoldedHead({ sessionRef, detail, viewSwitch, onUnfold }: Props) {
  const hasPrices = useHasPrices()
  const figures = toHeadFigures(detail, hasPrices).filter(({ unit }) => unit !== undefined)
  return (
    <header className="folded-head">
      <IconButton
        icon={ChevronRight}
        label="Show all about this session"
        aria-expanded={false}
        onClick={onUnfold}
      />
      <h1 dir="auto">{sessionName(detail.session)}</h1>
      <span className="folded-verdict">
        <Verdict
          sessionRef={sessionRef}
          session={detail.session}
          figures={{ ...detail.figures, failedCalls: null }}
        />
      </span>
      <span className="folded-figures">
        {figures.map(({ label, value, unit, notes }) => (
          <span key={label} title={label}>
            {unit === 'cost' ? <b>{value}</b> : `${value} ${unit}`}
            {notes.map(
              ({ text, messageKey, isFailure }) =>
                isFailure &&
                messageKey !== undefined && (
                  <ToMessage
                    key={text}
                    sessionRef={sessionRef}
                    messageKey={messageKey}
                    call={null}
                    className="failure-link"
                  >
                    {text}
                  </ToMessage>
                ),
            )}
          </span>
        ))}
      </span>
      {viewSwitch}
    </header>
  )
}
