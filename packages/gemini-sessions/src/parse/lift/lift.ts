import { OTHER_NAMES } from '../../model/issue.ts'
import type { Message, MessageType, Part, Superseded, Thought, ToolCall } from '../../model/message.ts'
import { isRawObject, KNOWN_NAMES, type RawObject } from '../../raw.ts'
import { guardDepth, Problems, printableName } from '../problems.ts'
import { type LogEntry, place, toIsoTime } from '../row.ts'
import { toToolCall } from './calls.ts'
import { flattenContent, toParts, toToolOutput } from './parts.ts'
import { isSubagentPrompt, splitPrompt, toOrigin } from './prompt.ts'
import {
  type LiftContext,
  type RestOfLog,
  restOfLog,
  settleFlatResults,
  splitToolTurn,
  unrecordedCalls,
} from './responses.ts'
import { toUsage } from './tokens.ts'

/** A query to the rest of the log, and its answer. */
interface Question {
  name: keyof RestOfLog
  about: unknown
  answer: unknown
}

interface Lifted {
  /** Its state at that time. */
  entry: LogEntry
  isSubagentFile: boolean
  questions: readonly Question[]
  message: Message
  /** null: none. */
  problems: Problems | null
}

/**
 * The lifted messages of a growing log, cached. One whose entry is unchanged, with unchanged answers from the rest of the log, is not
 * lifted again: an additional line costs little more than that line, however long the log.
 */
export class LiftedEntries {
  readonly #lifted = new Map<LogEntry, Lifted>()

  /** The caller may modify the message and its calls, but nothing inside them. */
  toMessage(lift: EntryToLift, context: LiftContext): Message {
    const { entry, key, superseded } = lift
    const known = this.#lifted.get(entry)
    if (known === undefined || !holds(known, entry, context)) return this.#liftAnew(lift, context)
    if (known.problems !== null) context.problems.addAll(known.problems)
    return { ...withOwnCalls(known.message), key, superseded }
  }

  #liftAnew(lift: EntryToLift, context: LiftContext): Message {
    const { entry } = lift
    const questions: Question[] = []
    const problems = new Problems()
    const rest = noting(context.rest, questions)
    const message = toMessage(lift, { ...context, rest, problems })
    if (isCounted(problems)) {
      this.#lifted.delete(entry)
      return toMessage(lift, context)
    }
    context.problems.addAll(problems)
    this.#lifted.set(entry, {
      entry: { ...entry },
      isSubagentFile: context.isSubagentFile,
      questions,
      message: withOwnCalls(message),
      problems: problems.issues.length + problems.drift.length === 0 ? null : problems,
    })
    return message
  }
}

function holds(known: Lifted, entry: LogEntry, { isSubagentFile, rest }: LiftContext): boolean {
  return (
    known.isSubagentFile === isSubagentFile &&
    isSameEntry(known.entry, entry) &&
    known.questions.every(({ name, about, answer }) => isSameAnswer(rest[name](about), answer))
  )
}

/** Rows are replaced, never modified. */
function isSameEntry(before: LogEntry, now: LogEntry): boolean {
  for (const name in before) {
    if (before[name as keyof LogEntry] !== now[name as keyof LogEntry]) return false
  }
  return true
}

/** Lists of parts are new objects for each query. */
function isSameAnswer(a: unknown, b: unknown): boolean {
  if (a === b) return true
  return (
    Array.isArray(a) &&
    Array.isArray(b) &&
    a.length === b.length &&
    a.every((part, index) => part === b[index])
  )
}

function noting(rest: RestOfLog, questions: Question[]): RestOfLog {
  const note = <Answer>(name: keyof RestOfLog, about: unknown, answer: Answer): Answer => {
    questions.push({ name, about, answer })
    return answer
  }
  return {
    isCallId: (id) => note('isCallId', id, rest.isCallId(id)),
    resultOf: (callId) => note('resultOf', callId, rest.resultOf(callId)),
    resultOfCall: (call) => note('resultOfCall', call, rest.resultOfCall(call)),
    isOrphan: (part) => note('isOrphan', part, rest.isOrphan(part)),
    isRepeated: (description) => note('isRepeated', description, rest.isRepeated(description)),
  }
}

/** Later steps modify messages and their calls. */
function withOwnCalls(message: Message): Message {
  return { ...message, toolCalls: message.toolCalls.map((call) => ({ ...call })) }
}

/** There are so many that some are only counted, depending on the messages before. */
function isCounted({ issues, drift }: Problems): boolean {
  return issues.some(({ count }) => count !== undefined) || drift.some(({ name }) => name === OTHER_NAMES)
}

/** An entry, and its state among the others. */
interface EntryToLift {
  entry: LogEntry
  key: string
  superseded: Superseded | null
}

/** A recorded message in the form of the model. */
function toMessage({ entry, key, superseded }: EntryToLift, context: LiftContext): Message {
  const at = toPlace(entry)
  const timestamp = toTimestamp(entry, at, context)
  const origin = toFileOrigin(entry, context)
  const { spoken, orphans } = splitResults(entry, at, context)
  const { said, attachments } =
    origin === 'human'
      ? splitPrompt(spoken, entry.displayContent)
      : { said: flattenContent(spoken), attachments: [] }
  return {
    key,
    id: entry.id,
    type: toType(entry, at, context),
    origin,
    timestamp,
    model: typeof entry.model === 'string' && entry.model !== '' ? entry.model : null,
    content: [...orphans, ...toParts(said, at, context.problems)],
    attachments,
    thoughts: toThoughts(entry.thoughts, entry.content, timestamp, at, context.problems),
    toolCalls: toToolCalls(entry, at, context),
    usage: toUsage(entry.tokens, at, context.problems),
    cost: null,
    superseded,
    copyOf: null,
    agentKey: null,
    segment: 0,
    source: toSource(entry, context.path),
  }
}

function toPlace({ line, index }: LogEntry): string {
  if (line === undefined) return `messages[${index}]`
  return index === undefined ? `line ${line}` : `line ${line} messages[${index}]`
}

function toSource({ line, index }: LogEntry, file: string): Message['source'] {
  if (line === undefined) return index === undefined ? { file } : { file, index }
  return index === undefined ? { file, line } : { file, line, index }
}

function toTimestamp(entry: LogEntry, at: string, { problems }: LiftContext): string | null {
  const timestamp = toIsoTime(entry.timestamp)
  if (timestamp === null && entry.timestamp !== undefined) problems.addIssue('bad-field', `${at} timestamp`)
  return timestamp
}

function toFileOrigin(entry: LogEntry, { isSubagentFile }: LiftContext): Message['origin'] {
  const origin = toOrigin(entry.type, entry.content)
  return isSubagentFile && origin === 'human' ? 'injected' : origin
}

function toType(entry: LogEntry, at: string, { problems }: LiftContext): MessageType {
  if (isRawObject(entry.row)) problems.addUnknownNames('message', entry.row, KNOWN_NAMES.message, at)
  const { type } = entry
  if (type === 'user' || type === 'gemini' || type === 'info' || type === 'error' || type === 'warning') {
    return type
  }
  const name = typeof type === 'string' ? type : String(type === undefined ? 'missing' : typeof type)
  problems.addIssue('unknown-type', at, { type: printableName(name) })
  problems.addDrift('message.type', name, at)
  return 'unknown'
}

/** The recorded calls of a message and those that are only `functionCall` parts in its content (0.44+). */
function toToolCalls(entry: LogEntry, at: string, context: LiftContext): ToolCall[] {
  const recorded = toRecorded(entry.toolCalls, at, context)
  const calls = [...recorded, ...toUnrecorded(entry, context)]
  return calls.map((call) => toToolCall(call, entry.fullResults?.get(String(call.id)), at, context))
}

function toRecorded(toolCalls: unknown, at: string, { problems }: LiftContext): RawObject[] {
  if (toolCalls === undefined || toolCalls === null) return []
  const rows = Array.isArray(toolCalls) ? toolCalls.filter(isRawObject) : []
  if (!Array.isArray(toolCalls) || rows.length < toolCalls.length) {
    problems.addIssue('bad-field', `${at} toolCalls`)
  }
  return rows
}

/** In the form of recorded ones; an API turn has no ids that lead to the result. */
function toUnrecorded(entry: LogEntry, { rest }: LiftContext): RawObject[] {
  return unrecordedCalls(entry).map((call) => {
    const { id, name, args } = call
    return { id, name, args, timestamp: entry.timestamp, result: rest.resultOfCall(call) }
  })
}

/**
 * The recorded thoughts, in any form (a list, a single one; objects, texts, parts), or, if a rewrite (0.44+) kept them only as parts of
 * `content`, those.
 */
function toThoughts(
  recorded: unknown,
  content: unknown,
  timestamp: string | null,
  at: string,
  problems: Problems,
): Thought[] {
  const stored = flattenContent(recorded)
  if (stored.length > 0) return stored.flatMap((thought) => toThought(thought, timestamp, at, problems))
  if (typeof content === 'string') return []
  return flattenContent(content).flatMap((part) =>
    isRawObject(part) && part.thought === true && typeof part.text === 'string'
      ? [{ ...splitThought(part.text), timestamp }]
      : [],
  )
}

/** Unknown forms are kept as JSON. */
function toThought(thought: unknown, messageTime: string | null, at: string, problems: Problems): Thought[] {
  if (!isRawObject(thought) || Object.keys(thought).length === 0) {
    problems.addIssue('bad-field', `${at} thoughts`)
    return []
  }
  problems.addUnknownNames('thought', thought, KNOWN_NAMES.thought, at)
  const { subject, description, text } = thought
  const timestamp = toIsoTime(thought.timestamp)
  if (typeof subject === 'string' || typeof description === 'string') {
    return [{ subject: toText(subject), description: toText(description), timestamp }]
  }
  if (typeof text === 'string') return [{ ...splitThought(text), timestamp: timestamp ?? messageTime }]
  problems.addIssue('bad-field', `${at} thoughts`)
  const json = guardDepth(thought, `${at} thoughts`, problems)
  return [{ subject: '', description: typeof json === 'string' ? json : JSON.stringify(json), timestamp }]
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** `**Subject** description`, as the CLI writes thought parts. */
function splitThought(text: string): { subject: string; description: string } {
  const match = /^\s*\*\*(.+?)\*\*\s*([\s\S]*)$/.exec(text)
  return match ? { subject: match[1] ?? '', description: match[2] ?? '' } : { subject: '', description: text }
}

interface SplitResults {
  /** The content without tool results, which are displayed with their calls. */
  spoken: unknown
  /** Results whose call is recorded nowhere: shown here, or they would be lost. */
  orphans: Part[]
}

/** Separates the results returned in a `user` turn (0.44+) from its text. */
function splitResults({ type, content }: LogEntry, at: string, context: LiftContext): SplitResults {
  if (type !== 'user' || typeof content === 'string') return { spoken: content, orphans: [] }
  const { answers, rest } = splitToolTurn(flattenContent(content))
  if (answers.length === 0) return { spoken: content, orphans: [] }
  const orphans = answers.filter(([part]) => context.rest.isOrphan(part))
  return { spoken: rest, orphans: orphans.flatMap((answer) => toOrphanParts(answer, at, context)) }
}

function toOrphanParts([part, ...beside]: readonly unknown[], at: string, { problems }: LiftContext): Part[] {
  const { response, parts } =
    isRawObject(part) && isRawObject(part.functionResponse) ? part.functionResponse : {}
  const output = toToolOutput(response, at, problems)
  const said: Part[] =
    'text' in output
      ? [{ kind: 'text', text: output.text }]
      : output.kind === 'unknown'
        ? [{ kind: 'unknown', json: output.json }]
        : []
  return [...said, ...toParts([...beside, ...flattenContent(parts)], at, problems)]
}

const STARTING_TOOLS = new Set(['codebase_investigator', 'delegate_to_agent', 'cli_help', 'invoke_agent'])

const NUDGE = 'Please continue.'
/** The CLI asks a model whether to continue, then sends this; nobody reads an answer and types this quickly. */
const LONGEST_PAUSE_MS = 5_000

interface LiftInput {
  path: string
  isSubagentFile: boolean
  /** Everything ever recorded, in order of its first record. */
  entries: readonly LogEntry[]
  live: readonly LogEntry[]
  problems: Problems
  /** Cached results of the last lift; null: there will be no other. */
  lifted: LiftedEntries | null
}

interface LiftedMessages {
  /** In display order. */
  messages: Message[]
  byEntry: ReadonlyMap<LogEntry, Message>
}

/** Everything recorded in a file, in the form of the model. */
export function liftMessages(input: LiftInput): LiftedMessages {
  const { path, isSubagentFile, entries, live, problems, lifted } = input
  const toKey = createKeys()
  const isLive = new Set(live)
  const context: LiftContext = { path, isSubagentFile, rest: restOfLog(entries), problems }
  const byEntry = new Map<LogEntry, Message>()
  for (const entry of entries) {
    const superseded = isLive.has(entry) ? null : (entry.droppedBy ?? 'replaced')
    const lift = { entry, key: toKey(entry.id), superseded }
    const message = lifted?.toMessage(lift, context) ?? toMessage(lift, context)
    byEntry.set(entry, message)
    // Originals are recorded before their copies, so a copy of a copy is complete as well.
    const original = entry.copyOf ? byEntry.get(entry.copyOf) : undefined
    if (original) drawLikeOriginal(message, original)
  }
  const recorded = [...byEntry.values()]
  settleRepeatedIds(recorded)
  settleFlatResults(recorded)
  markNudges(recorded)
  const messages = place(entries, live).flatMap((entry) => byEntry.get(entry) ?? [])
  markSubagentMessages(messages)
  return { messages, byEntry }
}

/** A copy lost its thoughts, calls, displays and model, and does not count as a model call. */
function drawLikeOriginal(copy: Message, original: Message): void {
  copy.copyOf = original.key
  copy.thoughts = original.thoughts
  copy.toolCalls = original.toolCalls
  copy.model = original.model
  copy.usage = null
}

/**
 * The CLI's own request to continue, with text that a user might type as well: it follows the model's answer within seconds. `messages` are
 * in recorded order.
 */
function markNudges(messages: readonly Message[]): void {
  messages.forEach((message, index) => {
    const before = messages[index - 1]
    if (message.origin !== 'human' || before?.origin !== 'model' || !saysNudge(message)) return
    const pauseMs = Date.parse(message.timestamp ?? '') - Date.parse(before.timestamp ?? '')
    if (pauseMs >= 0 && pauseMs <= LONGEST_PAUSE_MS) message.origin = 'injected'
  })
}

function saysNudge({ content, attachments }: Message): boolean {
  const [part, ...others] = content
  return (
    attachments.length === 0 && others.length === 0 && part?.kind === 'text' && part.text.trim() === NUDGE
  )
}

/** Makes keys that are unique in their file: the id, then `id~2`, `id~3`; without id `~1`, `~2`. */
function createKeys(): (id: string) => string {
  const used = new Set<string>()
  const counts = new Map<string, number>()
  return (id) => {
    let count = counts.get(id) ?? 0
    let key: string
    do {
      count += 1
      key = id !== '' && count === 1 ? id : `${id}~${count}`
    } while (used.has(key))
    counts.set(id, count)
    used.add(key)
    return key
  }
}

/**
 * Up to 0.30 a sub-agent's messages are in its parent's file: from its generated prompt up to the message that records the parent's
 * finished call. Sets their `agentKey` to the id of that call or, if the run never finished, to the key of the prompt. A file that starts
 * with such a prompt is a sub-agent's own.
 */
function markSubagentMessages(messages: readonly Message[]): void {
  const first = messages.find((message) => message.type === 'user' && message.origin !== 'tool-result')
  messages.forEach((message, index) => {
    if (message === first || message.agentKey !== null || !opensRun(message)) return
    const end = findEnd(messages, index + 1)
    const call = end === -1 ? undefined : messages[end]?.toolCalls.find(startsAgent)
    const agentKey = call?.id || message.key
    for (const inner of messages.slice(index, end === -1 ? undefined : end)) inner.agentKey = agentKey
  })
}

function findEnd(messages: readonly Message[], from: number): number {
  for (let at = from; at < messages.length; at += 1) {
    const message = messages[at]
    if (message && endsRun(message)) return at
  }
  return -1
}

function opensRun(message: Message): boolean {
  const [part] = message.content
  return message.type === 'user' && part?.kind === 'text' && isSubagentPrompt(part.text)
}

function endsRun(message: Message): boolean {
  return message.origin === 'human' || message.toolCalls.some(startsAgent)
}

function startsAgent(call: ToolCall): boolean {
  return STARTING_TOOLS.has(call.name)
}

/**
 * A JSON document can have one id several times, and the CLI shows each record. They are one message: of an answer, the last record with
 * tokens is the billed call (contract rule 11), and the others are copies of it with their own text. `messages` are in recorded order.
 */
function settleRepeatedIds(messages: readonly Message[]): void {
  const firstOfId = new Map<string, Message>()
  const repeated = new Map<Message, Message[]>()
  for (const message of messages) {
    if (message.id === '' || message.copyOf !== null) continue
    const first = firstOfId.get(message.id)
    if (first === undefined) firstOfId.set(message.id, message)
    else if (first.type === message.type) repeated.set(first, [...(repeated.get(first) ?? [first]), message])
  }
  for (const [first, records] of repeated) {
    if (first.origin === 'model') settleAnswer(records)
    else markEqual(first, records)
  }
}

function settleAnswer(records: readonly Message[]): void {
  const counted = records.findLast(({ usage }) => usage !== null) ?? records.at(-1)
  if (counted === undefined) return
  counted.toolCalls = lastOfEachCall(records.flatMap(({ toolCalls }) => toolCalls))
  for (const record of records) {
    if (record !== counted) Object.assign(record, { copyOf: counted.key, usage: null, toolCalls: [] })
  }
}

/** In the order of their first record. */
function lastOfEachCall(calls: readonly ToolCall[]): ToolCall[] {
  const last = new Map<string | ToolCall, ToolCall>()
  for (const call of calls) last.set(call.id === '' ? call : call.id, call)
  return [...last.values()]
}

/** Different user messages with the same id only share an id that another tool assigned twice. */
function markEqual(first: Message, records: readonly Message[]): void {
  const said = JSON.stringify(first.content)
  for (const record of records) {
    if (record !== first && JSON.stringify(record.content) === said) record.copyOf = first.key
  }
}
