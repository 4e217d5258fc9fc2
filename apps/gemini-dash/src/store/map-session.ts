import { type MessageFilter, messageFilterSchema, type SessionMap } from '@gemini-dash/api'
import {
  failedKeys,
  type Message,
  type PriceCall,
  priceMessages,
  RecordedCalls,
  type Session,
  saysSomething,
  sumUsage,
} from 'gemini-sessions'
import { fitsFilter, unfoldedKeys } from './message-page.ts'

/** Characters per line of prose. */
const LINE_LENGTH = 75
/** Longer texts are folded. */
const MOST_TEXT = 8_000
const HEAD_LINES = 2
const CALL_LINES = 1.5
const FAILED_CALL_LINES = 11
const THOUGHTS_LINES = 1.5

/** What a minimap, a scroll bar and navigation between answers need to know about all messages. */
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

/** Folded into a line that several messages share. Compacted messages are shown like the rest. */
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

/** Rows of a session's messages and calls for tables: figures and names, no texts. */
export interface TableRows {
  messages: TableMessage[]
  calls: TableCall[]
}

interface TableMessage extends Pick<Message, 'key' | 'type' | 'origin' | 'model' | 'superseded' | 'copyOf'> {
  /** Milliseconds since 1970; null: not recorded. */
  timeMs: number | null
  billedIn: string | null
  /** All zeros if nothing of it counts. */
  spent: ReturnType<typeof sumUsage>
  /** In USD; null: nothing was spent, or no price is known. */
  usd: number | null
  /** 1: counts as a request without a known price. */
  unpriced: number
  calls: number
}

interface TableCall {
  messageKey: string
  /** Index among the calls of its message, from 0. */
  place: number
  name: string
  status: string
  failed: boolean
  exitCode: number | null
  timeMs: number | null
}

/**
 * Every message, and every call that counts: not in a copy, not a repetition, and not in a request counted for another session. `isSpent`
 * false: the session's usage does not count at all (a saved chat, a damaged file).
 */
export function tableRows(messages: Iterable<Message>, price: PriceCall, isSpent: boolean): TableRows {
  const rows: TableRows = { messages: [], calls: [] }
  const recorded = new RecordedCalls()
  for (const message of messages) {
    const { key, type, origin, model, superseded, copyOf, timestamp, billedIn } = message
    const counted = new Set(isSpent && billedIn === undefined ? recorded.newIn(message) : [])
    const [priced] = isSpent ? priceMessages([message], price) : []
    const cost = priced?.cost ?? null
    rows.messages.push({
      ...{ key, type, origin, model, superseded, copyOf },
      timeMs: milliseconds(timestamp),
      billedIn: billedIn ?? null,
      spent: sumUsage(isSpent ? [message] : []),
      usd: cost?.usd ?? null,
      unpriced: cost?.unpricedCalls ?? 0,
      calls: counted.size,
    })
    for (const [place, call] of message.toolCalls.entries()) {
      if (!counted.has(call)) continue
      const { name, status, failed, exitCode } = call
      const timeMs = milliseconds(call.timestamp) ?? milliseconds(timestamp)
      rows.calls.push({ messageKey: key, place, name, status, failed, exitCode, timeMs })
    }
  }
  return rows
}

function milliseconds(time: string | null): number | null {
  const timeMs = Date.parse(time ?? '')
  return Number.isNaN(timeMs) ? null : timeMs
}
