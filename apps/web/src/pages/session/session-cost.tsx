import './session-cost.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { healthQuery } from '../../api/queries.ts'
import type { ShownDetail } from '../../api/session.ts'
import { sessionAnswerQuery } from '../../api/session-answer.ts'
import { Arithmetic } from '../../features/session-cost/arithmetic.tsx'
import { ContextPanel } from '../../features/session-cost/context.tsx'
import { TurnCosts, WhyItCost } from '../../features/session-cost/session-cost.tsx'
import { Notice } from '../../ui/states.tsx'

interface Props {
  sessionRef: string
  detail: ShownDetail
  /** Scrolls to a message. */
  onOpen: (messageKey: string) => void
}

/** Cost of a session: reasons, context growth, turns, and the full calculation. */
export default function SessionCost({ sessionRef, detail, onOpen }: Props) {
  const { session, outline, compressions } = detail
  const { data: health } = useQuery(healthQuery())
  const { data: report } = useQuery(sessionAnswerQuery('cost', sessionRef))
  const hasPrices = health?.prices.plan !== 'nothing'
  const countedIn = session.usage?.calls === 0 ? (session.copiedFrom?.sessionKey ?? null) : null
  const hasRequests = (session.usage?.calls ?? 0) > 0 || session.subagentKeys.length > 0
  if (countedIn !== null && session.subagentKeys.length === 0)
    return (
      <div className="session-cost">
        <Notice>
          This session is a copy. Its requests are counted{' '}
          <Link to="/s/$key" params={{ key: countedIn }} search={{ view: 'cost' }} className="link">
            in the original
          </Link>
          .
        </Notice>
      </div>
    )
  if (!hasRequests)
    return (
      <div className="session-cost">
        <Notice>No request of this session is recorded.</Notice>
      </div>
    )
  return (
    <div className="session-cost in-order">
      {hasPrices && <WhyItCost sessionRef={sessionRef} session={session} />}
      <ContextPanel sessionRef={sessionRef} compressions={compressions} onOpen={onOpen} />
      <TurnCosts {...{ sessionRef, outline, report, hasPrices }} />
      <Arithmetic {...{ sessionRef, report, hasPrices }} />
    </div>
  )
}
