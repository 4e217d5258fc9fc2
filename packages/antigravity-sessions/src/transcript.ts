import { isTooDeep } from './read-content.ts'
import {
  type Approval,
  type RecordedStep,
  type RowUsage,
  readCommandText,
  type StepCall,
  type StepContent,
  type StepStatus,
  stripTimes,
} from './recorded-step.ts'

/** A row, and whether it was superseded: by a rewind, or by being rewritten. */
export interface ReplayedRow {
  row: TranscriptRow
  superseded: 'rewound' | 'replaced' | null
}

/** Maximum number of steps by which another can be late, to bound the time for a file whose rows are all out of order. */
const MAX_LATE = 4096

/**
 * Determines the current content of a transcript. A rewind only shows as a repeated step number: everything from that number on is
 * superseded. A new number below the highest is a step that ended late, and is sorted in.
 */
export function replayRows(rows: readonly TranscriptRow[]): ReplayedRow[] {
  const order: ReplayedRow[] = []
  const live = new Map<number, ReplayedRow>()
  let highest = Number.NEGATIVE_INFINITY
  for (const row of rows) {
    const entry: ReplayedRow = { row, superseded: null }
    const known = live.get(row.index)
    if (known !== undefined && known === order.at(-1) && isSameStep(known.row, row)) {
      if (isSameText(known.row, row)) order.pop()
      else known.superseded = 'replaced'
    } else if (known !== undefined) {
      for (const [index, old] of live) {
        if (index < row.index) continue
        old.superseded = 'rewound'
        live.delete(index)
      }
      highest = row.index
    }
    if (row.index < highest) {
      order.splice(placeOfLate(order, row.index), 0, entry)
    } else order.push(entry)
    live.set(row.index, entry)
    highest = Math.max(highest, row.index)
  }
  return order
}

/** After the last live row with a lower number. */
function placeOfLate(order: readonly ReplayedRow[], index: number): number {
  const first = Math.max(0, order.length - MAX_LATE)
  for (let at = order.length - 1; at >= first; at--) {
    const other = order[at]
    if (other?.superseded === null && other.row.index < index) return at + 1
  }
  return first
}

function isSameStep(a: TranscriptRow, b: TranscriptRow): boolean {
  return a.time === b.time && a.type === b.type
}

function isSameText(a: TranscriptRow, b: TranscriptRow): boolean {
  return JSON.stringify({ ...a, line: 0 }) === JSON.stringify({ ...b, line: 0 })
}

/** One line of a transcript. */
export interface TranscriptRow {
  file: string
  /** From 1. */
  line: number
  index: number
  source: string
  type: string
  status: string
  /** ISO 8601 UTC; null if invalid. */
  time: string | null
  content: string
  thinking: string
  calls: StepCall[]
  error: string
  errorCode: number | null
  isShortened: boolean
  usage: RowUsage | null
}

/** null: not a row. `areArgsTexts`: in the short transcript and in `overview.txt` every argument is JSON text. */
function parseTranscriptRow(
  text: string,
  place: { file: string; line: number },
  areArgsTexts: boolean,
): TranscriptRow | null {
  const row = parseObject(text)
  if (row === null || !Number.isInteger(row.step_index) || typeof row.type !== 'string') return null
  const toCall = (call: unknown): StepCall[] => {
    if (!isObject(call) || typeof call.name !== 'string') return []
    if (isTooDeep(call.args)) return [{ id: '', name: call.name, args: text }]
    const args = areArgsTexts && isObject(call.args) ? decodeArgs(call.args) : (call.args ?? {})
    return [{ id: '', name: call.name, args }]
  }
  return {
    ...place,
    index: Number(row.step_index),
    source: textOf(row.source),
    type: row.type,
    status: textOf(row.status),
    time: timeOf(row.created_at),
    content: textOf(row.content),
    thinking: textOf(row.thinking),
    calls: Array.isArray(row.tool_calls) ? row.tool_calls.flatMap(toCall) : [],
    error: textOf(row.error),
    errorCode: typeof row.error_code === 'number' ? row.error_code : null,
    isShortened: Array.isArray(row.truncated_fields) && row.truncated_fields.length > 0,
    usage: usageOf(row),
  }
}

/** Decodes each once: a cut text is no longer valid JSON and stays as it is. */
function decodeArgs(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, typeof value === 'string' ? decode(value) : value]),
  )
}

function decode(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isTooDeep(value) ? text : value
  } catch {
    return text
  }
}

function usageOf(row: Record<string, unknown>): RowUsage | null {
  const [input, cacheRead, output] = [row.input_tokens, row.cache_read_tokens, row.output_tokens].map(
    (count) => (typeof count === 'number' && count >= 0 ? count : 0),
  )
  if (!input && !cacheRead && !output) return null
  return { input: input ?? 0, cacheRead: cacheRead ?? 0, output: output ?? 0 }
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function timeOf(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value)) return null
  const timeMs = Date.parse(value)
  return Number.isNaN(timeMs) ? null : new Date(timeMs).toISOString()
}

/**
 * The full transcript plus what is only in the short one: neither contains the other. Both were appended to in the same order, so rows with
 * the same step, second and type are the same, and rows between two of them belong there.
 */
export function joinTranscripts(
  full: readonly TranscriptRow[],
  short: readonly TranscriptRow[],
): TranscriptRow[] {
  const places = new Map<string, number[]>()
  for (const [at, row] of short.entries()) {
    const known = places.get(identityOf(row))
    if (known === undefined) places.set(identityOf(row), [at])
    else known.push(at)
  }
  const joined: TranscriptRow[] = []
  let next = 0
  for (const row of full) {
    const at = places.get(identityOf(row))?.find((place) => place >= next)
    if (at !== undefined) {
      joined.push(...short.slice(next, at))
      next = at + 1
    }
    joined.push(row)
  }
  return [...joined, ...short.slice(next)]
}

function identityOf({ index, time, type }: TranscriptRow): string {
  return `${index} ${time} ${type}`
}

/** The rows of one transcript, and its invalid lines. */
export interface ParsedTranscript {
  rows: TranscriptRow[]
  /** Numbers of lines that could not be read, from 1. */
  badLines: number[]
  /** The last line is invalid and unterminated: agy may still be writing it. */
  hasTornTail: boolean
}

const LINE_FEED = 10

/** Lines can be torn anywhere: these are left out and counted. */
export function parseTranscript(bytes: Uint8Array, file: string, areArgsTexts: boolean): ParsedTranscript {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parsed: ParsedTranscript = { rows: [], badLines: [], hasTornTail: false }
  let line = 0
  for (let start = 0; start < buffer.length; ) {
    const found = buffer.indexOf(LINE_FEED, start)
    const end = found < 0 ? buffer.length : found
    line++
    const text = buffer.toString('utf8', start, end).trim()
    const row = text === '' ? null : parseTranscriptRow(text, { file, line }, areArgsTexts)
    if (row !== null) parsed.rows.push(row)
    else if (text !== '') {
      if (found < 0) parsed.hasTornTail = true
      else parsed.badLines.push(line)
    }
    start = end + 1
  }
  return parsed
}

export function rowToStep(row: TranscriptRow): RecordedStep {
  const { index, time, file, line, isShortened, usage } = row
  const status = toStatus(row.status)
  return {
    ...{ index, time, status, isShortened },
    place: { file, line },
    content: toContent(row, status),
    record: null,
    rowUsage: usage,
  }
}

function toStatus(status: string): StepStatus {
  if (status === 'DONE') return 'success'
  if (status === 'ERROR') return 'error'
  return status.startsWith('CANCEL') ? 'cancelled' : 'unanswered'
}

/** By source, since types vary: what the model's side adds besides its answers are results, what the system adds are notices. */
function toContent(row: TranscriptRow, status: StepStatus): StepContent {
  const { type, source, content, error, errorCode } = row
  if (type === 'USER_INPUT') {
    return { kind: 'prompt', media: [], isInjected: source !== 'USER_EXPLICIT', ...splitUserInput(content) }
  }
  if (type === 'PLANNER_RESPONSE')
    return { kind: 'answer', text: content, thinking: row.thinking, calls: row.calls }
  if (type === 'ERROR_MESSAGE') return { kind: 'error', text: error || content, code: errorCode }
  if (type === 'CHECKPOINT') return { kind: 'checkpoint', title: '', text: content }
  if (source === 'MODEL') return toResult(row, status)
  if (source === 'USER_EXPLICIT') return { kind: 'user-action', name: type, text: stripTimes(content) }
  if (source.startsWith('SYSTEM')) return { kind: 'notice', name: type, title: '', text: content }
  return { kind: 'unknown', name: type, raw: { source, type, status: row.status, content } }
}

function toResult({ type, content, error }: TranscriptRow, status: StepStatus): StepContent {
  const text = stripTimes(content)
  const command = type === 'RUN_COMMAND' ? readCommandText(text) : null
  const shown = command?.output ?? text
  return {
    kind: 'result',
    name: type,
    output: shown === '' ? { kind: 'empty' } : { kind: 'text', text: shown },
    display: null,
    exitCode: command?.exitCode ?? null,
    error: status === 'error' ? error || text : '',
  }
}

const OPEN = '<USER_REQUEST>'
const CLOSE = '</USER_REQUEST>'
const METADATA = '<ADDITIONAL_METADATA>'
const SETTINGS = '<USER_SETTINGS_CHANGE>'

interface UserInput {
  /** The typed text; '' if the prompt only approved an artifact or contains an image. */
  text: string
  approvals: Approval[]
  /** Blocks that agy adds around the request, with their tags. */
  context: string[]
  /** The model chosen with this prompt; null: no change. */
  chosenModel: string | null
}

/**
 * Splits the text of a USER_INPUT row. Users can type the tags too: the request is between the first opening tag and the last closing one
 * before the block that agy adds.
 */
function splitUserInput(content: string): UserInput {
  const metadata = lastBlock(content, METADATA)
  const settings = lastBlock(content, SETTINGS)
  const end = Math.min(...[metadata, settings].map((start) => (start < 0 ? content.length : start)))
  const head = content.slice(0, end)
  const open = head.indexOf(OPEN)
  const close = head.lastIndexOf(CLOSE)
  const before = open < 0 ? '' : head.slice(0, open)
  const start = open < 0 ? 0 : open + OPEN.length
  const text = head.slice(start, close < start ? end : close)
  const approvals = readApprovals(before)
  return {
    text: open < 0 ? text.trim() : text.replace(/^\r?\n/, '').replace(/\r?\n$/, ''),
    approvals,
    context: [approvals.length > 0 ? '' : before, content.slice(end)]
      .map((part) => part.trim())
      .filter(Boolean),
    chosenModel: settings < 0 ? null : readChosenModel(content.slice(settings)),
  }
}

/** Blocks start at the beginning of a line. */
function lastBlock(content: string, tag: string): number {
  const at = content.lastIndexOf(`\n${tag}`)
  return at >= 0 ? at + 1 : content.startsWith(tag) ? 0 : -1
}

function readApprovals(before: string): Approval[] {
  const [, ...parts] = before.split('Comments on artifact URI:')
  return parts.map((part) => {
    const [uri = '', ...comment] = part.trim().split('\n')
    return { uri: uri.trim(), comment: comment.join('\n').trim() }
  })
}

function readChosenModel(block: string): string | null {
  const name = /model[^\n]* from [^\n]+? to ([^\n]+?)(?:\.(?:\s|$)|\n|$)/i.exec(block)?.[1]
  return name?.replace(/^[`"']|[`"']$/g, '').trim() || null
}
