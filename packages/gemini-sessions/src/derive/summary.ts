import type { ParseIssue } from '../model/issue.ts'
import type { Message, Session } from '../model/message.ts'
import type { SessionCounts, SessionSummary } from '../model/session-summary.ts'
import { type Cost, NO_COST } from '../model/usage.ts'
import { splitContext } from '../parse/lift/prompt.ts'
import { countFates, failedRuns, findFailures } from './failure.ts'
import {
  drawnMessages,
  isDamagedSession,
  isModelCall,
  isPrompt,
  lastMessageTime,
  messageText,
  oneLine,
  promptLine,
  RecordedCalls,
  spentMessages,
} from './messages.ts'
import { copiedFrom } from './request-ids.ts'
import { addCost, type PriceCall, spentCost, sumUsage } from './sums.ts'
import { endedOf, outcomeOf, sessionVerdict } from './verdict.ts'

/** Maximum number of points in a trace. */
const MAX_POINTS = 28

/** Data that a session does not have itself. */
export interface SummaryContext {
  project: SessionSummary['project']
  priceCall: PriceCall
}

/**
 * The list row of a fully read session. What depends on other sessions (`parentKey`, `subagentKeys`, `withSubagents`) is set by
 * `linkSubagents`, `live` by the file watcher.
 */
export function summarizeSession(session: Session, { project, priceCall }: SummaryContext): SessionSummary {
  const { messages } = session
  const spent = spentMessages(session)
  const usage = sumUsage(spent)
  const cost = sumCost(spent, priceCall)
  const failures = countFailures(session)
  const recorded = countRecorded(session)
  const failed = failedRuns(session)
  const verdict = sessionVerdict(session, failed)
  return {
    key: session.key,
    sessionId: session.sessionId,
    kind: session.kind,
    source: session.source ?? 'gemini-cli',
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
    verdict,
    ended: endedOf(verdict),
    outcome: outcomeOf(verdict, { isUnread: isDamagedSession(session) }),
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

/** Unreadable parts may have been messages. */
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

/** A stub keeps nothing of a conversation in a Gemini folder, so it is ignored if there are other files. */
function deletedSeen(files: Session['files']): string | null {
  const holding = files.some(({ role }) => role !== 'stub')
    ? files.filter(({ role }) => role !== 'stub')
    : files
  const seen = holding.flatMap(({ kept }) => kept?.lastSeen ?? [])
  return seen.length > 0 && seen.length === holding.length ? (seen.sort().at(-1) ?? null) : null
}

/** Turns and tool calls ever recorded: the sum over the turns of the outline. Calls in a damaged file are not counted. */
function countRecorded(session: Session): NonNullable<SessionSummary['recorded']> {
  const calls = new RecordedCalls()
  const counted = isDamagedSession(session) ? [] : session.messages
  return {
    turns: session.messages.filter(isPrompt).length,
    toolCalls: counted.reduce((sum, message) => sum + calls.newIn(message).length, 0),
  }
}

/** Models by number of calls, in descending order; in a buried session those of the displayed state. */
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

/** Cost of everything these messages spent. */
function sumCost(messages: Iterable<Message>, priceCall: PriceCall): Cost {
  let sum = NO_COST
  for (const message of messages) sum = addCost(sum, spentCost(message, priceCall))
  return sum
}

/** Number of failures by kind; a prompt whose request was refused counts as refused. */
function countFailures(session: Session): NonNullable<SessionSummary['failures']> {
  const { calls, refusals, turns } = findFailures(session)
  return {
    tools: calls.reduce((sum, { count }) => sum + count, 0),
    refused: refusals.length,
    unanswered: turns.filter(({ refusal }) => refusal === null).length,
  }
}

/**
 * Counts of contract rules 7 and 13: 0 for a damaged file; else over the live messages (buried: of the displayed state), except for
 * `messages` and `superseded`.
 */
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

/** A live copy counts instead of its original, unless that is displayed as well (one id twice in a JSON file). */
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

/** Tokens of each model call in order; for long sessions the maximum in each of 28 equal parts. */
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

/** The number of unreadable places: an issue can cover many. */
export function countIssues(issues: readonly ParseIssue[]): number {
  return issues.reduce((sum, { count = 1 }) => sum + count, 0)
}

const MAX_LENGTH = 300

/**
 * The prompt that describes a session: the first that is not a command and was not rewound. A refused or compacted one counts (contract
 * rule 5). For a sub-agent, its task.
 */
function firstPrompt(session: Session): string | null {
  const lineOf = (message: Message) =>
    session.kind === 'subagent' ? taskLine(message) : promptLine(message, MAX_LENGTH)
  const prompts = candidates(session)
  return earliestLine(prompts, lineOf) ?? firstLine(prompts, lineOf, isSpoken) ?? firstLine(prompts, lineOf)
}

type LineOf = (message: Message) => string

/**
 * With several files, the older one's prompts may come later: takes the first of equal or unknown times. Lines are only made for
 * candidates: a long session has thousands of prompts.
 */
function earliestLine(prompts: readonly Message[], lineOf: LineOf): string | null {
  let earliest: { line: string; timeMs: number } | null = null
  for (const prompt of prompts) {
    const timeMs = Date.parse(prompt.timestamp ?? '')
    const isEarlier = earliest === null || timeMs < earliest.timeMs
    if (!isEarlier || prompt.superseded === 'rewound') continue
    const line = lineOf(prompt)
    if (line !== '' && isSpoken(line)) earliest = { line, timeMs }
  }
  return earliest?.line ?? null
}

function firstLine(
  prompts: readonly Message[],
  lineOf: LineOf,
  fits: (line: string) => boolean = () => true,
): string | null {
  for (const prompt of prompts) {
    const line = lineOf(prompt)
    if (line !== '' && fits(line)) return line
  }
  return null
}

function isSpoken(line: string): boolean {
  return !COMMAND.test(line)
}

function candidates(session: Session): Message[] {
  if (session.kind === 'subagent') {
    return session.messages.filter(({ type, origin }) => type === 'user' && origin !== 'tool-result')
  }
  const drawn = session.buried ? drawnMessages(session).filter(isPrompt) : []
  return drawn.length > 0 ? drawn : session.messages.filter(isPrompt)
}

/** A session context may precede the task, in a separate row or in the same one (0.44+). */
function taskLine(message: Message): string {
  return oneLine(splitContext(messageText(message)).rest, MAX_LENGTH)
}

/** Slash, help and shell commands: what the CLI itself does not count as a conversation, and `!ls`. */
const COMMAND = /^[/?!]/

const MAX_TITLE_LENGTH = 160

type SessionTitle = Pick<SessionSummary, 'title' | 'titleSource'>

/**
 * The title of the session in a list: the CLI's summary, else the newest topic set by the model, else the first real prompt. A saved chat
 * has its tag. A sub-agent's `summary` is its final answer, so its task is the title. An unreadable session has its file name. '' if there
 * is nothing (`none`).
 */
export function sessionTitle(session: Session): SessionTitle {
  if (session.ownTitle !== undefined) {
    return { ...session.ownTitle, title: oneLine(session.ownTitle.title, MAX_TITLE_LENGTH) }
  }
  if (session.kind === 'checkpoint' && session.summary !== null) {
    return { title: oneLine(session.summary, MAX_TITLE_LENGTH), titleSource: 'user' }
  }
  const summary = session.kind === 'subagent' ? '' : cleanSummary(session.summary ?? '')
  if (summary !== '') return { title: summary, titleSource: 'summary' }
  const topic = newestTopic(drawnMessages(session))
  if (topic !== '') return { title: topic, titleSource: 'topic' }
  const asked = firstPrompt(session) ?? ''
  const prompt = session.kind === 'subagent' ? withoutTemplate(asked) : asked
  if (prompt !== '') return { title: oneLine(prompt, MAX_TITLE_LENGTH), titleSource: 'prompt' }
  const file = isDamagedSession(session) ? session.files[0]?.path : undefined
  if (file !== undefined) return { title: file.slice(file.lastIndexOf('/') + 1), titleSource: 'file' }
  return { title: '', titleSource: 'none' }
}

/** The first line with letters or digits; of a JSON text the first string in it. */
function cleanSummary(summary: string): string {
  const line =
    asText(summary)
      .split('\n')
      .find((candidate) => /[\p{L}\p{N}]/u.test(candidate)) ?? ''
  return oneLine(line.replace(/^[#>*\-\s]+/, '').replace(/\*\*/g, ''), MAX_TITLE_LENGTH)
}

function asText(summary: string): string {
  if (!/^\s*[{[]/.test(summary)) return summary
  try {
    return Object.values(JSON.parse(summary)).find((value) => typeof value === 'string') ?? ''
  } catch {
    return summary
  }
}

/** Title of the last `update_topic` call (0.36+). */
function newestTopic(messages: readonly Message[]): string {
  const topics = messages
    .flatMap((message) => message.toolCalls)
    .filter((call) => call.name === 'update_topic')
    .map((call) => topicOf(call.args))
  return oneLine(topics.findLast((topic) => topic.trim() !== '') ?? '', MAX_TITLE_LENGTH)
}

function topicOf(args: unknown): string {
  if (typeof args !== 'object' || args === null || !('title' in args)) return ''
  return typeof args.title === 'string' ? args.title : ''
}

/** A sub-agent's prompt wraps its task in a template: "… user objective: <objective> task </objective>". */
function withoutTemplate(prompt: string): string {
  return /<objective>\s*(.+?)\s*(?:<\/objective>|$)/.exec(prompt)?.[1] ?? prompt
}
