import {
  type MessageFilter,
  type MessagePage,
  type MessageQuery,
  messageFilterSchema,
  type RawRecord,
  type SessionDetail,
  type SessionMap,
} from '@gemini-dash/api'
import {
  failedKeys,
  findFailures,
  type Message,
  type PriceCall,
  priceMessages,
  RecordedCalls,
  type Session,
  saysSomething,
  sumUsage,
  type ToolCall,
} from 'gemini-sessions'
import type { FilePart } from 'gemini-sessions/node'
import type { Written } from './written-messages.ts'

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

/** Whether a message has a block of the kind that the reader filters by. `failed`: keys of the messages in which something failed. */
export function fitsFilter(message: Message, filter: MessageFilter, failed: ReadonlySet<string>): boolean {
  switch (filter) {
    case 'dialogue':
      return message.origin === 'human' || (message.origin === 'model' && saysSomething(message))
    case 'errors':
      return failed.has(message.key)
    case 'edits':
      return message.toolCalls.some(isEdit)
    case 'shell':
      return message.toolCalls.some(({ name }) => name === 'run_shell_command')
    case 'thoughts':
      return message.thoughts.length > 0
  }
}

/** By name; for tools other than the CLI's own, by their result. */
function isEdit({ name, display }: ToolCall): boolean {
  return name === 'replace' || name === 'write_file' || display?.kind === 'diff'
}

/**
 * Keys of messages that the CLI no longer holds but that are shown like the rest: those of a buried session's last conversation, and those
 * dropped because their request failed, since no person took them back.
 */
export function unfoldedKeys(session: Pick<Session, 'kind' | 'messages' | 'files' | 'drawnKeys'>): string[] {
  const dropped = findFailures(session).turns.flatMap(({ dropped }) => dropped.map(({ key }) => key))
  return [...(session.drawnKeys ?? []), ...dropped]
}

/** Why the CLI's final state contains nothing of a buried session, by how its last conversation ended. */
export function findBuried({
  buried,
  drawnKeys,
  messages,
}: Pick<Session, 'buried' | 'drawnKeys' | 'messages'>): SessionDetail['buriedBy'] {
  if (!buried) return null
  const drawn = new Set(drawnKeys)
  const last = messages.findLast((message) => drawn.has(message.key) && isTalk(message))
  if (last?.superseded === 'rewound') return 'rewound'
  if (last?.superseded === 'aborted') return 'refused'
  // loading a chat begins with a context of its own, after which nothing came here
  return messages.some(({ origin, superseded }) => origin === 'injected' && superseded === null)
    ? 'failed-load'
    : 'cleared'
}

function isTalk({ origin }: Message): boolean {
  return origin === 'human' || origin === 'model'
}

/** A `RawRecord` that is streamed from its file: `head`, the bytes of the file, `}`. */
export interface RecordInFile {
  head: string
  part: FilePart
}

/**
 * The record that determines a message, as in its file. `bytes`: the line, the row of a document, or a whole document. `record` is the text
 * if it is not JSON. A record with its own line is sent as it was written: V8 can neither clone nor serialize one that is nested some
 * thousand levels deep.
 */
export function rawRecord({ source, id }: Message, bytes: Uint8Array): Written<RawRecord> {
  const text = new TextDecoder().decode(bytes)
  const value = readJson(text)
  const record = messageOf(isRecord(value) ? (value.$set ?? value) : value, id, source.index)
  const json = value === text ? JSON.stringify(text) : record === value ? text.trim() : jsonOf(record, text)
  return { json: Buffer.from(`${headOf(source)}${json}}`) }
}

/** The same for a record too large for memory; nothing is extracted from it. */
export function recordInFile({ source }: Message, part: FilePart): RecordInFile {
  return { head: headOf(source), part }
}

function headOf({ file, line, index }: Message['source']): string {
  const place = JSON.stringify({ file, line: line ?? null, index: index ?? null })
  return `${place.slice(0, -1)},"record":`
}

/** `whole`: the JSON that it was taken from, in case it is too deep to be serialized alone. */
function jsonOf(record: unknown, whole: string): string {
  try {
    return JSON.stringify(record)
  } catch {
    return whole.trim()
  }
}

/** Extracts a message that is recorded within a whole conversation (`messages`). */
function messageOf(value: unknown, id: string, index: number | undefined): unknown {
  if (!isRecord(value) || !Array.isArray(value.messages)) return value
  const rows: unknown[] = value.messages
  if (index !== undefined && index < rows.length) return rows[index]
  return rows.findLast((row) => isRecord(row) && row.id === id) ?? value
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
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

/** Which messages make up one page of a session. Offsets refer to the list after the `superseded` and `show` filters. */
export function messagePage(
  session: Pick<Session, 'kind' | 'messages' | 'files'>,
  query: MessageQuery,
  isLive = false,
): Omit<MessagePage, 'state' | 'partial'> {
  const { messages } = session
  const { show } = query
  const failed = show === 'errors' ? failedKeys(session, { isLive }) : NOBODY
  const shown: number[] = []
  for (const [position, message] of messages.entries())
    if (
      (query.superseded === 'include' || message.superseded === null) &&
      (show === undefined || fitsFilter(message, show, failed))
    )
      shown.push(position)
  const { positions, ...page } = pageOfShown(shown, query, (wanted) => {
    const position = messages.findIndex(({ key }) => key === wanted)
    return position === -1 ? messages.findIndex(({ key }) => key.startsWith(wanted)) : position
  })
  return {
    ...page,
    messages: positions.flatMap((position) => messages[position] ?? []),
    ...(show !== undefined && { positions }),
  }
}

/** A page of the messages at these positions, which are those that the query shows. */
export function pageOfShown(
  shown: readonly number[],
  { offset: wanted, around, limit }: Pick<MessageQuery, 'offset' | 'around' | 'limit'>,
  positionOf: (messageKey: string) => number | null,
): { positions: number[]; offset: number; total: number; nextOffset: number | null } {
  const offset = around === undefined ? wanted : offsetAround(shown, positionOf(around), limit)
  const positions = shown.slice(offset, offset + limit)
  const nextOffset = offset + positions.length
  return {
    positions,
    offset,
    total: shown.length,
    nextOffset: nextOffset < shown.length && positions.length > 0 ? nextOffset : null,
  }
}

const NOBODY: ReadonlySet<string> = new Set()

/** Puts the wanted message at about a third of its page; an unknown one gives the first page. */
function offsetAround(shown: readonly number[], position: number | null, limit: number): number {
  const place = position === null ? -1 : shown.indexOf(position)
  return place === -1 ? 0 : Math.max(0, place - Math.floor(limit / 3))
}
