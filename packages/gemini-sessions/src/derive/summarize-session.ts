import type { Session } from '../model/session.ts'
import type { SessionSummary } from '../model/session-summary.ts'
import { countIssues } from './count-issues.ts'
import { countMessages } from './count-messages.ts'
import { countModels } from './count-models.ts'
import { countRecorded } from './count-recorded.ts'
import { drawnMessages } from './drawn-messages.ts'
import { countFailures } from './failure/count-failures.ts'
import { sessionOutcome } from './failure/session-outcome.ts'
import { firstPrompt } from './first-prompt.ts'
import { isDamagedSession } from './is-damaged-session.ts'
import { lastMessageTime } from './last-message-time.ts'
import type { PriceCall } from './price-call.ts'
import { sessionEnded } from './session-ended.ts'
import { sessionTitle } from './session-title.ts'
import { sessionTrace } from './session-trace.ts'
import { spentMessages } from './spent-messages.ts'
import { sumCost } from './sum-cost.ts'
import { sumUsage } from './sum-usage.ts'

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
