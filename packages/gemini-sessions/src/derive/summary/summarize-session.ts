import type { Session } from '../../model/session.ts'
import type { SessionSummary } from '../../model/session-summary.ts'
import { countFailures } from '../failure/count-failures.ts'
import { sessionEnded } from '../failure/session-ended.ts'
import { sessionOutcome } from '../failure/session-outcome.ts'
import { drawnMessages } from '../messages/drawn-messages.ts'
import { isDamagedSession } from '../messages/is-damaged-session.ts'
import { lastMessageTime } from '../messages/last-message-time.ts'
import { spentMessages } from '../messages/spent-messages.ts'
import type { PriceCall } from '../sums/price-call.ts'
import { sumCost } from '../sums/sum-cost.ts'
import { sumUsage } from '../sums/sum-usage.ts'
import { countIssues } from './count-issues.ts'
import { countMessages } from './count-messages.ts'
import { countModels } from './count-models.ts'
import { countRecorded } from './count-recorded.ts'
import { firstPrompt } from './first-prompt.ts'
import { sessionTitle } from './session-title.ts'
import { sessionTrace } from './session-trace.ts'

/** What a session does not know of itself. */
export interface SummaryContext {
  project: SessionSummary['project']
  priceCall: PriceCall
}

/**
 * The list row of a fully read session. What only other sessions can tell
 * (`parentKey`, `subagentKeys`, `withSubagents`) is filled in by `linkSubagents`, `live` by whoever watches.
 */
export function summarizeSession(session: Session, { project, priceCall }: SummaryContext): SessionSummary {
  const { messages } = session
  const spent = spentMessages(session)
  const usage = sumUsage(spent)
  const cost = sumCost(spent, priceCall)
  return {
    key: session.key,
    sessionId: session.sessionId,
    kind: session.kind,
    parentKey: null,
    subagentKeys: [],
    sameRunKeys: session.sameRunKeys,
    project,
    ...sessionTitle(session),
    startTime: session.startTime,
    endTime: endTimeOf(session),
    lastUpdated: session.lastUpdated,
    indexed: 'full',
    buried: session.buried,
    live: false,
    ended: sessionEnded(messages),
    outcome: sessionOutcome(session),
    failures: countFailures(session),
    issues: countIssues(session.issues),
    firstPrompt: firstPrompt(session),
    trace: sessionTrace(isDamagedSession(session) ? [] : messages),
    models: countModels(session),
    counts: countMessages(session),
    recorded: countRecorded(session),
    usage,
    liveUsage: sumUsage(spent.filter((message) => message.superseded === null)),
    cost,
    withSubagents: { usage, cost },
    files: session.files,
  }
}

/** The last message's time; a session without messages ends when it was last written. */
function endTimeOf(session: Session): string | null {
  return (
    lastMessageTime(drawnMessages(session)) ??
    lastMessageTime(session.messages) ??
    session.lastUpdated ??
    session.startTime
  )
}
