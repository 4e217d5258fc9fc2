import './session-page.css'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ListTree } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { findQuery } from '../api/find.ts'
import { neighboursQuery } from '../api/neighbours.ts'
import { sessionQuery } from '../api/session.ts'
import { sessionCallsQuery } from '../api/session-calls.ts'
import { sessionMapQuery } from '../api/session-map.ts'
import { NeighbourContext } from '../content/neighbour-context.ts'
import { Conversation, type Following } from '../features/conversation/conversation.tsx'
import type { ConversationHandle, StepKind } from '../features/conversation/conversation-handle.ts'
import type { ReadingPlace } from '../features/conversation/list/reading-place.ts'
import { FilesTouched } from '../features/files-touched/files-touched.tsx'
import { ArrivalStatus } from '../features/live/arrival-status.tsx'
import { FollowPill } from '../features/live/follow-pill.tsx'
import { Minimap } from '../features/minimap/minimap.tsx'
import { SessionFiles } from '../features/session-files/session-files.tsx'
import { FilterBar } from '../features/session-filter/filter-bar.tsx'
import { FILTER_NAMES } from '../features/session-filter/filter-names.ts'
import { StepButtons } from '../features/session-filter/step-buttons.tsx'
import { FindBar } from '../features/session-find/find-bar.tsx'
import { PlaceBar } from '../features/session-head/place-bar.tsx'
import { SessionFileNotice } from '../features/session-head/session-file-notice.tsx'
import { SessionGoneNotice } from '../features/session-head/session-gone-notice.tsx'
import { SessionHead } from '../features/session-head/session-head.tsx'
import { sessionName } from '../features/session-head/session-name.ts'
import { sessionSpan } from '../features/session-head/session-span.ts'
import { useIsGone } from '../features/session-head/use-is-gone.ts'
import { PrintButton } from '../features/session-print/print-button.tsx'
import { TimelineDock } from '../features/timeline/timeline-dock.tsx'
import { TimelineSwitch } from '../features/timeline/timeline-switch.tsx'
import { useTimelineView } from '../features/timeline/use-timeline-view.ts'
import { TokenChart } from '../features/token-chart/token-chart.tsx'
import { useDocumentTitle } from '../lib/use-document-title.ts'
import { useShortcuts } from '../lib/use-shortcuts.ts'
import { CrumbHere, CrumbSeparator, Crumbs } from '../ui/crumbs.tsx'
import { Notice } from '../ui/notice.tsx'
import { SheetButton } from '../ui/sheet-button.tsx'
import { SessionOutline } from './session-outline.tsx'
import { useReading } from './use-reading.ts'

const route = getRouteApi('/s/$key')

/** One session: what it took, and every message of it. */
export function SessionPage() {
  const { key } = route.useParams()
  const { data: detail, error } = useSuspenseQuery(sessionQuery(key))
  const { session, outline, compressions } = detail
  const recordedCalls = outline.reduce((sum, { usage }) => sum + usage.calls - usage.callsWithoutTokens, 0)
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
  const { q, mode, show } = route.useSearch()
  const { data: found } = useQuery(findQuery(key, q ?? '', mode))
  const { data: map } = useQuery(sessionMapQuery(key))
  const { data: calls } = useQuery(sessionCallsQuery(key))
  const hitOffsets = useMemo(
    () => (q === undefined ? [] : (found?.hits.map(({ offset }) => offset) ?? [])),
    [q, found],
  )
  const reading = useReading(key, found?.hits)
  const { target, terms, jump, jumpTo } = reading
  const timelineView = useTimelineView(session.key, jump)
  const [place, setPlace] = useState<ReadingPlace>({ top: 0, bottom: 0, here: 0 })
  const handle = useRef<ConversationHandle | null>(null)
  const scrollTo = useCallback((offset: number) => handle.current?.scrollTo(offset), [])
  const openThoughts = useCallback(
    (messageKeys: string[], isOpen: boolean) => handle.current?.openThoughts(messageKeys, isOpen),
    [],
  )
  const [stepKind, setStepKind] = useState<StepKind>('prompt')
  const [findCount, setFindCount] = useState(0)
  const openFind = useCallback((): undefined => setFindCount((count) => count + 1) as undefined, [])
  useShortcuts({ findHere: openFind })
  const turn = useMemo(() => outline.findLast((turn) => turn.firstOffset <= place.top), [outline, place.top])
  const outlineView = (
    <SessionOutline
      sessionRef={key}
      detail={detail}
      place={place.here}
      onJump={jump}
      onOpenThoughts={openThoughts}
    />
  )
  const steps = (
    <StepButtons kind={stepKind} onKind={setStepKind} onStep={(kind, by) => handle.current?.step(kind, by)} />
  )
  const renderPill = useCallback(
    ({ arrivals, isAtEnd, isPaused, pause, follow }: Following) => (
      <FollowPill
        arrivals={arrivals}
        isLive={session.live}
        isAtEnd={isAtEnd}
        isPaused={isPaused}
        onPause={pause}
        onFollow={follow}
      />
    ),
    [session.live],
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
        <TokenChart
          sessionRef={key}
          recordedCalls={recordedCalls}
          compressions={compressions}
          onJump={jump}
        />
      </div>
      {neighbours !== undefined && <SessionFiles sessionRef={key} neighbours={neighbours} onJump={jump} />}
      <div className="session-switches">
        <PrintButton
          sessionRef={key}
          title={sessionName(session)}
          facts={session.startTime === null ? '' : sessionSpan(session.startTime, session.endTime)}
        />
        <TimelineSwitch isOpen={timelineView.isOpen} onToggle={timelineView.toggle} />
      </div>
      <FilesTouched sessionRef={key} session={session} onJump={jump} />
      <div className="session-frame">
        <aside className="session-outline wide-only" aria-label="Outline of the session">
          {outlineView}
        </aside>
        <section className="tape" aria-label="Conversation">
          <FilterBar
            sessionRef={key}
            show={show}
            counts={map?.counts}
            total={detail.messageTotal}
            onShow={(next) => reading.showOnly(next, place.top)}
            onFind={openFind}
          >
            {steps}
          </FilterBar>
          {reading.lifted !== null && (
            <Notice>
              The filter “{FILTER_NAMES[reading.lifted]}” is off: it leaves out the message you went to.
            </Notice>
          )}
          <PlaceBar turn={turn} calls={calls} place={place.top} onJump={jump} steps={steps}>
            <SheetButton icon={ListTree} label="Outline">
              {outlineView}
            </SheetButton>
          </PlaceBar>
          <NeighbourContext value={links}>
            <Conversation
              key={`${session.key} ${show ?? ''}`}
              sessionRef={key}
              detail={detail}
              map={map}
              show={show}
              isGone={isGone}
              target={target}
              terms={terms}
              onJump={jump}
              onJumpTo={jumpTo}
              onOutside={reading.lift}
              onPlace={setPlace}
              handle={handle}
              renderPill={renderPill}
            />
          </NeighbourContext>
        </section>
        {map !== undefined && (
          <div className="session-minimap">
            <Minimap
              map={map}
              compressions={compressions}
              hits={hitOffsets}
              view={place}
              onScrollTo={scrollTo}
            />
          </div>
        )}
      </div>
      {timelineView.isOpen && (
        <TimelineDock
          sessionRef={key}
          sessionKey={session.key}
          place={place.top}
          onOpen={timelineView.open}
          onClose={() => timelineView.toggle(false)}
        />
      )}
      {isGone && <SessionGoneNotice />}
      {(q !== undefined || findCount > 0) && (
        <FindBar
          q={q ?? ''}
          hits={q === undefined ? [] : found?.hits}
          hereKey={target?.messageKey ?? null}
          place={place.top}
          focusCount={findCount}
          onQuery={reading.find}
          onJump={jump}
          onClose={() => {
            setFindCount(0)
            reading.find('')
          }}
        />
      )}
      <ArrivalStatus total={detail.messageTotal} />
    </main>
  )
}
