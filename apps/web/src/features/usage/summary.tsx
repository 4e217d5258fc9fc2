import './usage.css'
import type { UsageWhy as UsageWhyAnswer } from '@gemini-dash/api'
import { PAID_FOR } from '@gemini-dash/api/why-labels'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isUnanswered } from '../../api/request.ts'
import { usageQuery, usageWhyQuery } from '../../api/usage.ts'
import { WhyPanel } from '../../content/why-panel.tsx'
import { formatDate, startOfDay } from '../../lib/dates.ts'
import {
  describeCost,
  formatCost,
  formatCount,
  formatPercent,
  formatPlural,
  formatTokens,
} from '../../lib/figures.ts'
import { Heard } from '../../ui/figures.tsx'
import { Failed, SkeletonRows } from '../../ui/states.tsx'
import { NotLoaded } from './metrics.tsx'
import type { UsageRange } from './usage-range.tsx'

/** Scope of the usage report. */
interface UsageScope {
  from?: string | undefined
  project?: string | undefined
}

interface Props {
  range: UsageRange
  projectKey: string | undefined
  /** First recorded day. */
  firstDay: string | undefined
  hasPrices: boolean
}

/** Three figures of the range: cost (tokens on a plan), sessions, failed tool calls. */
export function ThreeFigures({ range: { from, previous }, projectKey: project, firstDay, hasPrices }: Props) {
  const scope = { from, project }
  const models = useQuery(usageQuery({ by: 'model', ...scope }))
  const tools = useQuery(usageQuery({ by: 'tool', ...scope }))
  const hasBefore = previous !== undefined && firstDay !== undefined && firstDay <= previous.from
  const before = useQuery({
    ...usageQuery({ by: 'model', from: previous?.from, to: previous?.to, project }),
    enabled: hasBefore,
  })
  const asked = [models, tools, before]
  if (asked.some(isUnanswered)) return <NotLoaded asked={asked} />
  const isHere = models.data && tools.data && (!hasBefore || before.data)
  if (!isHere) return <div className="usage-figures sheet" aria-busy="true" />
  const { total } = models.data
  const { usage, cost, calls, sessions, failures, fates } = total
  const toolCalls = tools.data.rows.reduce((sum, row) => sum + row.calls, 0)
  const since = sinceWords(from, firstDay, previous?.days, hasPrices ? before.data?.total : undefined)
  return (
    <dl className="usage-figures sheet">
      {hasPrices ? (
        <Figure name="Cost" note={since}>
          <span title={describeCost(cost)}>{formatCost({ usd: cost.usd, unpricedCalls: 0 })}</span>
        </Figure>
      ) : (
        <Figure name="Tokens" note={since}>
          {formatTokens(usage.total)}
        </Figure>
      )}
      <Figure
        name="Sessions"
        note={
          <span title={`${formatCount(usage.input)} input, ${formatCount(usage.cached)} of them cached`}>
            {formatPlural(calls, 'request')}
            {hasPrices && `, ${formatTokens(usage.total)} tokens`}
          </span>
        }
      >
        {formatCount(sessions)}
      </Figure>
      <Figure
        name="Failed tool calls"
        note={toolCalls > 0 && failedWords(failures.tools, toolCalls, fates.neverRerun)}
      >
        <FailedSessionsLink isLink={failures.tools > 0} {...scope}>
          {formatCount(failures.tools)}
          <Heard>failed tool calls</Heard>
        </FailedSessionsLink>
      </Figure>
    </dl>
  )
}

function Figure({ name, note, children }: { name: string; note: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="usage-figure">{children}</dd>
      <dd>{note}</dd>
    </div>
  )
}

/** `5.7% of 633; 8 never rerun` */
function failedWords(failed: number, toolCalls: number, neverRerun: number): string {
  const share = `${formatPercent(failed / toolCalls)} of ${formatCount(toolCalls)}`
  return neverRerun === 0 ? share : `${share}; ${formatCount(neverRerun)} never rerun`
}

/** Context for the figure: the start of the records within the range, or the cost of the previous period. */
function sinceWords(
  from: string | undefined,
  firstDay: string | undefined,
  days: number | undefined,
  before: { cost: Parameters<typeof formatCost>[0] } | undefined,
): string {
  if (firstDay === undefined) return ''
  const first = formatDate(startOfDay(firstDay).toISOString())
  if (from === undefined) return `since ${first}`
  if (firstDay > from) return `no data before ${first}`
  return before === undefined || days === undefined
    ? ''
    : `${formatCost(before.cost)} in the ${formatPlural(days, 'day')} before`
}

interface FailedSessionsLinkProps {
  /** false if there are none. */
  isLink: boolean
  from: string | undefined
  project: string | undefined
  children: ReactNode
}

/** Link to the sessions with failures, most failures first. */
function FailedSessionsLink({ isLink, from, project, children }: FailedSessionsLinkProps) {
  if (!isLink) return children
  const shared = { search: { from, has: 'errors', sort: 'failed' }, className: 'link' } as const
  return project === undefined ? (
    <Link to="/" {...shared}>
      {children}
    </Link>
  ) : (
    <Link to="/p/$project" params={{ project }} {...shared}>
      {children}
    </Link>
  )
}

/** What drives the cost of a range's sessions, with links, and a breakdown of the cost. */
export function UsageWhyView({ scope }: { scope: UsageScope }) {
  const { data: why, error, refetch } = useQuery(usageWhyQuery(scope))
  if (error !== null && why === undefined)
    return <Failed what="Couldn’t load why it cost that." error={error} onRetry={() => void refetch()} />
  if (why === undefined) return <SkeletonRows count={5} label="Loading why it cost that" />
  if (why.shown === null) return null
  return (
    <WhyPanel title={`Why ${why.shown}`} note="" lines={toLines(why)}>
      <Kinds kinds={why.kinds} scope={scope} />
    </WhyPanel>
  )
}

/** Breakdown of the cost as a bar. */
function Kinds({ kinds, scope }: Pick<UsageWhyAnswer, 'kinds'> & { scope: UsageScope }) {
  // shared with the figures above
  const usage = useQuery(usageQuery({ by: 'model', ...scope })).data?.total.usage
  const rate = usage && usage.input > 0 ? formatPercent(usage.cached / usage.input) : null
  return (
    <div className="panel-body">
      <div className="usage-kinds" aria-hidden="true">
        {kinds.map(({ kind, usd }) => (
          <i key={kind} className={`kind-${kind}`} style={{ flexGrow: usd }} />
        ))}
      </div>
      <ul className="usage-kinds-key label">
        {kinds.map(({ kind, shown, percent }) => (
          <li
            key={kind}
            title={
              kind === 'cached-input' && rate !== null
                ? `${percent}% of the cost, ${rate} of the input`
                : `${percent}% of the cost`
            }
          >
            <i className={`kind-${kind}`} />
            {PAID_FOR[kind]} {shown}
          </li>
        ))}
      </ul>
    </div>
  )
}

function toLines({ by, lines, other }: UsageWhyAnswer) {
  const shown = lines.map(({ key, name, text, ...line }) => ({
    ...line,
    key,
    text: name || 'A session without a name',
    detail: `${text}.`,
    way: <ShowWhy by={by} of={key} />,
  }))
  if (other === null) return shown
  const rest = {
    ...other,
    key: '',
    text: formatPlural(other.sessions, 'other session'),
    detail: `None above ${other.largest}.`,
    advice: null,
    way: null,
  }
  return [...shown, rest]
}

function ShowWhy({ by, of }: { by: UsageWhyAnswer['by']; of: string }) {
  if (by === 'project')
    return (
      <Link from="/usage" to="/usage" search={(search) => ({ ...search, project: of })} className="button">
        Show why
      </Link>
    )
  return (
    <Link to="/s/$key" params={{ key: of }} search={{ view: 'cost' }} className="button">
      Show why
    </Link>
  )
}
