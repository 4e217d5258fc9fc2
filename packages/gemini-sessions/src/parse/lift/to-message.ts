import type { Message, MessageType, Superseded } from '../../model/message.ts'
import { KNOWN_NAMES } from '../../raw/known-names.ts'
import { isRawObject } from '../../raw/raw-object.ts'
import { printableName } from '../problems/printable-name.ts'
import type { LogEntry } from '../row/log-entry.ts'
import { toIsoTime } from '../row/to-iso-time.ts'
import { toToolCalls } from './calls/to-tool-calls.ts'
import { flattenContent } from './parts/flatten-content.ts'
import { toParts } from './parts/to-parts.ts'
import { splitPrompt } from './prompt/split-prompt.ts'
import { toOrigin } from './prompt/to-origin.ts'
import type { LiftContext } from './responses/lift-context.ts'
import { splitResults } from './responses/split-results.ts'
import { toThoughts } from './to-thoughts.ts'
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
