import './explain.css'
import './tables/explain-table.css'
import { ArrowLeft, X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import type { Explained } from '../../content/explain/explain-context.ts'
import { formatDay } from '../../lib/figures/format.ts'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { ExplainCall } from './explain-call.tsx'
import { ExplainDay } from './explain-day.tsx'
import { ExplainSum } from './explain-sum.tsx'
import { ExplainUsage } from './explain-usage.tsx'
import { StatsNote } from './stats-note.tsx'

interface Props {
  sessionRef: string | undefined
  figure: Explained
  onJump: ((messageKey: string, offset: number | null) => void) | undefined
  more: ((sessionRef: string) => ReactNode) | undefined
  /** How many figures led here; the first is 1. */
  depth: number
  onBack: () => void
  onClose: () => void
}

/** How a figure came about: rates, terms and tier, and the records that it is made of. */
export default function ExplainDialog({ sessionRef, figure, onJump, more, depth, onBack, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const jump: Props['onJump'] =
    onJump &&
    ((messageKey, offset) => {
      dialog.current?.close()
      onJump(messageKey, offset)
    })
  return (
    <dialog
      className="explain"
      aria-labelledby="explain-title"
      ref={(element) => {
        dialog.current = element
        if (element !== null && !element.open) element.showModal()
      }}
      onClose={({ currentTarget }) => {
        // the event comes late: another figure may have opened it again
        if (!currentTarget.open) onClose()
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <header className="explain-head">
        {depth > 1 && <IconButton icon={ArrowLeft} label="Back" onClick={onBack} />}
        <h2 id="explain-title" key={depth} tabIndex={-1} ref={readFromTop}>
          {titleOf(figure)}
        </h2>
        <IconButton icon={X} label="Close" onClick={() => dialog.current?.close()} />
      </header>
      <Body figure={figure} sessionRef={sessionRef} onJump={jump} more={more} />
    </dialog>
  )
}

function Body({ figure, sessionRef: shown, onJump, more }: Omit<Props, 'depth' | 'onBack' | 'onClose'>) {
  if (figure.kind === 'day')
    return <ExplainDay day={figure.day} filter={figure.filter} figure={figure.figure} />
  if (figure.kind === 'usage') return <ExplainUsage scope={figure.scope} figure={figure.figure} />
  const sessionRef = ('sessionRef' in figure ? figure.sessionRef : undefined) ?? shown
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
        onJump={sessionRef === shown ? onJump : undefined}
      />
      {turn === undefined && more?.(sessionRef)}
      {turn === undefined && <StatsNote />}
    </>
  )
}

/** Each figure that led to another one leaves its place to it. */
function readFromTop(title: HTMLHeadingElement | null) {
  title?.closest('dialog')?.scrollTo(0, 0)
  title?.focus()
}

function titleOf(figure: Explained): string {
  switch (figure.kind) {
    case 'call':
      return 'How this call is counted'
    case 'turn':
      return `How turn ${figure.number} is counted`
    case 'session':
      return 'How this session is counted'
    case 'day':
      return `How it is counted: ${formatDay(figure.day)}`
    case 'usage':
      return `How it is counted: ${figure.name}`
  }
}
