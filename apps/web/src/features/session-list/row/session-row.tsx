import './session-row.css'
import { Link } from '@tanstack/react-router'
import type { SessionSummary } from 'gemini-sessions'
import { FileWarning } from 'lucide-react'
import { classNames } from '../../../lib/browser/class-names.ts'
import { Icon } from '../../../ui/signs/icon.tsx'
import { isUnreadable, rowFigures } from './row-figures.ts'
import { RowPick } from './row-pick.tsx'
import { SessionCells } from './session-cells.tsx'
import { sessionLabel } from './session-label.ts'
import { SessionMeta } from './session-meta.tsx'
import { SessionState } from './session-state.tsx'

type Props = {
  session: SessionSummary
  /** Why its file could not be read, where the doctor knows. */
  reason: string | undefined
  isFirst: boolean
  isLast: boolean
  /** The day stands in a heading above, so that a clock is enough. */
  isUnderDay: boolean
  isSelected: boolean
  now: Date
  /** Whether it is picked to be compared; null: the row opens. */
  isPicked: boolean | null
  onPick: (key: string) => void
}

/** One session: title and figures in columns, or in two lines on a phone. The whole row is the link. */
export function SessionRow(props: Props) {
  const { session, reason, isFirst, isLast, isUnderDay, isSelected, now, isPicked, onPick } = props
  const figures = rowFigures(session)
  const label = sessionLabel(session)
  // where the title begins like the prompt, the prompt says little more
  const snippet = session.firstPrompt?.startsWith(label.text) ? null : session.firstPrompt
  return (
    <div
      className={classNames('session-row', isFirst && 'first', isLast && 'last', isSelected && 'selected')}
    >
      <div className="session-row-title">
        {isPicked !== null && (
          <RowPick title={label.text} isPicked={isPicked} onToggle={() => onPick(session.key)} />
        )}
        {isUnreadable(session) && <Icon of={FileWarning} small className="tone-warning" />}
        {session.live && (
          <span className="live-word">
            <span className="live-label">Live</span>
          </span>
        )}
        <Link
          to="/s/$key"
          params={{ key: session.key }}
          className={label.isFileName ? 'mono' : undefined}
          title={label.text}
          dir="auto"
        >
          {label.text}
        </Link>
        <SessionState session={session} reason={reason} />
        {snippet && (
          <span className="session-snippet" dir="auto">
            {snippet}
          </span>
        )}
      </div>
      <SessionCells session={session} figures={figures} isUnderDay={isUnderDay} now={now} />
      <SessionMeta session={session} figures={figures} reason={reason} />
    </div>
  )
}
