import './explain.css'
import { X } from 'lucide-react'
import type { Explained } from '../../content/explain-context.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { ExplainCall } from './explain-call.tsx'
import { ExplainSum } from './explain-sum.tsx'
import { StatsNote } from './stats-note.tsx'

interface Props {
  sessionRef: string
  figure: Explained
  onJump: (messageKey: string, offset: number | null) => void
  onClose: () => void
}

/** How a figure came about: rates, terms and tier, and the records that it is made of. */
export default function ExplainDialog({ sessionRef, figure, onJump, onClose }: Props) {
  const jump = (messageKey: string, offset: number | null) => {
    onClose()
    onJump(messageKey, offset)
  }
  return (
    <dialog
      className="explain"
      aria-labelledby="explain-title"
      ref={(dialog) => {
        if (dialog !== null && !dialog.open) dialog.showModal()
      }}
      onClose={onClose}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <header className="explain-head">
        <h2 id="explain-title">{titleOf(figure)}</h2>
        <IconButton icon={X} label="Close" onClick={onClose} />
      </header>
      {figure.kind === 'call' ? (
        <ExplainCall sessionRef={sessionRef} messageKey={figure.messageKey} />
      ) : (
        <ExplainSum
          sessionRef={sessionRef}
          turn={figure.kind === 'turn' ? figure.number : undefined}
          onJump={jump}
        />
      )}
      {figure.kind === 'session' && <StatsNote />}
    </dialog>
  )
}

function titleOf(figure: Explained): string {
  if (figure.kind === 'call') return 'How this call is counted'
  return figure.kind === 'turn' ? `How turn ${figure.number} is counted` : 'How this session is counted'
}
