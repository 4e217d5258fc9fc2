import { addedFrom, SOURCE_NAMES } from '@gemini-dash/api/source-names'
import './session-list.css'
import { recordedTokens } from '@gemini-dash/api/figures'
import { areToolsRecorded } from '@gemini-dash/api/tools-recorded'
import { VERDICT_WORDS } from '@gemini-dash/api/verdict-words'
import { Link } from '@tanstack/react-router'
import type { Cost, SessionFailures, SessionSummary, VerdictKind } from 'gemini-sessions'
import { Star } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { useMarkChange } from '../../api/marks.ts'
import { useHomes } from '../../api/queries.ts'
import { NewsMark, unreadWords } from '../../content/session-badges.tsx'
import { classNames } from '../../lib/browser.ts'
import { formatAgo, formatClock, formatDate, lastActivity } from '../../lib/dates.ts'
import { describeCost, formatCost, formatCount, formatModel, formatShortDuration } from '../../lib/figures.ts'
import {
  countFailed,
  deletionDays,
  describeDeleted,
  describeDeletion,
  describeFailures,
  type OwnShare,
  ownShare,
  sessionLengthMs,
  withOwn,
} from '../../lib/session-words.ts'
import { useActions } from '../../lib/use-actions.ts'
import { Heard, TimeText, TokenText, Trace } from '../../ui/figures.tsx'
import { Icon } from '../../ui/icons.tsx'
import { COLUMNS, type ColumnName } from './columns.tsx'

type Props = {
  session: SessionSummary
  columns: readonly ColumnName[]
  isFirst: boolean
  isLast: boolean
  /** The day is in a heading above: the time is enough. */
  isUnderDay: boolean
  isSelected: boolean
  now: Date
  /** Whether it is selected for comparison or export; null: a click opens the session. */
  isPicked: boolean | null
  onPick: (key: string) => void
}

/**
 * One session: title and figures in columns, or in two lines on a phone. The whole row is a link. Memoized: scrolling redraws all rows
 * otherwise.
 */
export const SessionRow = memo(function SessionRow(props: Props) {
  const { session, columns, isFirst, isLast, isUnderDay, isSelected, now, isPicked, onPick } = props
  const figures = rowFigures(session)
  const label = sessionLabel(session)
  const state = rowState(session, now)
  // if the title starts like the prompt, the prompt adds little
  const snippet = session.firstPrompt?.startsWith(label.text) ? null : session.firstPrompt
  return (
    <div
      className={classNames('session-row', isFirst && 'first', isLast && 'last', isSelected && 'selected')}
    >
      {isSelected && <StarKey session={session} />}
      <div className="session-row-title">
        {isPicked !== null && (
          <RowPick title={label.text} isPicked={isPicked} onToggle={() => onPick(session.key)} />
        )}
        {session.mark?.star === true && (
          <span className="row-star">
            <Icon of={Star} small />
            <span className="visually-hidden">Starred</span>
          </span>
        )}
        <NewsMark endTime={session.endTime} mark={session.mark} />
        <Link
          to="/s/$key"
          params={{ key: session.key }}
          className={classNames('session-row-link', label.isFileName && 'mono')}
          title={label.text}
          dir="auto"
        >
          {label.text}
        </Link>
        {session.source !== 'gemini-cli' && (
          <span className="row-source meta">{SOURCE_NAMES[session.source]}</span>
        )}
        {state !== null && <StateWord {...state} />}
        {snippet && (
          <span className="session-snippet" dir="auto">
            {snippet}
          </span>
        )}
      </div>
      <SessionCells session={session} columns={columns} figures={figures} isUnderDay={isUnderDay} now={now} />
      <div className="session-meta">
        <SessionMeta session={session} state={state} figures={figures} />
        <ActivityTime session={session} isUnderDay={isUnderDay} now={now} />
      </div>
    </div>
  )
})

/** Label of a session in a list; its file name if it is empty. */
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

/** In selection mode the whole row toggles instead of opening. */
function RowPick({ title, isPicked, onToggle }: RowPickProps) {
  return (
    <label className="row-pick">
      <input type="checkbox" checked={isPicked} onChange={onToggle} />
      <span className="visually-hidden">Select {title}</span>
    </label>
  )
}

/** `s` toggles the star of the selected row. */
function StarKey({ session }: { session: SessionSummary }) {
  const change = useMarkChange(session)
  useActions({ starRow: () => void change.mutate({ star: session.mark?.star !== true }) })
  return null
}

function StateWord({ word, tone, title }: RowState) {
  return (
    <span className={classNames('row-state meta', tone)} title={title}>
      {word}
    </span>
  )
}

interface SessionMetaProps {
  session: SessionSummary
  state: RowState | null
  figures: RowFigures | null
}

/** Second line of a row on a phone; hidden on wider screens. */
function SessionMeta({ session, state, figures }: SessionMetaProps) {
  const failed = figures === null ? 0 : countFailed(figures.failures)
  return (
    <>
      <span className="shrinks project" dir="auto">
        {session.project.name}
      </span>
      {state !== null && <StateWord {...state} />}
      {figures !== null && (
        <span>
          {formatCost(figures.cost)}
          <Heard>cost</Heard>
        </span>
      )}
      {failed > 0 && <ToFailures session={session}>{`${formatCount(failed)} failed`}</ToFailures>}
    </>
  )
}

/** Figures in the columns of a row: everything recorded, including sub-agents; null if unknown (yet). */
type RowFigures = {
  models: { name: string; calls: number }[]
  turns: number
  /** null: not recorded by the CLI. */
  toolCalls: number | null
  failures: SessionFailures
  tokens: number | null
  cost: Cost | null
  /** null: it has no sub-agents. */
  own: OwnShare | null
}

/**
 * null until the whole session is read, and if its file cannot be read.
 * @public tests compare it with what other parts say.
 */
export function rowFigures(session: SessionSummary): RowFigures | null {
  const { counts, recorded, models, withSubagents } = session
  const { failures } = withSubagents
  if (counts === null || recorded === null || failures === null || isUnreadable(session)) return null
  return {
    models: models ?? [],
    turns: recorded.turns,
    toolCalls: areToolsRecorded(session) ? withSubagents.toolCalls : null,
    failures,
    tokens: recordedTokens(withSubagents.usage),
    cost: withSubagents.cost,
    own: ownShare(session),
  }
}

/** Whether none of the session's files could be read. */
function isUnreadable(session: SessionSummary): boolean {
  const isDamaged = session.files.length > 0 && session.files.every((file) => file.role === 'damaged')
  return isDamaged && !session.counts?.messages
}

/** The most notable state of a session, in a word or two. */
interface RowState {
  word: string
  tone: 'plain' | 'warning' | 'error' | 'live'
  /** Explanation, if the word needs one. */
  title?: string | undefined
}

/** How many days ahead a row announces its deletion. */
const TOLD_DAYS = 3

/** Failed commands are already shown by the count of failures. */
const TONES: Partial<Record<VerdictKind, RowState['tone']>> = {
  apiError: 'error',
  noReply: 'warning',
  declined: 'plain',
  stopped: 'plain',
  midAnswer: 'plain',
}

const KIND_WORDS = {
  subagent: 'Sub-agent',
  'prompts-only': 'Prompts only',
  checkpoint: 'Saved chat',
}

/** The label of a row: its most important state; null if there is none. */
function rowState(session: SessionSummary, now: Date): RowState | null {
  const { verdict, unread, live } = session
  if (isUnreadable(session) || verdict?.kind === 'damaged')
    return { word: 'Damaged file', tone: 'warning', title: verdict?.text }
  if (unread !== undefined) return { ...unreadWords(unread), tone: 'warning' }
  if (live) return { word: 'Running', tone: 'live', title: verdict?.text }
  const due = deletionState(session, now)
  if (due !== null) return due
  const tone = verdict === null ? undefined : TONES[verdict.kind]
  const word = verdict && VERDICT_WORDS[verdict.kind]
  if (tone !== undefined && word !== null) return { word, tone, title: verdict?.text }
  return restState(session, now)
}

function deletionState({ deletedAfter, empty }: SessionSummary, now: Date): RowState | null {
  const days = deletionDays(deletedAfter, now)
  if (days === null || days > TOLD_DAYS || empty) return null
  return { word: `Deleted ${describeDeletion(deletedAfter, now)}`, tone: 'warning' }
}

function restState(session: SessionSummary, now: Date): RowState | null {
  const { buried, kind } = session
  const deleted = describeDeleted(session, now)
  if (deleted !== null) {
    const isAdded = addedFrom(session) !== null
    const title = `${deleted}; ${isAdded ? 'only the archive has it' : 'the archive has a copy'}`
    return { word: isAdded ? 'Added' : 'Deleted', tone: 'plain', title }
  }
  if (buried)
    return {
      word: 'Rewound',
      tone: 'plain',
      title: 'Gemini CLI would show this session as empty; its file still has the messages',
    }
  return kind === 'main' ? null : { word: KIND_WORDS[kind], tone: 'plain' }
}

const RECENT_MS = 12 * 60 * 60 * 1_000

interface CellProps {
  session: SessionSummary
  figures: RowFigures | null
  isUnderDay: boolean
  now: Date
}

/** Cells of a session by column. Dashes mean unknown. */
const CELLS: Record<Exclude<ColumnName, 'title'>, (props: CellProps) => ReactNode> = {
  project: ({ session }) => <ProjectName session={session} />,
  model: ({ figures }) => (
    <span title={figures?.models.map(describeModel).join(', ')}>
      {figures ? modelText(figures.models) : '-'}
    </span>
  ),
  requests: ({ session }) => <Trace points={session.trace} isLive={session.live} />,
  turns: ({ figures }) => <Count of={figures?.turns} one="turn" />,
  tools: ({ figures }) => (
    <span title={toolsTitle(figures)}>
      <Count of={figures?.toolCalls} one="tool call" />
    </span>
  ),
  duration: ({ session }) => (
    <>
      {lengthText(session)}
      <Heard>from start to end</Heard>
    </>
  ),
  tokens: ({ figures }) =>
    figures?.tokens == null ? (
      <Count of={null} one="token" />
    ) : (
      <>
        <TokenText tokens={figures.tokens} more={figures.own?.tokens} />
        <Heard>tokens</Heard>
      </>
    ),
  failed: ({ session, figures }) => <FailedCount session={session} figures={figures} />,
  cost: ({ figures }) => (
    <span title={figures?.cost ? withOwn(describeCost(figures.cost), figures.own?.cost) : undefined}>
      {formatCost(figures?.cost ?? null)}
      <Heard>cost</Heard>
    </span>
  ),
  activity: (props) => <ActivityTime {...props} />,
}

/** The columns of a row after its title. */
function SessionCells({ columns, ...props }: CellProps & { columns: readonly ColumnName[] }) {
  return columns.map(
    (name) =>
      name !== 'title' && (
        <span
          key={name}
          className={classNames('session-cell one-line', `of-${name}`, COLUMNS[name].isFigure && 'num')}
        >
          {CELLS[name](props)}
        </span>
      ),
  )
}

/** With several Gemini folders, the tooltip names that of the session. */
function ProjectName({ session: { project, files } }: Pick<CellProps, 'session'>) {
  const homes = useHomes().filter(({ path }) => files.some(({ home }) => home === path))
  const title = [project.path, ...homes.map(({ label }) => `Gemini folder ${label}`)]
  return (
    <span dir="auto" title={title.filter((part) => part !== null).join(', ') || undefined}>
      {project.name}
    </span>
  )
}

/** Time of a session's last activity. */
function ActivityTime({ session, isUnderDay, now }: Omit<CellProps, 'figures'>) {
  const time = lastActivity(session)
  if (time === null) return <span className="activity-time">No date</span>
  return (
    <span className="activity-time">
      <span className="visually-hidden">active </span>
      <TimeText time={time}>{timeText(time, isUnderDay, now)}</TimeText>
    </span>
  )
}

function timeText(time: string, isUnderDay: boolean, now: Date): string {
  if (now.getTime() - Date.parse(time) < RECENT_MS) return formatAgo(time, now)
  return isUnderDay ? formatClock(time) : formatDate(time, now)
}

function lengthText(session: SessionSummary): string {
  const lengthMs = sessionLengthMs(session)
  return lengthMs === null ? '-' : formatShortDuration(lengthMs)
}

function toolsTitle(figures: RowFigures | null): string | undefined {
  return figures?.toolCalls === null
    ? 'This version of Gemini CLI did not record tool calls'
    : figures?.own?.toolCalls
}

/** A dash means unknown. */
function Count({ of, one }: { of: number | null | undefined; one: string }) {
  if (of == null)
    return (
      <>
        <span aria-hidden="true">-</span>
        <Heard>{`${one}s not known`}</Heard>
      </>
    )
  return (
    <>
      {formatCount(of)}
      <Heard>{of === 1 ? one : `${one}s`}</Heard>
    </>
  )
}

/** Links to the failures; blank if there are none. */
function FailedCount({ session, figures }: Pick<CellProps, 'session' | 'figures'>) {
  if (figures === null) return <Count of={null} one="failure" />
  const failed = countFailed(figures.failures)
  if (failed === 0) return <span className="visually-hidden">0 failed</span>
  const kinds = withOwn(describeFailures(figures.failures).join(', '), figures.own?.failures)
  return (
    <ToFailures session={session} title={kinds} label={`${formatCount(failed)} failed: show them`}>
      {formatCount(failed)}
    </ToFailures>
  )
}

interface ToFailuresProps {
  session: SessionSummary
  /** Accessible name, if the text alone is not enough. */
  label?: string
  /** Breakdown by kind. */
  title?: string
  children: string
}

/** Links to the failures of a session, or to those of its sub-agents if only they have some. Colored by outcome. */
function ToFailures({ session, label, title, children }: ToFailuresProps) {
  const { key, failures } = session
  const fate = fateOf(session)
  const shared = {
    className: classNames('failed', fate?.ink),
    'aria-label': label && fate ? `${label}, ${fate.words}` : label,
    title: [title, fate?.words].filter(Boolean).join('; ') || undefined,
  }
  return failures === null || countFailed(failures) > 0 ? (
    <Link to="/s/$key" params={{ key }} search={{ show: 'errors' }} {...shared}>
      {children}
    </Link>
  ) : (
    <Link to="/" search={{ kind: 'subagent', parent: key, has: 'errors' }} {...shared}>
      {children}
    </Link>
  )
}

/** The worst outcome of the failures; null if unknown. */
function fateOf({ fates, failures }: SessionSummary): { ink: string; words: string } | null {
  if (fates !== null && fates.stillFailing > 0) return { ink: 'tone-error', words: 'still failing' }
  if (fates !== null && fates.neverRerun > 0) return { ink: 'tone-warning', words: 'never rerun' }
  if (fates !== null && fates.laterSucceeded > 0 && failures?.tools === fates.laterSucceeded)
    return { ink: '', words: 'later succeeded' }
  return null
}

function modelText(models: RowFigures['models']): string {
  const [main, ...others] = [...models].sort((a, b) => b.calls - a.calls)
  if (!main) return '-'
  return others.length > 0 ? `${formatModel(main.name)} +${others.length}` : formatModel(main.name)
}

function describeModel(model: RowFigures['models'][number]): string {
  return `${model.name}: ${formatCount(model.calls)} ${model.calls === 1 ? 'request' : 'requests'}`
}
