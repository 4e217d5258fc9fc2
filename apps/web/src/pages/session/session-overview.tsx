import './session-page.css'
import type { FindResult, MessageFilter, SessionMap, SessionNeighbours } from '@gemini-dash/api'
import { dueWords } from '@gemini-dash/api/due-words'
import { sessionName } from '@gemini-dash/api/session-name'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SessionSummary, Turn } from 'gemini-sessions'
import { ChartColumnStacked, Ellipsis, Paperclip, Share } from 'lucide-react'
import { memo, type ReactNode, type RefObject, Suspense, useCallback, useMemo, useState } from 'react'
import { useMarkChange } from '../../api/marks.ts'
import { healthQuery } from '../../api/queries.ts'
import type { ShownDetail } from '../../api/session.ts'
import { sessionAnswerQuery } from '../../api/session-answer.ts'
import { NeighbourContext } from '../../content/stored-files.tsx'
import { Conversation, type Following } from '../../features/conversation/conversation.tsx'
import type { ReadingPlace } from '../../features/conversation/jump.ts'
import type { ConversationHandle } from '../../features/conversation/open-store.ts'
import { FILTER_NAMES } from '../../features/filter-names.ts'
import { FollowPill } from '../../features/follow-pill.tsx'
import { KeptNotice } from '../../features/keep/kept-notice.tsx'
import { Minimap } from '../../features/minimap.tsx'
import { OutlineMenu } from '../../features/outline.tsx'
import { ResumeButton } from '../../features/resume/resume-button.tsx'
import { countBeside } from '../../features/session-files.tsx'
import {
  OUTLINE_FROM,
  SessionFileNotice,
  SessionHeadView,
  SessionTabs,
} from '../../features/session-head/session-head.tsx'
import { zonedSpan } from '../../features/session-head/session-span.ts'
import { SessionPrint } from '../../features/session-print.tsx'
import { actions } from '../../lib/action-table.ts'
import { classNames } from '../../lib/browser.ts'
import { formatPlural } from '../../lib/figures.ts'
import { isBeingWritten } from '../../lib/hooks.ts'
import { useNow } from '../../lib/list-hooks.ts'
import { MESSAGE_FILTERS, type SessionView } from '../../lib/session-search.ts'
import { runAction, useActions } from '../../lib/use-actions.ts'
import { Button, MenuButton } from '../../ui/buttons/button.tsx'
import { MenuItem } from '../../ui/buttons/menu-item.tsx'
import { SheetButton } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Border, lazyPart } from '../../ui/lazy.tsx'
import { FailedLine, Notice } from '../../ui/states.tsx'
import { canRecover, SessionDialog, type SessionDialogName, SessionLines } from './session-lines.tsx'
import { type Reading, SessionOutline } from './session-outline.tsx'

const KeepNotice = lazyPart(
  async () => ({ default: (await import('../../features/keep/keep-notice.tsx')).KeepNotice }),
  () => null,
)

interface Props {
  sessionRef: string
  detail: ShownDetail
  view: SessionView | undefined
}

/** The part above the conversation: the head and notices. */
export const SessionOverview = memo(function SessionOverview({ sessionRef, detail, view }: Props) {
  const { session } = detail
  return (
    <>
      <SessionHeadView
        sessionRef={sessionRef}
        detail={detail}
        tabs={<SessionTabs {...{ sessionRef, view }} />}
        actions={
          <>
            <ResumeButton sessionRef={sessionRef} />
            <ShareButton />
            <Border>
              <SessionMenu {...{ sessionRef, session }} hasChart={view === undefined} />
            </Border>
          </>
        }
      />
      <KeptNotice session={session} />
      <SessionFileNotice session={session} messageTotal={detail.messageTotal} />
      <GoesNextNotice session={session} />
      <SessionPrint {...{ sessionRef, title: sessionName(session), facts: zonedSpan(session) }} />
      <AnswerMissing
        sessionRef={sessionRef}
        question="neighbours"
        what="Attached files couldn’t be loaded."
      />
    </>
  )
})

function ShareButton() {
  return (
    <Button onClick={() => void runAction('shareSession')}>
      <Icon of={Share} small />
      <span>Share</span>
    </Button>
  )
}

/** Notice for a session that the next start of the CLI will delete, however new it is. */
function GoesNextNotice({ session: { key, deletedAfter, empty } }: Pick<ShownDetail, 'session'>) {
  const now = useNow()
  const { data: health } = useQuery(healthQuery())
  if (health === undefined || empty || deletedAfter === null || Date.parse(deletedAfter) > now.getTime())
    return null
  const { before, after } = dueWords(health.cli.byRules)
  return (
    <Suspense>
      <div className="session-file-notice">
        <KeepNotice name={key} action="Archive it">
          {before}this session{after} on its next start in this project.{' '}
          <Link to="/doctor" hash="retention" className="link">
            Why
          </Link>
        </KeepNotice>
      </div>
    </Suspense>
  )
}

interface AnswerMissingProps {
  sessionRef: string
  /** Requested by the component that draws it. */
  question: 'map' | 'neighbours'
  what: string
}

/** Reports a failed request whose data is drawn in several places, or nowhere. */
function AnswerMissing({ sessionRef, question, what }: AnswerMissingProps) {
  const asked = useQuery({ ...sessionAnswerQuery(question, sessionRef), enabled: false })
  return (
    <div className="answer-missing">
      <FailedLine what={what} asked={asked} />
    </div>
  )
}

interface SessionMenuProps {
  sessionRef: string
  session: SessionSummary
  /** The conversation and its strip are shown. */
  hasChart: boolean
}

/** Menu of the session, with its dialogs. */
function SessionMenu({ sessionRef, session, hasChart }: SessionMenuProps) {
  const [opened, setOpened] = useState<SessionDialogName | null>(() =>
    isBeingWritten(`marks ${session.key}`) ? 'marks' : null,
  )
  const { mutate: changeMark } = useMarkChange(session)
  // requested by the conversation
  const { data: neighbours } = useQuery({
    ...sessionAnswerQuery('neighbours', sessionRef),
    enabled: false,
  })
  const hasFiles = neighbours !== undefined && countBeside(neighbours) > 0
  useActions({
    noteSession: () => void setOpened('marks'),
    briefSession: () => void setOpened('handover'),
    shareSession: () => void setOpened('share'),
    ...(hasFiles && { sessionFiles: () => void setOpened('files') }),
    ...(canRecover(session) && { recoverSession: () => void setOpened('recover') }),
    ...(session.kind === 'main' && { moveSession: () => void setOpened('move') }),
    forgetSession: () => void setOpened('forget'),
    starSession: () => void changeMark({ star: session.mark?.star !== true }),
  })
  return (
    <>
      <MenuButton className="button session-more" label="More actions" face={<Icon of={Ellipsis} />}>
        <SessionLines session={session} hasKeys onOpen={setOpened}>
          {hasChart && (
            <MenuItem
              icon={ChartColumnStacked}
              label="Token chart"
              onChoose={() => void runAction('toggleChart')}
            />
          )}
          {hasFiles && (
            <MenuItem
              icon={Paperclip}
              label={actions.sessionFiles.words}
              onChoose={() => setOpened('files')}
            />
          )}
        </SessionLines>
      </MenuButton>
      <SessionDialog {...{ sessionRef, session }} name={opened} onClose={() => setOpened(null)} />
    </>
  )
}

interface ReadingBarProps {
  /** The turn being read. */
  turn: Turn | undefined
  show: MessageFilter | undefined
  onShow: (show: MessageFilter | undefined) => void
  /** null: the session is too short for one. */
  outline: ReactNode
}

const ALL = 'all'
const OPTIONS = [
  { value: ALL, label: 'All messages' },
  ...MESSAGE_FILTERS.map((value) => ({ value, label: FILTER_NAMES[value] })),
]

/** On a phone: the current turn with a link to the others, and the filter. Sticky below the top bar. */
function ReadingBar({ turn, show, onShow, outline }: ReadingBarProps) {
  if (outline === null) return null
  return (
    <div className="reading-bar narrow-only">
      <SheetButton label={turn === undefined || turn.number === 0 ? 'Turns' : `Turn ${turn.number}`}>
        {outline}
      </SheetButton>
      <OutlineMenu
        label="Messages"
        className="button"
        face={show === undefined ? 'All messages' : FILTER_NAMES[show]}
        groups={[
          {
            label: 'Messages',
            value: show ?? ALL,
            options: OPTIONS,
            onChange: (value) => onShow(value === ALL ? undefined : (value as MessageFilter)),
          },
        ]}
      />
    </div>
  )
}

interface SessionBarProps {
  sessionRef: string
  detail: ShownDetail
  map: SessionMap | undefined
  /** ISO time of the newest message seen before; null if none. */
  seenUntil: string | null
  isGone: boolean
  reading: Reading
  place: ReadingPlace
  onPlace: (place: ReadingPlace) => void
  handle: RefObject<ConversationHandle | null>
  /** Opened as a sheet on a phone; null: the session is too short for one. */
  outline: ReactNode
}

/** The conversation, on a phone with its bar. */
function SessionBar(props: SessionBarProps) {
  const { sessionRef, detail, map, seenUntil, isGone, reading, place, onPlace, handle, outline } = props
  const { show, lifted, jump } = reading
  const isWhole = detail.beginning === undefined
  const turn = useMemo(
    () => detail.outline.findLast((turn) => turn.firstOffset <= place.top),
    [detail.outline, place.top],
  )
  const isLive = detail.session.live
  const { arrivals, markSeen } = useArrivals(detail)
  const renderPill = useCallback(
    ({ isAtEnd, isPaused, pause, follow }: Following) => (
      <FollowPill
        arrivals={arrivals}
        isLive={isLive}
        isAtEnd={isAtEnd}
        isPaused={isPaused}
        onPause={pause}
        onFollow={follow}
      />
    ),
    [isLive, arrivals],
  )
  return (
    <section className="conversation-feed" aria-label="Conversation">
      <ReadingBar
        turn={turn}
        show={show}
        onShow={(next) => reading.showOnly(next, place.top)}
        outline={outline}
      />
      <AnswerMissing sessionRef={sessionRef} question="map" what="The minimap couldn’t be loaded." />
      {lifted !== null && (
        <Notice>The filter “{FILTER_NAMES[lifted]}” is off: it leaves out the message you went to.</Notice>
      )}
      <NewsNotice turns={detail.outline} seenUntil={seenUntil} onJump={jump} />
      <Conversation
        key={`${detail.session.key} ${show ?? ''}`}
        sessionRef={sessionRef}
        detail={detail}
        map={map}
        show={show}
        seenUntil={seenUntil}
        isGone={isGone}
        target={reading.target}
        terms={reading.terms}
        onJump={jump}
        onJumpTo={reading.jumpTo}
        onOutside={reading.lift}
        onPlace={onPlace}
        onEndSeen={markSeen}
        handle={handle}
        renderPill={renderPill}
      />
      {!isWhole && <PartialMark />}
    </section>
  )
}

interface NewsProps {
  turns: ShownDetail['outline']
  seenUntil: string | null
  onJump: Reading['jump']
}

/** Shows that the session grew since the last visit, with a link to the first new turn. */
function NewsNotice({ turns, seenUntil, onJump }: NewsProps) {
  // avoids scanning thousands of turns on every render
  const news = useMemo(() => {
    const seenMs = seenUntil === null ? Number.POSITIVE_INFINITY : Date.parse(seenUntil)
    return turns.filter(({ endTime }) => endTime !== null && Date.parse(endTime) > seenMs)
  }, [turns, seenUntil])
  const [first] = news
  if (first === undefined) return null
  return (
    <Notice>
      New since you were here: {formatPlural(news.length, 'turn')}.{' '}
      <Button size="tiny" onClick={() => onJump(first.messageKey, first.firstOffset)}>
        Show
      </Button>
    </Notice>
  )
}

interface Counted {
  sessionKey: string
  isWhole: boolean
  messageTotal: number
  arrivals: number
}

/** Messages appended since the reader last saw the end of the session, regardless of filters. */
function useArrivals({ session, messageTotal, beginning }: ShownDetail) {
  const isWhole = beginning === undefined
  const start = { sessionKey: session.key, isWhole, messageTotal, arrivals: 0 }
  const [counted, setCounted] = useState<Counted>(start)
  // loading the rest after the beginning adds nothing new
  if (counted.sessionKey !== session.key || counted.isWhole !== isWhole) {
    setCounted(start)
  } else if (counted.messageTotal !== messageTotal) {
    // only a live session grows by new messages
    const grown = session.live ? messageTotal - counted.messageTotal : 0
    setCounted({ ...counted, messageTotal, arrivals: Math.max(counted.arrivals + grown, 0) })
  }
  const markSeen = useCallback(
    () => setCounted((current) => (current.arrivals === 0 ? current : { ...current, arrivals: 0 })),
    [],
  )
  return { arrivals: counted.arrivals, markSeen }
}

/** Overlay, so that nothing moves when it disappears. */
function PartialMark() {
  return (
    <p className="follow-pill quiet" role="status">
      Only the beginning is loaded so far; it may still be marked as rewound.
    </p>
  )
}

/** With fewer turns the scrollbar is enough. */
const MINIMAP_FROM = 20

interface ReadingFrameProps {
  sessionRef: string
  detail: ShownDetail
  neighbours: SessionNeighbours | undefined
  /** ISO time of the newest message seen before; null if none. */
  seenUntil: string | null
  /** Deleted from disk. */
  isGone: boolean
  reading: Reading
  hits: FindResult['hits']
  place: ReadingPlace
  onPlace: (place: ReadingPlace) => void
  handle: RefObject<ConversationHandle | null>
}

/** The conversation with outline and minimap, if the session is long enough for them. */
export function ReadingFrame(props: ReadingFrameProps) {
  const { sessionRef, detail, neighbours, seenUntil, isGone, reading, hits, place, onPlace, handle } = props
  const isWhole = detail.beginning === undefined
  const { data: map } = useQuery({ ...sessionAnswerQuery('map', sessionRef), enabled: isWhole })
  const scrollTo = useCallback((offset: number) => handle.current?.scrollTo(offset), [handle])
  const openThoughts = useCallback(
    (messageKeys: string[], isOpen: boolean) => handle.current?.openThoughts(messageKeys, isOpen),
    [handle],
  )
  const hitOffsets = useMemo(() => hits.map(({ offset }) => offset), [hits])
  const links = useMemo(
    () => ({
      sessionRef,
      root: detail.session.project.path,
      savedOutputs: neighbours?.savedOutputs ?? [],
      images: neighbours?.images ?? [],
      plans: neighbours?.plans ?? [],
      related: detail.related,
    }),
    [sessionRef, detail.session.project.path, detail.related, neighbours],
  )
  const turns = turnsOf(detail)
  // an active filter needs a control to remove it
  const hasOutline = turns >= OUTLINE_FROM || reading.show !== undefined
  const hasMinimap = turns >= MINIMAP_FROM
  const outline = (
    <Border>
      <SessionOutline {...{ sessionRef, detail, reading }} place={place.here} onOpenThoughts={openThoughts} />
    </Border>
  )
  return (
    <div className={classNames('session-frame', hasOutline && 'with-outline', hasMinimap && 'with-minimap')}>
      {hasOutline && (
        <aside className="session-outline wide-only" aria-label="Outline of the session">
          {outline}
        </aside>
      )}
      <NeighbourContext value={links}>
        <SessionBar
          {...{ sessionRef, detail, map, seenUntil, isGone, reading, place, onPlace, handle }}
          outline={hasOutline ? outline : null}
        />
      </NeighbourContext>
      {hasMinimap && (
        <div className="session-minimap">
          {map !== undefined && (
            <Border>
              <Minimap
                map={map}
                compressions={detail.compressions}
                hits={hitOffsets}
                view={place}
                onScrollTo={scrollTo}
              />
            </Border>
          )}
        </div>
      )}
    </div>
  )
}

/** While only the beginning is loaded, the number from the row, so that the layout stays the same. */
function turnsOf({ outline, beginning, session }: ShownDetail): number {
  const known = outline.filter(({ number }) => number > 0).length
  return beginning === undefined ? known : Math.max(known, session.recorded?.turns ?? 0)
}
