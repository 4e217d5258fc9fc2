import type { Message } from '../../model/message.ts'
import type { ToolCall } from '../../model/tool-call.ts'
import type { Problems } from '../problems/problems.ts'
import type { LogEntry } from '../row/log-entry.ts'
import { place } from '../row/place.ts'
import type { LiftedEntries } from './lifted-entries.ts'
import { isSubagentPrompt } from './prompt/is-subagent-prompt.ts'
import type { LiftContext } from './responses/lift-context.ts'
import { restOfLog } from './responses/rest-of-log.ts'
import { settleFlatResults } from './responses/settle-flat-results.ts'
import { toMessage } from './to-message.ts'

const STARTING_TOOLS = new Set(['codebase_investigator', 'delegate_to_agent', 'cli_help', 'invoke_agent'])

const NUDGE = 'Please continue.'
/** The CLI asks a model whether to go on, then sends this; nobody reads an answer and types it so fast. */
const LONGEST_PAUSE_MS = 5_000

interface LiftInput {
  path: string
  isSubagentFile: boolean
  /** Everything ever recorded, in order of its first record. */
  entries: readonly LogEntry[]
  live: readonly LogEntry[]
  problems: Problems
  /** What was made of the entries when they were lifted last; null: nobody asks again. */
  lifted: LiftedEntries | null
}

interface LiftedMessages {
  /** In the order in which they are drawn. */
  messages: Message[]
  byEntry: ReadonlyMap<LogEntry, Message>
}

/** Everything a file recorded, in the form of the model. */
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
    // Originals are recorded before their copies, so a copy of a copy is complete in its turn.
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

/** A copy lost its thoughts, calls, displays and model, and is no model call of its own. */
function drawLikeOriginal(copy: Message, original: Message): void {
  copy.copyOf = original.key
  copy.thoughts = original.thoughts
  copy.toolCalls = original.toolCalls
  copy.model = original.model
  copy.usage = null
}

/**
 * The CLI's own request to go on, in the very words that a person might use: it follows the model's answer within
 * seconds. `messages` stand in order of record.
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
 * Up to 0.30 a sub-agent's messages land in its parent's file: from its generated prompt up to the message
 * that records the parent's finished call. Sets their `agentKey` to the id of that call or, where the run
 * never finished, to the key of the prompt. A file that opens with such a prompt is a sub-agent's own.
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
 * A JSON document can hold one id several times, and the CLI shows each record. They are one message: of an answer, the last
 * record with tokens is the call that was paid for (contract rule 11), and the others are copies of it with words of their
 * own. `messages` stand in order of record.
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

/** In the order in which they were recorded first. */
function lastOfEachCall(calls: readonly ToolCall[]): ToolCall[] {
  const last = new Map<string | ToolCall, ToolCall>()
  for (const call of calls) last.set(call.id === '' ? call : call.id, call)
  return [...last.values()]
}

/** What two people's words have in common is only an id that another tool gave twice. */
function markEqual(first: Message, records: readonly Message[]): void {
  const said = JSON.stringify(first.content)
  for (const record of records) {
    if (record !== first && JSON.stringify(record.content) === said) record.copyOf = first.key
  }
}
