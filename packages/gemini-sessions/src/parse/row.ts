import type { Superseded } from '../model/message.ts'
import { isRawObject, type RawObject } from '../raw.ts'

/** One message id of a log, with the combined content of all its rows (contract rule 3). */
export interface LogEntry {
  id: string
  type: unknown
  timestamp: unknown
  content: unknown
  displayContent: unknown
  thoughts: unknown
  toolCalls: unknown
  model: unknown
  /** The last tokens > 0, else the last recorded. */
  tokens: unknown
  /** The row as in the file, to find names that no known version writes. */
  row: unknown
  /** By call id, unmasked results that are masked in later rows: of its own calls, or of those that a turn answered. */
  fullResults: ReadonlyMap<string, unknown> | null
  /** 1-based line and, for a row inside a list of messages, its 0-based index. */
  line: number | undefined
  index: number | undefined
  /** Every row so far was in a `$set.messages`. */
  isFromRewritesOnly: boolean
  droppedBy: Superseded | null
  copyOf: LogEntry | null
  /** The first new message after a later run of the CLI opened this log. */
  opensRun: boolean
}

export interface RowPlace {
  line?: number
  index?: number
}

export function createEntry(row: unknown, isRewrite: boolean, place: RowPlace): LogEntry {
  const fields = isRawObject(row) ? row : {}
  return {
    id: typeof fields.id === 'string' ? fields.id : '',
    ...readRowFields(fields),
    tokens: fields.tokens,
    row,
    fullResults: null,
    line: place.line,
    index: place.index,
    isFromRewritesOnly: isRewrite,
    droppedBy: null,
    copyOf: null,
    opensRun: false,
  }
}

/** The fields that a later row of the same message replaces; tokens have a separate rule. */
export function readRowFields(row: RawObject) {
  return {
    // The name in some tools that write this format.
    type: toKnownType(row.type) ?? row.role,
    timestamp: row.timestamp,
    content: row.content,
    displayContent: row.displayContent,
    thoughts: row.thoughts,
    toolCalls: row.toolCalls,
    model: row.model,
  }
}

/** A description of the format used by other tools calls a prompt `human`. */
function toKnownType(type: unknown): unknown {
  return type === 'human' ? 'user' : type
}

export function toCallRows(toolCalls: unknown): RawObject[] {
  return Array.isArray(toolCalls) ? toolCalls.filter(isRawObject) : []
}

/** The CLI (0.61.0) writes a part with one of these as a word in brackets. */
const NAMED_PARTS = [
  'videoMetadata',
  'thought',
  'codeExecutionResult',
  'executableCode',
  'fileData',
  'functionCall',
  'functionResponse',
  'inlineData',
]
const NO_PROMPT = /^$|^[/?]|^<(?:session|hook)_context>/

/** The CLI's criterion (0.61.0) for a message: a session with one can be resumed. */
export function isResumableEntry({ type, content, toolCalls, thoughts, row }: LogEntry): boolean {
  const text = textOfCli(content).trim()
  if (type === 'gemini') return text !== '' || hasItems(toolCalls) || hasItems(thoughts)
  return type === 'user' && isRawObject(row) && row.type === 'user' && !NO_PROMPT.test(text)
}

function textOfCli(content: unknown): string {
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map(textOfCli).join('')
  if (!isRawObject(content)) return ''
  if (NAMED_PARTS.some((name) => content[name] !== undefined)) return '[…]'
  return typeof content.text === 'string' ? content.text : ''
}

function hasItems(list: unknown): boolean {
  return (typeof list === 'string' || Array.isArray(list)) && list.length > 0
}

/**
 * The display order of messages (contract rule 2): live ones in the CLI's order, each superseded one directly after the message recorded
 * before it, or first.
 *
 * @param recorded everything, in order of its first record
 */
export function place(recorded: readonly LogEntry[], live: readonly LogEntry[]): LogEntry[] {
  const isLive = new Set(live)
  /** Superseded entries by the entry they follow; several after one form chains. */
  const followers = new Map<LogEntry | null, LogEntry>()
  let previous: LogEntry | null = null
  for (const entry of recorded) {
    if (!isLive.has(entry)) followers.set(previous, entry)
    previous = entry
  }
  const placed: LogEntry[] = []
  const pushWithFollowers = (entry: LogEntry | null) => {
    if (entry) placed.push(entry)
    for (let next = followers.get(entry); next; next = followers.get(next)) placed.push(next)
  }
  pushWithFollowers(null)
  for (const entry of live) pushWithFollowers(entry)
  return placed
}

/** The note that the CLI writes in place of a long output (0.29+). */
export function isMask(response: unknown): boolean {
  const texts = isRawObject(response) ? Object.values(response) : [response]
  return texts.some((text) => typeof text === 'string' && text.trimStart().startsWith('<tool_output_masked'))
}

/**
 * Whether the output of this call was replaced by a short note (0.29+, long sessions). `result` is a call's stored result or a user turn's
 * parts; it may have the results of all calls of the turn.
 */
export function isResultMasked(result: unknown, callId: unknown): boolean {
  const responses = toResponses(result)
  const own = responses.filter((response) => response.id === callId)
  return (own.length > 0 ? own : responses).some((response) => isMask(response.response))
}

function toResponses(result: unknown): RawObject[] {
  const parts = Array.isArray(result) ? result : [result]
  return parts.map((part) => (isRawObject(part) ? part.functionResponse : null)).filter(isRawObject)
}

/** `Date.parse` also accepts "timestamp-1" as a day in 2001: only ISO 8601 forms are times. */
const ISO_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/
const FIRST_YEAR_MS = Date.UTC(1970, 0, 1)
const LAST_YEAR_MS = Date.UTC(10_000, 0, 1)

/** ISO 8601 UTC with milliseconds, or null if not a date between 1970 and 9999. */
export function toIsoTime(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const timeMs = Date.parse(isNormal(value) ? value : toZoned(value))
  if (!(timeMs >= FIRST_YEAR_MS && timeMs < LAST_YEAR_MS)) return null
  return isNormal(value) ? value : new Date(timeMs).toISOString()
}

/** In the form of `toISOString`, on a day that every month has: the form of nearly all records. */
function isNormal(value: string): boolean {
  return (
    value.length === 24 &&
    value[4] === '-' &&
    value[10] === 'T' &&
    value[16] === ':' &&
    value[23] === 'Z' &&
    value.slice(8, 10) < '29'
  )
}

/** Times of the format are UTC; one without a zone must not use the local one. '' if invalid. */
function toZoned(value: string): string {
  const [, date, time = '00:00', zone = 'Z'] = ISO_TIME.exec(value) ?? []
  return date === undefined ? '' : `${date}T${time}${zone}`
}
