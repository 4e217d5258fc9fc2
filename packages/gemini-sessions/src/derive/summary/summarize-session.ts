import { type Cost, NO_COST } from '../../model/cost.ts'
import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'
import type { SessionCounts, SessionSummary } from '../../model/session-summary.ts'
import { findFailures } from '../failure/find-failures.ts'
import { countFates, failedRuns } from '../failure/find-runs.ts'
import { drawnMessages } from '../messages/drawn-messages.ts'
import { isDamagedSession } from '../messages/is-damaged-session.ts'
import { isModelCall, isPrompt } from '../messages/message-kinds.ts'
import { lastMessageTime } from '../messages/message-times.ts'
import { RecordedCalls } from '../messages/recorded-calls.ts'
import { spentMessages } from '../messages/spent-messages.ts'
import { addCost } from '../sums/add-cost.ts'
import { copiedFrom } from '../sums/billed-elsewhere.ts'
import type { PriceCall } from '../sums/price-call.ts'
import { spentCost } from '../sums/spent-cost.ts'
import { sumUsage } from '../sums/sum-usage.ts'
import { countIssues } from './count-issues.ts'
import { firstPrompt } from './first-prompt.ts'
import { sessionEnded, sessionOutcome } from './session-outcome.ts'
import { sessionTitle } from './session-title.ts'

/** Of a trace. */
const MAX_POINTS = 28

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
  const failures = countFailures(session)
  const recorded = countRecorded(session)
  const failed = failedRuns(session)
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
    deletedAfter: null,
    mark: null,
    deletedSeen: deletedSeen(session.files),
    deletedBy: null,
    copiedFrom: copiedFrom(session),
    indexed: 'full',
    buried: session.buried,
    empty: isEmptySession(session),
    live: false,
    ended: sessionEnded(messages),
    outcome: sessionOutcome(session, failed),
    failures,
    fates: countFates(failed),
    issues: countIssues(session.issues),
    firstPrompt: firstPrompt(session),
    trace: sessionTrace(isDamagedSession(session) ? [] : messages),
    models: countModels(session),
    counts: countMessages(session),
    recorded,
    usage,
    liveUsage: sumUsage(spent.filter((message) => message.superseded === null)),
    cost,
    withSubagents: { usage, cost, toolCalls: recorded.toolCalls, failures },
    files: session.files,
  }
}

/** What could not be read may have been said. */
function isEmptySession(session: Session): boolean {
  const { kind, messages, issues } = session
  if (kind !== 'main' || issues.length > 0 || isDamagedSession(session)) return false
  return messages.every((message) => message.origin === 'injected' || isNotice(message))
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

/** A file of which nothing is told but that it was begun keeps nothing of a conversation in a home. */
function deletedSeen(files: Session['files']): string | null {
  const holding = files.some(({ role }) => role !== 'stub')
    ? files.filter(({ role }) => role !== 'stub')
    : files
  const seen = holding.flatMap(({ kept }) => kept?.lastSeen ?? [])
  return seen.length > 0 && seen.length === holding.length ? (seen.sort().at(-1) ?? null) : null
}

/** Turns and calls of tools that were ever recorded: what the turns of the outline add up to. A damaged file's calls are not counted. */
function countRecorded(session: Session): NonNullable<SessionSummary['recorded']> {
  const calls = new RecordedCalls()
  const counted = isDamagedSession(session) ? [] : session.messages
  return {
    turns: session.messages.filter(isPrompt).length,
    toolCalls: counted.reduce((sum, message) => sum + calls.newIn(message).length, 0),
  }
}

/** Models by calls, the busiest first; in a buried session those of the drawn state. */
function countModels(session: Session): NonNullable<SessionSummary['models']> {
  const calls = new Map<string, number>()
  for (const message of session.buried ? drawnMessages(session) : spentMessages(session)) {
    if (message.model === null || !isModelCall(message)) continue
    calls.set(message.model, (calls.get(message.model) ?? 0) + 1)
  }
  return [...calls]
    .map(([name, count]) => ({ name, calls: count }))
    .sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1))
}

/** Cost of all that these messages spent. */
function sumCost(messages: Iterable<Message>, priceCall: PriceCall): Cost {
  let sum = NO_COST
  for (const message of messages) sum = addCost(sum, spentCost(message, priceCall))
  return sum
}

/** How much failed, by kind; a prompt whose request was refused counts as refused. */
function countFailures(session: Session): NonNullable<SessionSummary['failures']> {
  const { calls, refusals, turns } = findFailures(session)
  return {
    tools: calls.reduce((sum, { count }) => sum + count, 0),
    refused: refusals.length,
    unanswered: turns.filter(({ refusal }) => refusal === null).length,
  }
}

/** Counts of contract rules 7 and 13: 0 of a damaged file; else all of the live messages (buried: of the drawn state) but `messages` and `superseded`. */
function countMessages(session: Session): SessionCounts {
  const messages = isDamagedSession(session) ? [] : session.messages
  const drawn = withoutRepeats(drawnMessages({ ...session, messages }))
  const toolCalls = drawn.flatMap((message) => message.toolCalls)
  return {
    messages: messages.length,
    prompts: drawn.filter(isPrompt).length,
    answers: drawn.filter(isAnswer).length,
    thoughts: drawn.reduce((sum, message) => sum + message.thoughts.length, 0),
    toolCalls: toolCalls.length,
    toolErrors: toolCalls.filter((call) => call.failed).length,
    notices: drawn.filter(isNotice).length,
    superseded: messages.filter((message) => message.superseded !== null).length,
  }
}

/** A live copy stands for its original, unless that is drawn as well (one id twice in a JSON file). */
function withoutRepeats(drawn: readonly Message[]): Message[] {
  const keys = new Set(drawn.map(({ key }) => key))
  return drawn.filter(({ copyOf }) => copyOf === null || !keys.has(copyOf))
}

function isAnswer({ origin, content }: Message): boolean {
  return origin === 'model' && content.some((part) => part.kind === 'text' && /\S/.test(part.text))
}

function isNotice({ type }: Message): boolean {
  return type === 'info' || type === 'error' || type === 'warning'
}

/** Tokens of each model call in order; of long sessions the highest of each of 28 equal stretches. */
function sessionTrace(messages: readonly Message[]): SessionSummary['trace'] {
  const calls = messages.filter(isModelCall)
  const points = Math.min(calls.length, MAX_POINTS)
  return Array.from({ length: points }, (_, index) => {
    const from = Math.floor((index * calls.length) / points)
    const to = Math.floor(((index + 1) * calls.length) / points)
    const stretch = calls.slice(from, to)
    const failures = stretch.filter((message) => message.toolCalls.some((call) => call.failed)).length
    return {
      tokens: Math.max(...stretch.map((message) => message.usage?.total ?? 0)),
      failed: failures > 0,
      calls: stretch.length,
      failures,
    }
  })
}
