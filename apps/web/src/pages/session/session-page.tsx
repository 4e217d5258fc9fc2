import { conversationSearch, type SessionView } from '../../lib/address/session-search.ts'
import './session-page.css'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, startTransition, useCallback, useState } from 'react'
import { messagesQuery } from '../../api/session/messages.ts'
import { openingQuery, type ShownDetail } from '../../api/session/opening.ts'
import { findQuery, sessionQuery } from '../../api/session/session.ts'
import { sessionAnswerQuery } from '../../api/session/session-answer.ts'
import { PAGE_SIZE } from '../../features/conversation/feed/page-size.ts'
import type { ReadingPlace } from '../../features/conversation/jump/reading-place.ts'
import { ExplainLayer } from '../../features/explain/explain-layer.tsx'
import { ArrivalStatus } from '../../features/live/arrival-status.tsx'
import { useSeen } from '../../features/live/use-seen.ts'
import { FindBar } from '../../features/session-find/find-bar.tsx'
import { FindHint } from '../../features/session-find/find-hint.tsx'
import { SessionGoneNotice } from '../../features/session-head/session-gone-notice.tsx'
import { sessionName } from '../../features/session-head/session-name.ts'
import { useIsGone } from '../../features/session-head/use-is-gone.ts'
import { TimelineDock } from '../../features/timeline/timeline-dock.tsx'
import { useOpenStep } from '../../features/timeline/use-open-step.ts'
import { WhatIfView } from '../../features/what-if/what-if.tsx'
import { useDocumentTitle } from '../../lib/hooks/use-document-title.ts'
import { useDrawnLater } from '../../lib/hooks/use-drawn-later.ts'
import { Border } from '../../ui/lazy/border.tsx'
import { lazyPanel } from '../../ui/lazy/lazy-panel.tsx'
import { FailedLine } from '../../ui/states/failed-line.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import { ReadingFrame } from './reading-frame.tsx'
import { SessionOverview } from './session-overview.tsx'
import { useFind } from './use-find.ts'
import { useReading } from './use-reading.ts'
import { useSessionActions } from './use-session-actions.ts'

const SessionContext = lazyPanel(() => import('./session-context.tsx'))
const route = getRouteApi('/s/$key')
const NO_HITS: never[] = []

/** One session: what it took, and every message of it. */
export function SessionPage() {
  const { key } = route.useParams()
  return (
    <Suspense fallback={<SessionOnItsWay />}>
      <AskedSession sessionRef={key} />
    </Suspense>
  )
}

function AskedSession({ sessionRef }: { sessionRef: string }) {
  const { detail, error } = useOpenedSession(sessionRef)
  if (detail === undefined) return <SessionOnItsWay />
  return <OpenedSession sessionRef={sessionRef} detail={detail} error={error} />
}

/** Without a heading: the one that is led to is the session's own. */
function SessionOnItsWay() {
  return (
    <main className="page-main" id="main" tabIndex={-1}>
      <SkeletonRows count={9} label="Loading the session" />
    </main>
  )
}

/** The session, or its beginning as long as the whole and its first messages are not here together. */
function useOpenedSession(sessionRef: string): {
  detail: ShownDetail | undefined
  error: Error | null
} {
  const { data: beginning } = useSuspenseQuery(openingQuery(useQueryClient(), sessionRef))
  const { data: whole, error } = useQuery({
    ...sessionQuery(sessionRef),
    throwOnError: (_error, { state }) => state.data === undefined,
  })
  // asked for when the page was begun
  const first = useQuery({
    ...messagesQuery(sessionRef, { offset: 0, limit: PAGE_SIZE, show: undefined }),
    enabled: false,
  })
  const isOnItsWay = whole === undefined || (first.data === undefined && first.isFetching)
  return { detail: isOnItsWay && beginning !== null ? beginning : whole, error }
}

interface Props {
  sessionRef: string
  detail: ShownDetail
  error: Error | null
}

function OpenedSession({ sessionRef: key, detail, error }: Props) {
  const { q, mode } = route.useSearch()
  const { session, beginning } = detail
  const isWhole = beginning === undefined
  const { data: neighbours } = useQuery({ ...sessionAnswerQuery('neighbours', key), enabled: isWhole })
  const asked = useQuery(findQuery(key, q ?? '', mode))
  const hits = q === undefined ? NO_HITS : asked.data?.hits
  const isGone = useIsGone(session.key, error)
  const seenUntil = useSeen(session, isWhole && !isGone)
  const reading = useReading(key, hits)
  const sessionView = useSessionView()
  const isContext = sessionView.view === 'context'
  const openStep = useOpenStep(session.key, reading.jump)
  const [place, setPlace] = useState<ReadingPlace>({ top: 0, bottom: 0, here: 0 })
  // messages that come into sight are drawn before the outline and the strip follow them
  const followPlace = useCallback((next: ReadingPlace) => startTransition(() => setPlace(next)), [])
  const find = useFind(reading)
  const isFrameDrawn = useDrawnLater()
  useSessionActions({ session, openFind: find.open, showView: sessionView.show })
  useDocumentTitle(sessionName(session), session.project.name)
  return (
    <main id="main" tabIndex={-1}>
      <ExplainLayer
        sessionRef={key}
        onJump={reading.jump}
        more={(of) => <WhatIfView sessionRef={of} hasSubagents={session.subagentKeys.length > 0} />}
      >
        <Border>
          <SessionOverview
            sessionRef={key}
            detail={detail}
            neighbours={neighbours}
            onJump={reading.jump}
            view={sessionView.view}
            onView={sessionView.show}
          />
        </Border>
        {isContext ? (
          <Suspense>
            <SessionContext
              sessionRef={key}
              session={session}
              chosenKey={sessionView.call}
              onChoose={sessionView.choose}
              onOpen={sessionView.openMessage}
            />
          </Suspense>
        ) : (
          isFrameDrawn && (
            <Border>
              <ReadingFrame
                sessionRef={key}
                hits={hits ?? NO_HITS}
                onPlace={followPlace}
                onFind={find.open}
                {...{ detail, neighbours, seenUntil, isGone, reading, place }}
              />
            </Border>
          )
        )}
      </ExplainLayer>
      {sessionView.view === 'timeline' && (
        <Border>
          <TimelineDock
            sessionRef={key}
            sessionKey={session.key}
            place={place.top}
            onOpen={openStep}
            onClose={() => sessionView.show(undefined)}
          />
        </Border>
      )}
      {isGone && <SessionGoneNotice />}
      {!isContext && <FindHint onFind={find.open} />}
      {!isContext && (q !== undefined || find.count > 0) && (
        <Border>
          <FindBar
            q={q ?? ''}
            hits={hits}
            hereKey={reading.target?.messageKey ?? null}
            place={place.top}
            focusCount={find.count}
            onQuery={reading.find}
            onJump={reading.jump}
            onClose={find.close}
          >
            <FailedLine what="Find failed." asked={asked} />
          </FindBar>
        </Border>
      )}
      {isWhole && <ArrivalStatus total={detail.messageTotal} />}
    </main>
  )
}

/** `?view=…`: what is open beside the conversation. Where the reader is stays as it is; back from a message leads here again. */
function useSessionView() {
  const { view, call } = route.useSearch()
  const navigate = route.useNavigate()
  const show = useCallback(
    (next: SessionView | undefined) =>
      void navigate({
        search: (search) => ({ ...search, view: next, call: undefined }),
        hash: true,
        replace: true,
        resetScroll: false,
        hashScrollIntoView: false,
      }),
    [navigate],
  )
  const choose = useCallback(
    (messageKey: string) =>
      void navigate({
        search: (search) => ({ ...search, call: messageKey }),
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
  return { view, show, call, choose, openMessage }
}
