import { type Cost, NO_COST } from '../../model/cost.ts'
import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'
import type { SessionCounts, SessionSummary } from '../../model/session-summary.ts'
import { failedTurnSentence } from '../failure/failed-turn-sentence.ts'
import { findFailures } from '../failure/find-failures.ts'
import { isRefusal } from '../failure/is-refusal.ts'
import { refusalSentence } from '../failure/refusal-sentence.ts'
import { drawnMessages } from '../messages/drawn-messages.ts'
import { isConversationMessage } from '../messages/is-conversation-message.ts'
import { isDamagedSession } from '../messages/is-damaged-session.ts'
import { isModelCall } from '../messages/is-model-call.ts'
import { isPrompt } from '../messages/is-prompt.ts'
import { lastMessageTime } from '../messages/last-message-time.ts'
import { messageText } from '../messages/message-text.ts'
import { RecordedCalls } from '../messages/recorded-calls.ts'
import { spentMessages } from '../messages/spent-messages.ts'
import { addCost } from '../sums/add-cost.ts'
import type { PriceCall } from '../sums/price-call.ts'
import { spentCost } from '../sums/spent-cost.ts'
import { sumUsage } from '../sums/sum-usage.ts'
import { countIssues } from './count-issues.ts'
import { firstPrompt } from './first-prompt.ts'
import { sessionTitle } from './session-title.ts'
import { sessionTrace } from './session-trace.ts'

const STOPPED = /^Request cancelled|^Response (?:truncated|stopped) due to/i

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

type Outcome = NonNullable<SessionSummary['outcome']>

/** How the session ended, with a sentence and the message that tells. `live` is set by whoever watches the files. */
function sessionOutcome(session: Session): Outcome {
  const { messages } = session
  if (isDamagedSession(session)) return outcome('empty', 'Its file is damaged')
  if (!messages.some(isConversationMessage)) return outcome('empty', 'Nothing was said')
  if (session.kind === 'checkpoint') return outcome('finished', 'A chat that was saved')
  if (session.kind === 'prompts-only') return outcome('finished', 'Only what was typed is left')
  const { turns, refusals } = findFailures(session)
  const last = turns.at(-1)
  if (last !== undefined && last.prompt === messages.findLast(isPrompt)) {
    const text = failedTurnSentence(last)
    if (last.refusal === null) return outcome('unanswered', text, last.prompt.key)
    return outcome('error', text, last.refusal.key)
  }
  const ended = sessionEnded(messages)
  const refusal = refusals.at(-1)
  if (ended === 'error' && refusal !== undefined)
    return outcome('error', `Ended early: ${refusalSentence(refusal)}`, refusal.key)
  if (ended === 'stopped')
    return outcome('stopped', 'Stopped before the answer was complete', messages.at(-1)?.key)
  return outcome('finished', 'Finished')
}

function outcome(kind: Outcome['kind'], text: string, messageKey: string | null = null): Outcome {
  return { kind, text, messageKey }
}

type Ended = SessionSummary['ended']

/**
 * How the session ended, if not well: `error` if the last word is an error notice, `stopped` if it is a cancelled or
 * aborted request or an answer cut by the token limit. Notices that tell of something else are passed over.
 */
function sessionEnded(messages: readonly Message[]): Ended {
  for (const message of [...messages].reverse()) {
    const ended = endedBy(message)
    if (ended !== undefined) return ended
  }
  return null
}

/** undefined: this message does not say; look at the one before. */
function endedBy(message: Message): Ended | undefined {
  // After an abort the surviving history stands once more at the end, as copies.
  if (message.superseded === 'rewound' || message.copyOf !== null) return undefined
  if (message.superseded === 'aborted') return 'stopped'
  if (message.type === 'error') return isRefusal(message) ? 'error' : undefined
  if (message.origin === 'cli') return STOPPED.test(messageText(message)) ? 'stopped' : undefined
  if (message.origin === 'tool-result' || message.origin === 'injected') return undefined
  return message.toolCalls.some((call) => call.status === 'cancelled') ? 'stopped' : null
}
