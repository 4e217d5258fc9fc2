import type { SessionDetail, SessionNeighbours } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import { ChartColumn, Columns2 } from 'lucide-react'
import { memo } from 'react'
import { FilesTouched } from '../../features/files-touched/files-touched.tsx'
import { SessionFiles } from '../../features/session-files/session-files.tsx'
import { SessionFileNotice } from '../../features/session-head/session-file-notice.tsx'
import { SessionHead } from '../../features/session-head/session-head.tsx'
import { sessionName } from '../../features/session-head/session-name.ts'
import { zonedSpan } from '../../features/session-head/session-span.ts'
import { ViewSwitch } from '../../features/session-head/view-switch.tsx'
import { PrintButton } from '../../features/session-print/print-button.tsx'
import { TokenChart } from '../../features/token-chart/token-chart.tsx'
import type { SessionView } from '../../lib/address/session-search.ts'
import { formatPlural } from '../../lib/figures/format.ts'
import { useIsNarrow } from '../../lib/hooks/use-is-narrow.ts'
import { CrumbHere, CrumbSeparator, Crumbs } from '../../ui/controls/crumbs.tsx'
import { SectionFold } from '../../ui/controls/section-fold.tsx'
import { Border } from '../../ui/lazy/border.tsx'
import { Icon } from '../../ui/signs/icon.tsx'

interface Props {
  sessionRef: string
  detail: SessionDetail
  /** undefined: not here yet. */
  neighbours: SessionNeighbours | undefined
  onJump: (messageKey: string, offset: number | null) => void
  view: SessionView | undefined
  onView: (view: SessionView | undefined) => void
}

/** What stands above the conversation: what the session is, what it took, and what lies beside it. On a phone the chart is folded, too. */
export const SessionOverview = memo(function SessionOverview(props: Props) {
  const { sessionRef, detail, neighbours, onJump, view, onView } = props
  const { session, outline, compressions } = detail
  const isNarrow = useIsNarrow()
  const recordedCalls = outline.reduce((sum, { usage }) => sum + usage.calls - usage.callsWithoutTokens, 0)
  const chart = (
    <TokenChart
      sessionRef={sessionRef}
      recordedCalls={recordedCalls}
      compressions={compressions}
      onJump={onJump}
    />
  )
  return (
    <>
      <Crumbs>
        <CrumbSeparator />
        <Link to="/p/$project" params={{ project: session.project.key }} dir="auto">
          {session.project.name}
        </Link>
        <CrumbHere>{sessionName(session)}</CrumbHere>
      </Crumbs>
      <SessionHead detail={detail}>
        <Link to="/compare" search={{ a: session.key }} className="button">
          <Icon of={Columns2} small />
          Compare with…
        </Link>
        <PrintButton sessionRef={sessionRef} title={sessionName(session)} facts={zonedSpan(session)} />
        <ViewSwitch view={view} onView={onView} />
      </SessionHead>
      <SessionFileNotice session={session} messageTotal={detail.messageTotal} />
      <div hidden={view === 'context'}>
        {isNarrow ? (
          recordedCalls > 0 && (
            <SectionFold
              icon={ChartColumn}
              title="Tokens per call"
              note={formatPlural(recordedCalls, 'call')}
            >
              {() => <Border>{chart}</Border>}
            </SectionFold>
          )
        ) : (
          <div className="session-chart">
            <Border>{chart}</Border>
          </div>
        )}
        {neighbours !== undefined && (
          <Border>
            <SessionFiles sessionRef={sessionRef} neighbours={neighbours} onJump={onJump} />
          </Border>
        )}
        <Border>
          <FilesTouched sessionRef={sessionRef} session={session} onJump={onJump} />
        </Border>
      </div>
    </>
  )
})
