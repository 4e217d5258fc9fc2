import './session-row.css'
import '../picking.css'
import { Link } from '@tanstack/react-router'
import type { SessionSummary } from 'gemini-sessions'
import { FileWarning } from 'lucide-react'
import { memo } from 'react'
import {
  DeletedBadge,
  DeletionBadge,
  HomeBadges,
  KindBadge,
  NewsMark,
  OutcomeBadge,
  SubagentsBadge,
  UnreadMark,
} from '../../../content/badges/session-badges.tsx'
import { StarButton } from '../../../content/marks/star-button.tsx'
import { classNames } from '../../../lib/browser/class-names.ts'
import { formatCost, formatCount } from '../../../lib/figures/format.ts'
import { countFailed } from '../../../lib/session/describe-failures.ts'
import { Heard } from '../../../ui/figures/heard.tsx'
import { TokenText } from '../../../ui/figures/token-text.tsx'
import { Trace } from '../../../ui/figures/trace.tsx'
import { Badge } from '../../../ui/signs/badge.tsx'
import { Icon } from '../../../ui/signs/icon.tsx'
import { isUnreadable, type RowFigures, rowFigures } from './row-figures.ts'
import { SessionCells, ToFailures } from './session-cells.tsx'

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
  /** Whether it is picked, to be compared or exported; null: the row opens. */
  isPicked: boolean | null
  onPick: (key: string) => void
}

/**
 * One session: title and figures in columns, or in two lines on a phone. The whole row is the link. Drawn again only where
 * something of it is new: a frame of scrolling draws all the others, and a change one.
 */
export const SessionRow = memo(function SessionRow(props: Props) {
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
        {isPicked === null && <StarButton session={session} name={label.text} />}
        {isUnreadable(session) && <Icon of={FileWarning} small className="tone-warning" />}
        {session.live && (
          <span className="live-word">
            <span className="live-label">Live</span>
          </span>
        )}
        <NewsMark {...session} />
        <Link
          to="/s/$key"
          params={{ key: session.key }}
          className={classNames('session-row-link', label.isFileName && 'mono')}
          title={label.text}
          dir="auto"
        >
          {label.text}
        </Link>
        <SessionState session={session} reason={reason} now={now} />
        {snippet && (
          <span className="session-snippet" dir="auto">
            {snippet}
          </span>
        )}
      </div>
      <SessionCells session={session} figures={figures} isUnderDay={isUnderDay} now={now} />
      <SessionMeta session={session} figures={figures} />
    </div>
  )
})

/** What a session is called in a list; its file's name where nothing was said in it. */
function sessionLabel(session: SessionSummary): { text: string; isFileName: boolean } {
  const text = session.title || session.firstPrompt
  if (text) return { text, isFileName: false }
  const fileName = session.files[0]?.path.split('/').at(-1)
  return { text: fileName ?? session.sessionId, isFileName: true }
}

interface RowPickProps {
  title: string
  isPicked: boolean
  onToggle: () => void
}

/** While sessions are picked, the whole row picks instead of opening. */
function RowPick({ title, isPicked, onToggle }: RowPickProps) {
  return (
    <label className="row-pick">
      <input type="checkbox" checked={isPicked} onChange={onToggle} />
      <span className="visually-hidden">Choose {title}</span>
    </label>
  )
}

type SessionStateProps = Pick<Props, 'session' | 'reason' | 'now'>

/** What is special about a session, in a word: unreadable, cut short, rewound to nothing, how many sub-agents, soon gone. */
function SessionState({ session, reason, now }: SessionStateProps) {
  if (isUnreadable(session)) {
    const text = unreadableReason(reason)
    return (
      <Link to="/doctor" hash="not-read" className="badge-link">
        <Badge tone="warning" title={text}>
          {text}
        </Badge>
      </Link>
    )
  }
  return (
    <>
      <UnreadMark unread={session.unread} />
      <OutcomeBadge session={session} />
      {session.buried && (
        <Link to="/s/$key" params={{ key: session.key }} className="badge-link">
          <Badge title="The CLI would show this session empty; its file still holds what was said">
            Taken back
          </Badge>
        </Link>
      )}
      <KindBadge {...session} />
      <SubagentsBadge session={session} />
      <HomeBadges files={session.files} />
      <DeletedBadge session={session} now={now} />
      <DeletionBadge session={session} now={now} verb="goes" />
    </>
  )
}

type SessionMetaProps = { session: SessionSummary; figures: RowFigures | null }

/** The second line of a row on a phone; not there on wider screens. */
function SessionMeta({ session, figures }: SessionMetaProps) {
  const failed = figures === null ? 0 : countFailed(figures.failures)
  return (
    <div className="session-meta">
      <span className="shrinks project" dir="auto">
        {session.project.name}
      </span>
      {figures !== null && (
        <>
          {figures.tokens !== null && (
            <span>
              <TokenText tokens={figures.tokens} />
              <Heard>tokens</Heard>
            </span>
          )}
          <span>
            {formatCost(figures.cost)}
            <Heard>cost</Heard>
          </span>
          {failed > 0 && <ToFailures session={session}>{`${formatCount(failed)} failed`}</ToFailures>}
          <Trace points={session.trace} isLive={session.live} />
        </>
      )}
    </div>
  )
}

/** `Could not read: the file is empty`, from the first sentence of what the doctor says, if he knows. */
function unreadableReason(sentences: string | undefined): string {
  const first = sentences?.split(/\.(?=\s|$)/)[0]
  if (!first) return 'Could not read'
  return `Could not read: ${first.charAt(0).toLowerCase()}${first.slice(1)}`
}
