import type { Session } from '../../model/session.ts'
import type { SessionSummary } from '../../model/session-summary.ts'
import { findFailures } from './find-failures.ts'

/** How much failed, by kind; a prompt whose request was refused counts as refused. */
export function countFailures(session: Session): NonNullable<SessionSummary['failures']> {
  const { calls, refusals, turns } = findFailures(session)
  return {
    tools: calls.reduce((sum, { count }) => sum + count, 0),
    refused: refusals.length,
    unanswered: turns.filter(({ refusal }) => refusal === null).length,
  }
}
