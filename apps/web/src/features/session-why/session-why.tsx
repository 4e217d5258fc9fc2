import type { CostWhy } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SessionSummary } from 'gemini-sessions'
import type { ReactNode } from 'react'
import { sessionAnswerQuery } from '../../api/session/session-answer.ts'
import { ExplainButton } from '../../content/explain/explain-button.tsx'
import { WhereItWent } from '../../content/where-it-went/where-it-went.tsx'
import { formatPlural } from '../../lib/figures/format.ts'
import { ToMessage } from '../../ui/controls/to-message.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'

interface Props {
  sessionRef: string
  session: SessionSummary
}

/** Where the cost of a session and its sub-agents went, with the way to each place. */
export function SessionWhy({ sessionRef, session }: Props) {
  const { data: why, error, refetch } = useQuery(sessionAnswerQuery('why', sessionRef))
  if (error !== null && why === undefined)
    return <Failed what="The cost could not be taken apart." error={error} onRetry={() => void refetch()} />
  if (why === undefined) return <SkeletonRows count={5} label="Taking the cost apart" />
  const own = why.items.map((item) => ({ ...item, evidence: evidenceOf(sessionRef, item) }))
  const agents = subagentsItem(session)
  const total = agents === null ? why.total : (why.total ?? 0) + agents.usd
  const items = agents === null ? own : [...own, agents]
  return <WhereItWent total={total} items={items} of={ofWhat(session)} />
}

/** What its sub-agents cost, which each of their own pages takes apart; null: nothing. */
function subagentsItem({ key, subagentKeys, cost, withSubagents }: SessionSummary) {
  const usd = (withSubagents.cost?.usd ?? 0) - (cost?.usd ?? 0)
  const [first, second] = subagentKeys
  if (first === undefined || usd <= 0) return null
  const evidence =
    second === undefined ? (
      <Link to="/s/$key" params={{ key: first }} search={{ view: 'context' }} className="link">
        Show it
      </Link>
    ) : (
      <Link to="/" search={{ kind: 'subagent', parent: key }} className="link">
        Show them
      </Link>
    )
  const text = 'Sub-agents: the requests of what this session started'
  return { kind: 'subagents', usd, text, evidence } as const
}

function ofWhat({ withSubagents: { usage, cost } }: SessionSummary): string {
  const calls = `in ${formatPlural(usage?.calls ?? 0, 'call')}`
  const unpriced = cost?.unpricedCalls
    ? `, ${formatPlural(cost.unpricedCalls, 'call')} of unknown price not counted`
    : ''
  return `${calls}${unpriced}`
}

const WAYS = {
  superseded: 'Show it',
  tier: 'Show the call',
  resent: 'Show the largest',
  thoughts: 'Show them',
}

function evidenceOf(sessionRef: string, { kind, messageKeys }: CostWhy['items'][number]): ReactNode {
  if (kind === 'rest')
    return (
      <ExplainButton of={{ kind: 'session', figure: 'cost' }} name="">
        Show the bill
      </ExplainButton>
    )
  const [messageKey] = messageKeys
  if (messageKey === undefined) return null
  return (
    <ToMessage sessionRef={sessionRef} messageKey={messageKey} call={null}>
      {messageKeys.length > 1 && kind !== 'resent' ? 'Show the first' : WAYS[kind]}
    </ToMessage>
  )
}
