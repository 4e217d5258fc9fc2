import './session-page.css'
import type { FindResult } from '@gemini-dash/api'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useLocation } from '@tanstack/react-router'
import { ListTree } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { findQuery } from '../api/find.ts'
import { neighboursQuery } from '../api/neighbours.ts'
import { sessionQuery } from '../api/session.ts'
import { hitTerms } from '../content/hit-terms.ts'
import { NeighbourContext } from '../content/neighbour-context.ts'
import { Conversation } from '../features/conversation/conversation.tsx'
import type { JumpTarget } from '../features/conversation/list/jump-target.ts'
import { messageAnchor, messageKeyOf } from '../features/conversation/message/message-link.ts'
import { FilesTouched } from '../features/files-touched/files-touched.tsx'
import { ArrivalStatus } from '../features/live/arrival-status.tsx'
import { FollowPill } from '../features/live/follow-pill.tsx'
import { Outline } from '../features/outline/outline.tsx'
import { SessionFiles } from '../features/session-files/session-files.tsx'
import { FindBar } from '../features/session-find/find-bar.tsx'
import { foundTerms } from '../features/session-find/found-terms.ts'
import { PlaceBar } from '../features/session-head/place-bar.tsx'
import { SessionFileNotice } from '../features/session-head/session-file-notice.tsx'
import { SessionGoneNotice } from '../features/session-head/session-gone-notice.tsx'
import { SessionHead } from '../features/session-head/session-head.tsx'
import { sessionName } from '../features/session-head/session-name.ts'
import { useIsGone } from '../features/session-head/use-is-gone.ts'
import { TimelineDock } from '../features/timeline/timeline-dock.tsx'
import { TimelineSwitch } from '../features/timeline/timeline-switch.tsx'
import { useTimelineView } from '../features/timeline/use-timeline-view.ts'
import { TokenChart } from '../features/token-chart/token-chart.tsx'
import type { SessionSearch } from '../lib/session-search.ts'
import { useDocumentTitle } from '../lib/use-document-title.ts'
import { CrumbHere, CrumbSeparator, Crumbs } from '../ui/crumbs.tsx'
import { SheetButton } from '../ui/sheet-button.tsx'

const route = getRouteApi('/s/$key')

/** One session: what it took, and every message of it. */
export function SessionPage() {
  const { key } = route.useParams()
  const { data: detail, error } = useSuspenseQuery(sessionQuery(key))
  const { session, outline, compressions, calls } = detail
  const isGone = useIsGone(session.key, error)
  const { data: neighbours } = useQuery(neighboursQuery(key))
  const links = useMemo(
    () => ({
      sessionRef: key,
      savedOutputs: neighbours?.savedOutputs ?? [],
      images: neighbours?.images ?? [],
      plans: neighbours?.plans ?? [],
    }),
    [key, neighbours],
  )
  useDocumentTitle(sessionName(session), session.project.name)
  const { q, mode } = route.useSearch()
  const { data: found } = useQuery(findQuery(key, q ?? '', mode))
  const terms = useMemo(() => termsOf(q, mode, found?.hits), [q, mode, found])
  const { target, jump, find } = useTarget(key, terms)
  const timelineView = useTimelineView(session.key, jump)
  const [place, setPlace] = useState(0)
  const turn = useMemo(() => outline.findLast((turn) => turn.firstOffset <= place), [outline, place])
  const outlineView = (
    <Outline turns={outline} compressions={compressions} current={turn?.number ?? 0} onJump={jump} />
  )
  const renderPill = useCallback(
    (arrivals: number, follow: () => void) => <FollowPill arrivals={arrivals} onFollow={follow} />,
    [],
  )
  return (
    <main id="main" tabIndex={-1}>
      <Crumbs>
        <CrumbSeparator />
        <Link to="/p/$project" params={{ project: session.project.key }} dir="auto">
          {session.project.name}
        </Link>
        <CrumbHere>{sessionName(session)}</CrumbHere>
      </Crumbs>
      <SessionHead detail={detail} />
      <SessionFileNotice session={session} messageTotal={detail.messageTotal} />
      <div className="session-chart">
        <TokenChart calls={calls} compressions={compressions} onJump={jump} />
      </div>
      {neighbours !== undefined && <SessionFiles sessionRef={key} neighbours={neighbours} onJump={jump} />}
      <div className="session-switches">
        <TimelineSwitch isOpen={timelineView.isOpen} onToggle={timelineView.toggle} />
      </div>
      <FilesTouched sessionRef={key} session={session} onJump={jump} />
      <div className="session-frame">
        <aside className="session-outline wide-only" aria-label="Outline of the session">
          {outlineView}
        </aside>
        <section className="tape" aria-label="Conversation">
          <PlaceBar turn={turn} calls={calls} place={place}>
            <SheetButton icon={ListTree} label="Outline">
              {outlineView}
            </SheetButton>
          </PlaceBar>
          <NeighbourContext value={links}>
            <Conversation
              key={session.key}
              sessionRef={key}
              detail={detail}
              isGone={isGone}
              target={target}
              onJump={jump}
              onPlace={setPlace}
              renderPill={renderPill}
            />
          </NeighbourContext>
        </section>
      </div>
      {timelineView.isOpen && (
        <TimelineDock
          sessionRef={key}
          sessionKey={session.key}
          place={place}
          onOpen={timelineView.open}
          onClose={() => timelineView.toggle(false)}
        />
      )}
      {isGone && <SessionGoneNotice />}
      {q !== undefined && (
        <FindBar
          q={q}
          hits={found?.hits}
          hereKey={target?.messageKey ?? null}
          place={place}
          onQuery={find}
          onJump={jump}
          onClose={() => find('')}
        />
      )}
      <ArrivalStatus total={detail.messageTotal} />
    </main>
  )
}

/** What is to be marked: the words of a query, or what its pattern has matched. */
function termsOf(q: string | undefined, mode: SessionSearch['mode'], hits: FindResult['hits'] | undefined) {
  if (q === undefined) return []
  return mode === undefined ? hitTerms(q) : foundTerms(hits ?? [])
}

/** The message that the address names, the way to name another, and to look for something else. */
function useTarget(sessionRef: string, terms: string[]) {
  const { hit } = route.useSearch()
  const hash = useLocation({ select: (location) => location.hash })
  const navigate = route.useNavigate()
  const [target, setTarget] = useState<JumpTarget | null>(null)

  useEffect(() => {
    const messageKey = messageKeyOf(hash) ?? hit ?? null
    if (messageKey === null) return
    setTarget((current) => {
      const isSame = current?.messageKey === messageKey && current.terms.join('\n') === terms.join('\n')
      return isSame ? current : { messageKey, offset: null, terms }
    })
  }, [hash, hit, terms])

  const jump = useCallback(
    (messageKey: string, offset: number | null) => {
      setTarget({ messageKey, offset, terms })
      void navigate({
        to: '/s/$key',
        params: { key: sessionRef },
        search: (search) => search,
        hash: messageAnchor(messageKey),
        replace: true,
        resetScroll: false,
        hashScrollIntoView: false,
      })
    },
    [navigate, sessionRef, terms],
  )
  const find = (q: string) =>
    void navigate({
      search: (search) => ({ ...search, q: q || undefined, mode: q === '' ? undefined : search.mode }),
      hash: true,
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    })
  return { target, jump, find }
}
