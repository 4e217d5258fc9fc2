import './explain.css'
import './explain-table.css'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Explained } from '../../content/explain-context.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { ExplainCall } from './explain-call.tsx'
import { ExplainSum } from './explain-sum.tsx'
import { ExplainUsage } from './explain-usage.tsx'
import { StatsNote } from './stats-note.tsx'

interface Props {
  sessionRef: string | undefined
  figure: Explained
  onJump: ((messageKey: string, offset: number | null) => void) | undefined
  more: ((sessionRef: string) => ReactNode) | undefined
  onClose: () => void
}

/** How a figure came about: rates, terms and tier, and the records that it is made of. */
export default function ExplainDialog({ sessionRef, figure, onJump, more, onClose }: Props) {
  const jump = onJump && leaveBy(onJump, onClose)
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
      {bodyOf({ figure, sessionRef, jump, more })}
    </dialog>
  )
}

interface Body extends Pick<Props, 'figure' | 'sessionRef' | 'more'> {
  jump: Props['onJump']
}

function bodyOf({ figure, sessionRef: shown, jump, more }: Body): ReactNode {
  if (figure.kind === 'usage') return <ExplainUsage scope={figure.scope} figure={figure.figure} />
  const sessionRef = (figure.kind === 'session' ? figure.sessionRef : undefined) ?? shown
  if (sessionRef === undefined) return null
  if (figure.kind === 'call')
    return <ExplainCall sessionRef={sessionRef} messageKey={figure.messageKey} figure={figure.figure} />
  const turn = figure.kind === 'turn' ? figure.number : undefined
  return (
    <>
      <ExplainSum
        sessionRef={sessionRef}
        turn={turn}
        figure={figure.figure}
        onJump={sessionRef === shown ? jump : undefined}
      />
      {turn === undefined && more?.(sessionRef)}
      {turn === undefined && <StatsNote />}
    </>
  )
}

function leaveBy(onJump: NonNullable<Props['onJump']>, onClose: () => void): Props['onJump'] {
  return (messageKey, offset) => {
    onClose()
    onJump(messageKey, offset)
  }
}

function titleOf(figure: Explained): string {
  switch (figure.kind) {
    case 'call':
      return 'How this call is counted'
    case 'turn':
      return `How turn ${figure.number} is counted`
    case 'session':
      return 'How this session is counted'
    case 'usage':
      return `How it is counted: ${figure.name}`
  }
}
