import './session-head.css'
import type { SessionDetail } from '@gemini-dash/api'
import { sessionName } from '@gemini-dash/api/session-name'
import { SOURCE_NAMES } from '@gemini-dash/api/source-names'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SessionSummary, Verdict } from 'gemini-sessions'
import { Bell, BellOff, BellRing, Star } from 'lucide-react'
import { Fragment, type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { doctorQuery, useHasPrices } from '../../api/queries.ts'
import { ApiRequestError } from '../../api/request.ts'
import type { ShownDetail } from '../../api/session.ts'
import { removedSessions, watchedSessions } from '../../api/tab-state.ts'
import { MarkLine } from '../../content/draft-dialog.tsx'
import { MachineText } from '../../content/machine-text.tsx'
import { DeletionBadge, HomeBadges, KindBadge, UnreadMark } from '../../content/session-badges.tsx'
import { OriginLink } from '../../content/stored-files.tsx'
import { formatAgo } from '../../lib/dates.ts'
import { formatPlural } from '../../lib/figures.ts'
import { useNow } from '../../lib/list-hooks.ts'
import { SESSION_VIEWS, type SessionView } from '../../lib/session-search.ts'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { TimeText } from '../../ui/figures.tsx'
import { Icon, LiveWord } from '../../ui/icons.tsx'
import { Notice } from '../../ui/states.tsx'
import { ToMessage } from '../../ui/to-message.tsx'
import { headFailures, headTime, headTotals, VerdictLine } from './head-facts.tsx'
import { zonedSpan } from './session-span.ts'

/** From this many turns on there is an outline, which links to the failures. */
export const OUTLINE_FROM = 4

interface Props {
  sessionRef: string
  detail: ShownDetail
  /** Menu and buttons of the session. */
  actions: ReactNode
  tabs: ReactNode
}

/** Title and tabs, outcome, one line of facts. */
export function SessionHeadView({ sessionRef, detail, actions, tabs }: Props) {
  const { session } = detail
  const now = useNow()
  const name = sessionName(session)
  return (
    <header className="session-head">
      <div className="session-title">
        {session.mark?.star === true && (
          <span className="session-star" role="img" aria-label="Starred">
            <Icon of={Star} small />
          </span>
        )}
        <h1 className="page-title" dir="auto" title={name}>
          {name}
        </h1>
        {tabs}
        <span className="session-actions">{actions}</span>
      </div>
      <div className="session-verdict">
        <VerdictLine sessionRef={sessionRef} session={session} now={now} />
        <LiveState detail={detail} />
      </div>
      <SessionFacts sessionRef={sessionRef} detail={detail} now={now} />
      <MarkLine session={session} />
    </header>
  )
}

/** Project, time, totals and models. */
function SessionFacts({ sessionRef, detail, now }: { sessionRef: string; detail: ShownDetail; now: Date }) {
  const { session, outline, figures } = detail
  const time = headTime(detail, now)
  const totals = headTotals(detail, useHasPrices())
  const failed = headFailures(session)
  const failedKey = outline.length < OUTLINE_FROM ? figures.failedCalls?.messageKey : undefined
  const facts: ReactNode[] = [
    <Link key="project" to="/p/$project" params={{ project: session.project.key }} dir="auto">
      {session.project.name}
    </Link>,
    session.source !== 'gemini-cli' && <span key="source">{SOURCE_NAMES[session.source]}</span>,
    session.kind !== 'main' && <Kin key="kin" detail={detail} />,
    <span key="totals" title={joined('\n', zonedSpan(session), time?.title, totals.title)}>
      {joined(' · ', time?.text ?? 'No date', totals.text)}
    </span>,
    failed !== null &&
      (failedKey === undefined ? (
        <span key="failed">{failed}</span>
      ) : (
        <ToMessage key="failed" sessionRef={sessionRef} messageKey={failedKey} call={null} className="">
          {failed}
        </ToMessage>
      )),
    modelWords(session),
    session.copiedFrom !== null && <CopiedFrom key="copied" detail={detail} />,
    ...sameRun(detail),
  ]
  return (
    <p className="session-facts">
      {facts
        .filter((fact) => fact !== false && fact !== null)
        .map((fact, index) => (
          <Fragment key={index}>
            {index > 0 && ' · '}
            {fact}
          </Fragment>
        ))}
      <HomeBadges files={session.files} />
      <DeletionBadge session={session} now={now} verb="Deleted" />
    </p>
  )
}

function joined(by: string, ...texts: (string | undefined)[]): string {
  return texts.filter(Boolean).join(by)
}

/** Its kind, if it is not a conversation with a person; for a sub-agent, its parent. */
function Kin({ detail: { session, related } }: { detail: ShownDetail }) {
  const { parentKey } = session
  if (parentKey === null) return <KindBadge {...session} />
  const parent = related.find(({ key }) => key === parentKey)
  return (
    <Link to="/s/$key" params={{ key: parentKey }}>
      {parent === undefined ? 'Sub-agent' : `Sub-agent of “${parent.title}”`}
    </Link>
  )
}

/** The most used model; the others are in the tooltip. */
function modelWords({ models }: SessionSummary): ReactNode {
  const [first, ...others] = (models ?? []).toSorted((a, b) => b.calls - a.calls)
  if (first === undefined) return null
  const title = [first, ...others]
    .map(({ name, calls }) => `${name}: ${formatPlural(calls, 'request')}`)
    .join('\n')
  return (
    <span key="models" className="session-model" title={title}>
      {first.name}
      {others.length > 0 && ` and ${others.length} more`}
    </span>
  )
}

/** The session that counts the requests this one repeats. */
function CopiedFrom({ detail: { session, related } }: { detail: ShownDetail }) {
  if (session.copiedFrom === null) return null
  const { sessionKey, requests } = session.copiedFrom
  return (
    <span>
      Copied from <OriginLink {...{ sessionKey, related }} /> · {formatPlural(requests, 'request')} counted
      there
    </span>
  )
}

/** Its number of files, and other conversations of the same CLI run. */
function sameRun({ session, segments, related }: ShownDetail): ReactNode[] {
  return [
    segments.length > 1 && formatPlural(segments.length, 'part'),
    ...session.sameRunKeys.map((key) => (
      <Link key={key} to="/s/$key" params={{ key }}>
        {related.find((each) => each.key === key)?.title ?? 'Another conversation'} (same run)
      </Link>
    )),
  ]
}

const AGE_MS = 10_000

/** Shows that the session is being written, the time since the last activity, and a bell for its end. Nothing if it is not live. */
function LiveState({ detail }: { detail: SessionDetail }) {
  const { session, activity } = detail
  const now = useNow(AGE_MS)
  const notice = useRunEndNotice(detail)
  if (!session.live) return null
  return (
    <span className="live-state">
      <LiveWord />
      {activity.since !== null && (
        <span>
          last record <TimeText time={activity.since}>{formatAgo(activity.since, now)}</TimeText>
        </span>
      )}
      {notice.state !== 'unsupported' && (
        <IconButton
          icon={notice.state === 'on' ? BellRing : notice.state === 'blocked' ? BellOff : Bell}
          label="Notify me when it’s done"
          aria-pressed={notice.state === 'on'}
          onClick={notice.toggle}
        />
      )}
      {notice.state === 'blocked' && (
        <span className="live-notice" role="status">
          Your browser blocks notifications of this page.
        </span>
      )}
    </span>
  )
}

function notify(title: string, body: string, tag: string) {
  try {
    const notification = new Notification(title, { body, tag })
    notification.onclick = () => {
      window.focus()
      notification.close()
    }
  } catch {
    // Mobile browsers offer the API but refuse it to pages.
  }
}

interface RunEndNotice {
  /** blocked: the user denied notifications for this page. */
  state: 'unsupported' | 'off' | 'on' | 'blocked'
  toggle: () => void
}

/** A browser notification when the run ends or fails while its tab is hidden. Off by default. */
function useRunEndNotice({ session }: SessionDetail): RunEndNotice {
  const [isOn, setIsOn] = useState(false)
  const [isBlocked, setIsBlocked] = useState(false)
  const run = useRef(runStateOf(session))

  useEffect(() => (isOn ? watchedSessions.watch(session.key) : undefined), [isOn, session.key])

  useEffect(() => {
    const now = runStateOf(session)
    const sentence = findRunEnd(run.current, now)
    run.current = now
    if (sentence === null || !isOn || !document.hidden) return
    notify(sessionName(session), sentence, session.key)
  }, [session, isOn])

  async function turnOn() {
    const permission = await Notification.requestPermission()
    setIsOn(permission === 'granted')
    setIsBlocked(permission === 'denied')
  }

  if (!('Notification' in window)) return { state: 'unsupported', toggle: () => undefined }
  const state = isBlocked ? 'blocked' : isOn ? 'on' : 'off'
  return { state, toggle: () => (isOn ? setIsOn(false) : void turnOn()) }
}

/** Whether the session is busy, and the text for when it no longer is. */
interface RunState {
  isBusy: boolean
  text: string
}

export function runStateOf({ verdict }: Pick<SessionSummary, 'verdict'>): RunState {
  return { isBusy: verdict !== null && isBusy(verdict), text: verdict?.text ?? '' }
}

/** Waits for the model or a tool, not for the user. */
function isBusy({ kind, waits }: Verdict): boolean {
  return kind === 'running' && (waits?.state === 'asked' || waits?.state === 'calling')
}

/** What to notify an absent reader of, between two states of a session; null if nothing. */
export function findRunEnd(before: RunState, now: RunState): string | null {
  return before.isBusy && !now.isBusy ? now.text : null
}

/** Lists the session's files that could not be read, and their location. Nothing if all could be. */
export function SessionFileNotice({
  session,
  messageTotal,
}: Pick<SessionDetail, 'session' | 'messageTotal'>) {
  const hasTrouble = session.issues > 0 || session.files.some((file) => file.role === 'damaged')
  const doctor = useQuery({ ...doctorQuery(), enabled: hasTrouble })
  const damaged = session.files.filter((file) => file.role === 'damaged')
  if (session.unread !== undefined && session.unread.asOf !== null) {
    return (
      <div className="session-file-notice">
        <UnreadMark unread={session.unread} />
      </div>
    )
  }
  if (!hasTrouble) return null
  // archived files have their own notice
  const files = damaged.length > 0 ? damaged : session.files.filter(({ kept }) => kept === undefined)
  const skipped = doctor.data?.files.skipped.find(({ path }) =>
    files.some((file) => path.endsWith(file.path)),
  )
  return (
    <div className="session-file-notice">
      <Notice tone="warning">
        {conversationTrouble(session) ?? trouble(messageTotal, damaged.length > 0, session.issues)}{' '}
        {skipped?.reason}{' '}
        {files.map((file) => (
          <span key={`${file.home} ${file.path}`} className="mono" dir="ltr">
            <MachineText text={`${file.home}/${file.path}`} />{' '}
          </span>
        ))}
        <Link to="/doctor" className="link">
          What to do
        </Link>
      </Notice>
    </div>
  )
}

/** For Antigravity CLI: the source of a conversation that is not read from its database. null if it is. */
function conversationTrouble({ source, files }: SessionSummary): string | null {
  if (source !== 'antigravity-cli') return null
  if (files.length === 0)
    return 'Antigravity CLI before 1.0.4 encrypted its conversations: only the name of this one can be read.'
  if (!files.some(({ role, format }) => role === 'current' && format === 'transcript')) return null
  const isDamaged = files.some(({ format }) => format === 'sqlite')
  return `From the transcript; may be incomplete.${isDamaged ? ' The database could not be read.' : ''}`
}

function trouble(messageTotal: number, isDamaged: boolean, issues: number): string {
  if (messageTotal === 0) return 'This file could not be read as a session.'
  if (isDamaged) return 'Only part of this file could be read, so its figures are not counted.'
  return `${formatPlural(issues, 'place')} of this session could not be read; the rest is below.`
}

/** Stays visible while scrolling: what is on the page is all that is left of the session. */
export function SessionGoneNotice() {
  return (
    <div className="session-gone-notice" role="status">
      <Notice tone="warning">
        <b>This session was deleted from disk.</b> What is on this page stays readable until you close or
        reload it.
      </Notice>
    </div>
  )
}

/** Whether a session that was loaded has no files any more: an event said so, or a refetch found nothing. */
export function useIsGone(sessionKey: string, error: Error | null): boolean {
  const isRemoved = useSyncExternalStore(removedSessions.subscribe, () => removedSessions.has(sessionKey))
  return isRemoved || (error instanceof ApiRequestError && error.code === 'not-found')
}

const NAMES: Record<SessionView, string> = { changes: 'Changes', cost: 'Cost' }
const TABS = [undefined, ...SESSION_VIEWS] as const

/** Tabs for the conversation and the views derived from it. The reading position stays in the address. */
export function SessionTabs({ sessionRef, view }: { sessionRef: string; view: SessionView | undefined }) {
  return (
    <nav className="session-tabs" aria-label="Session">
      {TABS.map((tab) => (
        <Link
          key={tab ?? ''}
          from="/s/$key"
          to="/s/$key"
          params={{ key: sessionRef }}
          search={(search) => ({ ...search, view: tab, call: undefined })}
          hash={(hash) => hash ?? ''}
          replace
          resetScroll={false}
          hashScrollIntoView={false}
          activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
          aria-current={tab === view ? 'page' : undefined}
        >
          {tab === undefined ? 'Conversation' : NAMES[tab]}
        </Link>
      ))}
    </nav>
  )
}
