import type { SessionNeighbours } from '@gemini-dash/api'
import { dueWords } from '@gemini-dash/api/due-words'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { memo, type ReactNode, Suspense, useState } from 'react'
import { healthQuery } from '../../api/health.ts'
import type { ShownDetail } from '../../api/session/opening.ts'
import { KeptNotice } from '../../features/keep/kept-notice.tsx'
import { ResumeButton } from '../../features/resume/resume-button.tsx'
import { FoldedHead } from '../../features/session-head/folded-head.tsx'
import { SessionFileNotice } from '../../features/session-head/session-file-notice.tsx'
import { SessionHeadView } from '../../features/session-head/session-head.tsx'
import { sessionName } from '../../features/session-head/session-name.ts'
import { zonedSpan } from '../../features/session-head/session-span.ts'
import { ViewSwitch } from '../../features/session-head/view-switch.tsx'
import { SessionPrint } from '../../features/session-print/session-print.tsx'
import { ContextStrip, StripLegend } from '../../features/token-chart/strip/context-strip.tsx'
import type { SessionView } from '../../lib/address/session-search.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { CrumbHere, CrumbSeparator, Crumbs } from '../../ui/controls/crumbs.tsx'
import { Border } from '../../ui/lazy/border.tsx'
import { lazyPart } from '../../ui/lazy/lazy-part.tsx'
import { AnswerMissing } from './answer-missing.tsx'
import { SessionMenu } from './session-menu.tsx'
import { SessionParts } from './session-parts.tsx'

const KeepNotice = lazyPart(
  () => import('../../features/keep/keep-notice.tsx'),
  () => null,
)

/** Below it a line has nothing to tell. */
const MIN_STRIP_CALLS = 4

interface Props {
  sessionRef: string
  detail: ShownDetail
  /** undefined: not here yet. */
  neighbours: SessionNeighbours | undefined
  onJump: (messageKey: string, offset: number | null) => void
  view: SessionView | undefined
  onView: (view: SessionView | undefined) => void
}

/** What stands above the conversation, on few lines. The timeline needs the room: there it is folded into one. */
export const SessionOverview = memo(function SessionOverview(props: Props) {
  const { sessionRef, detail, view, onView } = props
  const { session } = detail
  const [isUnfolded, setIsUnfolded] = useState(false)
  const viewSwitch = <ViewSwitch view={view} onView={onView} />
  const isFolded = view === 'timeline' && !isUnfolded
  return (
    <>
      <Crumbs>
        <CrumbSeparator />
        <Link to="/p/$project" params={{ project: session.project.key }} dir="auto">
          {session.project.name}
        </Link>
        <CrumbHere>{sessionName(session)}</CrumbHere>
      </Crumbs>
      {isFolded ? (
        <FoldedHead {...{ sessionRef, detail, viewSwitch }} onUnfold={() => setIsUnfolded(true)} />
      ) : (
        <OpenOverview {...props} viewSwitch={viewSwitch} />
      )}
      <KeptNotice session={session} />
      <SessionFileNotice session={session} messageTotal={detail.messageTotal} />
      <GoesNextNotice session={session} />
      <SessionPrint {...{ sessionRef, title: sessionName(session), facts: zonedSpan(session) }} />
    </>
  )
})

/** What the next start of the CLI deletes, however new it is. */
function GoesNextNotice({ session: { key, deletedAfter, empty } }: Pick<ShownDetail, 'session'>) {
  const now = useNow()
  const { data: health } = useQuery(healthQuery())
  if (health === undefined || empty || deletedAfter === null || Date.parse(deletedAfter) > now.getTime())
    return null
  const { before, after } = dueWords(health.cli.byRules)
  return (
    <Suspense>
      <div className="session-file-notice">
        <KeepNotice name={key} action="Keep it">
          {before}this session{after} on its next start in this project.{' '}
          <Link to="/doctor" hash="retention" className="link">
            Why
          </Link>
        </KeepNotice>
      </div>
    </Suspense>
  )
}

function OpenOverview(props: Props & { viewSwitch: ReactNode }) {
  const { sessionRef, detail, neighbours, onJump, view, viewSwitch } = props
  const { session, outline, compressions, beginning } = detail
  const recordedCalls = outline.reduce((sum, { usage }) => sum + usage.calls - usage.callsWithoutTokens, 0)
  const hasStrip = recordedCalls >= MIN_STRIP_CALLS
  return (
    <>
      <SessionHeadView
        sessionRef={sessionRef}
        detail={detail}
        viewSwitch={viewSwitch}
        actions={
          <>
            <ResumeButton sessionRef={sessionRef} />
            <SessionMenu sessionRef={sessionRef} session={session} />
          </>
        }
      />
      {view !== 'context' && (
        <>
          {hasStrip && (
            <Border>
              {/* in the beginning its place is held */}
              <ContextStrip {...{ sessionRef, compressions, onJump, isPartial: beginning !== undefined }} />
            </Border>
          )}
          <AnswerMissing
            sessionRef={sessionRef}
            question="neighbours"
            what="What is kept beside the session could not be read."
          />
          <Border>
            <SessionParts
              {...{ sessionRef, detail, recordedCalls, neighbours, onJump }}
              legend={hasStrip && <StripLegend />}
            />
          </Border>
        </>
      )}
    </>
  )
}
