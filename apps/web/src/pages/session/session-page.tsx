import './session-page.css'
import { sessionName } from '@gemini-dash/api/session-name'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { SessionSummary } from 'gemini-sessions'
import { Suspense, startTransition, useCallback, useEffect, useRef, useState } from 'react'
import { findQuery, messagesQuery, openingQuery, type ShownDetail, sessionQuery } from '../../api/session.ts'
import { sessionAnswerQuery } from '../../api/session-answer.ts'
import { sessionBesideQuery } from '../../api/sessions.ts'
import { PAGE_SIZE } from '../../features/conversation/feed.ts'
import type { ReadingPlace } from '../../features/conversation/jump.ts'
import type { ConversationHandle } from '../../features/conversation/open-store.ts'
import { ArrivalStatus, useSeen } from '../../features/follow-pill.tsx'
import { ContinueLayer } from '../../features/resume/resume-button.tsx'
import { CopyHint, FindHint } from '../../features/session-find.tsx'
import { SessionGoneNotice, useIsGone } from '../../features/session-head/session-head.tsx'
import { say, sayError } from '../../lib/copy.ts'
import { useDocumentTitle } from '../../lib/hooks.ts'
import { useDrawnLater } from '../../lib/list-hooks.ts'
import { outline, stepThrough } from '../../lib/preferences.ts'
import { conversationSearch, type SessionView } from '../../lib/session-search.ts'
import { runAction, useActions } from '../../lib/use-actions.ts'
import { Border, lazyPanel } from '../../ui/lazy.tsx'
import { SkeletonRows } from '../../ui/states.tsx'
import { SessionChart, useFind, useReading } from './session-outline.tsx'
import { ReadingFrame, SessionOverview } from './session-overview.tsx'

const SessionChanges = lazyPanel(() => import('../../features/session-changes.tsx'))
const SessionCost = lazyPanel(() => import('./session-cost.tsx'))
const route = getRouteApi('/s/$key')
const NO_HITS: never[] = []

/** One session: its figures and all messages. */
export function SessionPage() {
  const { key } = route.useParams()
  return (
    <Suspense fallback={<SessionOnItsWay />}>
      <AskedSession sessionRef={key} />
    </Suspense>
  )
}

function AskedSession({ sessionRef }: { sessionRef: string }) {
  const { detail, ...opened } = useOpenedSession(sessionRef)
  if (detail === undefined) return <SessionOnItsWay />
  return <OpenedSession sessionRef={sessionRef} detail={detail} {...opened} />
}

/** Without a heading: the focus is meant for the session's own. */
function SessionOnItsWay() {
  return (
    <main className="page-main" id="main" tabIndex={-1}>
      <SkeletonRows count={9} label="Loading the session" />
    </main>
  )
}

/** The session, or its beginning until the whole and its first messages have both loaded. */
function useOpenedSession(sessionRef: string): {
  detail: ShownDetail | undefined
  error: Error | null
  /** Its stars, notes or tags changed since it was requested. */
  isStale: boolean
} {
  const { data: beginning } = useSuspenseQuery(openingQuery(useQueryClient(), sessionRef))
  const {
    data: whole,
    error,
    isStale,
  } = useQuery({
    ...sessionQuery(sessionRef),
    throwOnError: (_error, { state }) => state.data === undefined,
  })
  // requested when the navigation started
  const first = useQuery({
    ...messagesQuery(sessionRef, { offset: 0, limit: PAGE_SIZE, show: undefined }),
    enabled: false,
  })
  const isOnItsWay = whole === undefined || (first.data === undefined && first.isFetching)
  return { detail: isOnItsWay && beginning !== null ? beginning : whole, error, isStale }
}

/** The conversation renders after the strip: a drag before that scrolls once it is ready. */
function useHandle() {
  const handle = useRef<ConversationHandle | null>(null)
  const waiting = useRef<number | null>(null)
  const scrollTo = useCallback((offset: number) => {
    waiting.current = handle.current === null ? offset : null
    handle.current?.scrollTo(offset)
  }, [])
  useEffect(() => {
    if (waiting.current !== null && handle.current !== null) scrollTo(waiting.current)
  })
  return { handle, scrollTo }
}

interface Props {
  sessionRef: string
  detail: ShownDetail
  error: Error | null
  isStale: boolean
}

function OpenedSession({ sessionRef: key, detail, error, isStale }: Props) {
  const { q, mode } = route.useSearch()
  const { session, beginning } = detail
  const isWhole = beginning === undefined
  const { data: neighbours } = useQuery({ ...sessionAnswerQuery('neighbours', key), enabled: isWhole })
  const asked = useQuery(findQuery(key, q ?? '', mode))
  const hits = q === undefined ? NO_HITS : asked.data?.hits
  const isGone = useIsGone(session.key, error)
  const seenUntil = useSeen(session, { isShown: isWhole && !isGone, isStale })
  const reading = useReading(key, hits)
  const sessionView = useSessionView()
  const isConversation = sessionView.view === undefined
  const { handle, scrollTo } = useHandle()
  const [place, setPlace] = useState<ReadingPlace>({ top: 0, bottom: 0, here: 0 })
  // new messages render before the outline and the strip follow
  const followPlace = useCallback((next: ReadingPlace) => startTransition(() => setPlace(next)), [])
  useFind({ sessionKey: session.key, q, asked, reading, place: place.top, isShown: isConversation })
  const isFrameDrawn = useDrawnLater()
  useSessionActions({ session, showView: sessionView.show })
  useDocumentTitle(sessionName(session), session.project.name)
  return (
    <main id="main" tabIndex={-1}>
      <Border>
        <SessionOverview sessionRef={key} detail={detail} view={sessionView.view} />
      </Border>
      {sessionView.view === 'changes' && (
        <Suspense>
          <SessionChanges sessionRef={key} session={session} />
        </Suspense>
      )}
      {sessionView.view === 'cost' && (
        <Suspense>
          <SessionCost sessionRef={key} detail={detail} onOpen={sessionView.openMessage} />
        </Suspense>
      )}
      {isConversation && (
        <Border>
          <SessionChart sessionRef={key} {...{ detail, place }} onJump={reading.jump} onScrollTo={scrollTo} />
        </Border>
      )}
      {isConversation && isFrameDrawn && (
        <Border>
          <ContinueLayer sessionRef={key}>
            <ReadingFrame
              sessionRef={key}
              hits={hits ?? NO_HITS}
              onPlace={followPlace}
              {...{ detail, neighbours, seenUntil, isGone, reading, place, handle }}
            />
          </ContinueLayer>
        </Border>
      )}
      {isGone && <SessionGoneNotice />}
      {isConversation && <FindHint onFind={() => runAction('findHere')} />}
      {isConversation && <CopyHint sessionRef={key} />}
      {isWhole && <ArrivalStatus total={detail.messageTotal} />}
    </main>
  )
}

/** `?view=…`: the view in place of the conversation. Keeps the reading position; Back from a message returns to the view. */
function useSessionView() {
  const { view } = route.useSearch()
  const navigate = route.useNavigate()
  const show = useCallback(
    (next: SessionView | undefined) =>
      void navigate({
        search: (search) => ({ ...search, view: next }),
        hash: true,
        replace: true,
        resetScroll: false,
        hashScrollIntoView: false,
      }),
    [navigate],
  )
  const openMessage = useCallback(
    (messageKey: string) => void navigate({ search: conversationSearch, hash: `m-${messageKey}` }),
    [navigate],
  )
  return { view, show, openMessage }
}

interface Surroundings {
  session: SessionSummary
  showView: (view: SessionView) => void
}

/** Actions of a session page: its views, and navigation away from it. */
function useSessionActions({ session, showView }: Surroundings): void {
  const navigate = useNavigate()
  const client = useQueryClient()
  async function goBeside(side: 'later' | 'earlier') {
    const { pathname } = window.location
    const key = await client.fetchQuery(sessionBesideQuery(session, side))
    // ignored if the reader has navigated elsewhere meanwhile
    if (window.location.pathname !== pathname) return
    if (key === null) say(`No ${side} session of this project`)
    else await navigate({ to: '/s/$key', params: { key } })
  }
  useActions({
    toggleOutline: () => void stepThrough(outline),
    showChanges: () => void showView('changes'),
    showCost: () => void showView('cost'),
    laterSession: () => void goBeside('later').catch(sayError),
    earlierSession: () => void goBeside('earlier').catch(sayError),
    goProject: () => void navigate({ to: '/p/$project', params: { project: session.project.key } }),
  })
}
