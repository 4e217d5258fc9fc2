import './session-page.css'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router'
import { ListTree } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { neighboursQuery } from '../api/neighbours.ts'
import { sessionQuery } from '../api/session.ts'
import { hitTerms } from '../content/hit-terms.ts'
import { NeighbourContext } from '../content/neighbour-context.ts'
import { Conversation } from '../features/conversation/conversation.tsx'
import type { JumpTarget } from '../features/conversation/list/jump-target.ts'
import { messageAnchor, messageKeyOf } from '../features/conversation/message/message-link.ts'
import { ArrivalStatus } from '../features/live/arrival-status.tsx'
import { FollowPill } from '../features/live/follow-pill.tsx'
import { Outline } from '../features/outline/outline.tsx'
import { SessionFiles } from '../features/session-files/session-files.tsx'
import { PlaceBar } from '../features/session-head/place-bar.tsx'
import { SessionFileNotice } from '../features/session-head/session-file-notice.tsx'
import { SessionGoneNotice } from '../features/session-head/session-gone-notice.tsx'
import { SessionHead } from '../features/session-head/session-head.tsx'
import { sessionName } from '../features/session-head/session-name.ts'
import { useIsGone } from '../features/session-head/use-is-gone.ts'
import { TokenChart } from '../features/token-chart/token-chart.tsx'
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
    }),
    [key, neighbours],
  )
  useDocumentTitle(sessionName(session), session.project.name)
  const { target, jump } = useTarget(key)
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
      {isGone && <SessionGoneNotice />}
      <ArrivalStatus total={detail.messageTotal} />
    </main>
  )
}

/** The message that the address names, and the way to name another. */
function useTarget(sessionRef: string) {
  const { q, hit } = route.useSearch()
  const hash = useLocation({ select: (location) => location.hash })
  const navigate = useNavigate()
  const [target, setTarget] = useState<JumpTarget | null>(null)

  useEffect(() => {
    const messageKey = messageKeyOf(hash) ?? hit ?? null
    if (messageKey === null) return
    const terms = q === undefined ? [] : hitTerms(q)
    setTarget((current) =>
      current?.messageKey === messageKey ? current : { messageKey, offset: null, terms },
    )
  }, [hash, hit, q])

  const jump = useCallback(
    (messageKey: string, offset: number | null) => {
      setTarget({ messageKey, offset, terms: [] })
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
    [navigate, sessionRef],
  )
  return { target, jump }
}
