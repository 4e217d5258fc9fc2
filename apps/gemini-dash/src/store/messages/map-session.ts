import { type MessageFilter, messageFilterSchema, type SessionMap } from '@gemini-dash/api'
import { failedKeys, type Message, type Session } from 'gemini-sessions'
import { fitsFilter, saysSomething } from './fits-filter.ts'
import { unfoldedKeys } from './unfolded-keys.ts'

/** Letters of a line of prose. */
const LINE_LENGTH = 75
/** A text is folded beyond this. */
const MOST_TEXT = 8_000
const HEAD_LINES = 2
const CALL_LINES = 1.5
const FAILED_CALL_LINES = 11
const THOUGHTS_LINES = 1.5

/** What a minimap, a scroll bar and steps from answer to answer need to know of all messages. */
export function mapSession(
  session: Pick<Session, 'kind' | 'messages' | 'files' | 'drawnKeys'>,
  isLive = false,
): SessionMap {
  const { messages } = session
  const drawn = new Set(unfoldedKeys(session))
  const failed = failedKeys(session, { isLive })
  return {
    voices: messages.map(voiceOf).join(''),
    marks: messages.map((message) => marksOf(message, failed)).join(''),
    lines: messages.map((message) => (isClosed(message, drawn) ? 0 : linesOf(message))),
    counts: Object.fromEntries(
      messageFilterSchema.options.map((filter) => [filter, countFitting(messages, filter, failed)]),
    ) as SessionMap['counts'],
  }
}

function voiceOf(message: Message): string {
  const { type, origin, agentKey, toolCalls, thoughts } = message
  if (type !== 'user' && type !== 'gemini') return 'n'
  if (origin === 'human') return agentKey === null ? 'p' : 'i'
  if (origin === 'injected') return 'i'
  if (origin === 'tool-result') return '-'
  if (saysSomething(message)) return 'a'
  if (toolCalls.length > 0) return 'c'
  return thoughts.length > 0 ? 't' : 'a'
}

function marksOf(message: Message, failed: ReadonlySet<string>): number {
  const { key, superseded, copyOf } = message
  return (failed.has(key) ? 1 : 0) + (superseded === null ? 0 : 2) + (copyOf === null ? 0 : 4)
}

/** Folded away under a line that several messages share. What was compacted is read like the rest. */
function isClosed({ key, superseded }: Message, drawn: ReadonlySet<string>): boolean {
  return superseded !== null && superseded !== 'compacted' && !drawn.has(key)
}

function linesOf(message: Message): number {
  if (message.origin === 'tool-result') return 0
  const calls = message.toolCalls.reduce(
    (sum, { failed }) => sum + (failed ? FAILED_CALL_LINES : CALL_LINES),
    0,
  )
  return Math.round(textLines(message) + calls + (message.thoughts.length > 0 ? THOUGHTS_LINES : 0) + 0.5)
}

function textLines({ content }: Message): number {
  let lines = 0
  for (const part of content) {
    if (part.kind !== 'text') lines += 6
    else if (part.text.trim() !== '') lines += Math.ceil(Math.min(part.text.length, MOST_TEXT) / LINE_LENGTH)
  }
  return lines === 0 ? 0 : lines + HEAD_LINES
}

function countFitting(
  messages: readonly Message[],
  filter: MessageFilter,
  failed: ReadonlySet<string>,
): number {
  return messages.reduce((sum, message) => sum + (fitsFilter(message, filter, failed) ? 1 : 0), 0)
}
