import { Link } from '@tanstack/react-router'
import type { SessionSummary } from 'gemini-sessions'
import { ExplainButton } from '../../../content/explain/explain-button.tsx'
import { classNames } from '../../../lib/browser/class-names.ts'
import {
  describeCost,
  formatAgo,
  formatClock,
  formatCost,
  formatCount,
  formatDate,
  formatModel,
  formatShortDuration,
} from '../../../lib/figures/format.ts'
import { lastActivity } from '../../../lib/figures/last-activity.ts'
import { countFailed, describeFailures } from '../../../lib/session/describe-failures.ts'
import { withOwn } from '../../../lib/session/own-share.ts'
import { sessionLengthMs } from '../../../lib/session/session-length.ts'
import { Heard } from '../../../ui/figures/heard.tsx'
import { TimeText } from '../../../ui/figures/time-text.tsx'
import { TokenText } from '../../../ui/figures/token-text.tsx'
import { Trace } from '../../../ui/figures/trace.tsx'
import type { RowFigures } from './row-figures.ts'

/** From this price on a row's cost stands out. */
const NOTABLE_USD = 1
const RECENT_MS = 12 * 60 * 60 * 1_000

type Props = { session: SessionSummary; figures: RowFigures | null; isUnderDay: boolean; now: Date }

/** The columns of a row. Dashes stand for what is not known. */
export function SessionCells({ session, figures, isUnderDay, now }: Props) {
  const time = lastActivity(session)
  const isNotable = (figures?.cost?.usd ?? 0) >= NOTABLE_USD
  return (
    <>
      <span className="session-cell project" dir="auto" title={session.project.path ?? undefined}>
        {session.project.name}
      </span>
      <span className="session-cell roomy-only" title={figures?.models.map(describeModel).join(', ')}>
        {figures ? modelText(figures.models) : '-'}
      </span>
      <span className="session-cell">
        <Trace points={session.trace} isLive={session.live} />
      </span>
      <span className="session-cell num roomy-only">
        <Count of={figures?.turns} one="turn" />
      </span>
      <span className="session-cell num roomy-only" title={toolsTitle(figures)}>
        <Count of={figures?.toolCalls} one="tool call" />
      </span>
      <span className="session-cell num" title={figures ? failuresTitle(figures) : undefined}>
        <FailedCount session={session} figures={figures} />
      </span>
      <span className="session-cell num roomy-only" title="From its start to its last record">
        {lengthText(session)}
        <Heard>from start to end</Heard>
      </span>
      <span className="session-cell num">
        {figures?.tokens == null ? (
          <Count of={null} one="token" />
        ) : (
          <ExplainButton of={{ kind: 'session', sessionRef: session.key, figure: 'total' }}>
            <TokenText tokens={figures.tokens} more={figures.own?.tokens} />
          </ExplainButton>
        )}
      </span>
      <span
        className={classNames('session-cell num', isNotable && 'notable')}
        title={figures?.cost ? withOwn(describeCost(figures.cost), figures.own?.cost) : undefined}
      >
        {figures?.cost == null ? (
          <>
            {formatCost(null)}
            <Heard>cost</Heard>
          </>
        ) : (
          <ExplainButton of={{ kind: 'session', sessionRef: session.key, figure: 'cost' }}>
            {formatCost(figures.cost)}
          </ExplainButton>
        )}
      </span>
      {time === null ? (
        <span className="session-cell num time">No date</span>
      ) : (
        <span className="session-cell num time">
          <span className="visually-hidden">active </span>
          <TimeText time={time}>{timeText(time, isUnderDay, now)}</TimeText>
        </span>
      )}
    </>
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
    ? 'This version of the CLI did not record tool calls'
    : figures?.own?.toolCalls
}

function failuresTitle({ failures, own }: RowFigures): string | undefined {
  const kinds = describeFailures(failures).join(', ')
  return kinds === '' ? undefined : withOwn(kinds, own?.failures)
}

/** Dashes stand for what is not known. */
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

/** Failures are bold and lead to themselves, none is blank: nothing to look at. */
function FailedCount({ session, figures }: Pick<Props, 'session' | 'figures'>) {
  if (figures === null) return <Count of={null} one="failure" />
  const failed = countFailed(figures.failures)
  if (failed === 0) return <span className="visually-hidden">0 failed</span>
  return (
    <ToFailures session={session} label={`${formatCount(failed)} failed: show them`}>
      {formatCount(failed)}
    </ToFailures>
  )
}

/** To the failures of a session; where only sub-agents have some, to these. */
export function ToFailures({ session, label, children }: ToFailuresProps) {
  const { key, failures } = session
  const shared = { className: 'failed', 'aria-label': label }
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

interface ToFailuresProps {
  session: SessionSummary
  /** Where the text alone does not say it. */
  label?: string
  children: string
}

function modelText(models: RowFigures['models']): string {
  const [main, ...others] = [...models].sort((a, b) => b.calls - a.calls)
  if (!main) return '-'
  return others.length > 0 ? `${formatModel(main.name)} +${others.length}` : formatModel(main.name)
}

function describeModel(model: RowFigures['models'][number]): string {
  return `${model.name}: ${formatCount(model.calls)} ${model.calls === 1 ? 'call' : 'calls'}`
}
