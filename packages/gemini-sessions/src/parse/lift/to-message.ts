import type { Message, MessageType, Superseded, Thought } from '../../model/message.ts'
import type { Part } from '../../model/part.ts'
import type { ToolCall } from '../../model/tool-call.ts'
import { KNOWN_NAMES } from '../../raw/known-names.ts'
import { isRawObject, type RawObject } from '../../raw/raw-object.ts'
import { guardDepth } from '../problems/guard-depth.ts'
import { printableName } from '../problems/printable-name.ts'
import type { Problems } from '../problems/problems.ts'
import type { LogEntry } from '../row/log-entry.ts'
import { toIsoTime } from '../row/to-iso-time.ts'
import { toToolCall } from './calls/to-tool-call.ts'
import { flattenContent } from './parts/plain-text.ts'
import { toParts } from './parts/to-parts.ts'
import { toToolOutput } from './parts/to-tool-output.ts'
import { splitPrompt } from './prompt/split-prompt.ts'
import { toOrigin } from './prompt/to-origin.ts'
import type { LiftContext } from './responses/lift-context.ts'
import { splitToolTurn } from './responses/split-tool-turn.ts'
import { unrecordedCalls } from './responses/unrecorded-calls.ts'
import { toUsage } from './tokens/to-usage.ts'

/** An entry, and what becomes of it among the others. */
export interface EntryToLift {
  entry: LogEntry
  key: string
  superseded: Superseded | null
}

/** A recorded message in the form of the model. */
export function toMessage({ entry, key, superseded }: EntryToLift, context: LiftContext): Message {
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

/** The recorded calls of a message and those that only stand as `functionCall` parts in its content (0.44+). */
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

/** In the form of recorded ones; an API turn has no ids that would lead to the result. */
function toUnrecorded(entry: LogEntry, { rest }: LiftContext): RawObject[] {
  return unrecordedCalls(entry).map((call) => {
    const { id, name, args } = call
    return { id, name, args, timestamp: entry.timestamp, result: rest.resultOfCall(call) }
  })
}

/**
 * The recorded thoughts, in whatever form (a list, one alone; objects, texts, parts), or, where a rewrite (0.44+) kept them
 * only as parts of `content`, those.
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

/** What is in no known form is kept as JSON. */
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
  /** The content without tool results: they are drawn with their calls. */
  spoken: unknown
  /** Results whose call is recorded nowhere: shown here, or they would be lost. */
  orphans: Part[]
}

/** Takes the results that a `user` turn (0.44+) brings back out of what it says. */
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
