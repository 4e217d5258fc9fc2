import type { Part, ToolOutput } from 'gemini-sessions'
import type { SqliteTables, TableRow } from './database/read-database.ts'
import type {
  DatabaseRecord,
  RecordedStep,
  StepCall,
  StepContent,
  StepStatus,
  StepUsage,
} from './recorded-step.ts'
import { ProtoMessage, rawFields } from './wire.ts'

/** Properties of a step besides its payload. */
interface StepFacts {
  type: number
  /** The field for its type. */
  payload: ProtoMessage | null
  /** Of a failed step; '' for others. */
  error: string
  /** It executes a call. */
  isCall: boolean
  /** A prompt not written by the user. */
  isInjected: boolean
  /** All of it as JSON. */
  raw: () => unknown
}

function readContent(facts: StepFacts): StepContent {
  const { type, payload, error, raw } = facts
  const name = STEP_NAMES.get(type) ?? `step ${type}`
  const talk = readTalk(facts, name)
  if (talk !== null) return talk
  const result = payload === null ? null : readResult(type, payload)
  if (result !== null) return { kind: 'result', name, error, ...result }
  if (error !== '' && (facts.isCall || RESULT_TYPES.has(type)))
    return { kind: 'result', name, output: null, display: null, exitCode: null, error }
  // Before 1.1.10 each tool had its own type, not all of which are known.
  if (facts.isCall)
    return {
      kind: 'result',
      name,
      output: { kind: 'unknown', json: raw() },
      display: null,
      exitCode: null,
      error,
    }
  return { kind: 'unknown', name, raw: raw() }
}

/** Content that is not the result of a call. null: it is one, or unknown. */
function readTalk({ type, payload, isInjected, error, raw }: StepFacts, name: string): StepContent | null {
  if (type === 14 && payload !== null) return readPrompt(payload, isInjected)
  if (type === 15) return readAnswer(payload)
  if (type === 17) return readError(payload, error)
  if (type === 23 && payload !== null)
    return { kind: 'checkpoint', title: payload.text(4), text: payload.text(19) }
  if (type === 101 && payload !== null) return readSystemMessage(payload, name)
  if (type === 90) return { kind: 'notice', name, title: '', text: payload?.text(1) ?? '' }
  if (type === 98) return { kind: 'notice', name, title: '', text: payload?.text(1) ?? '' }
  return type === 14 ? { kind: 'unknown', name, raw: raw() } : null
}

function readPrompt(payload: ProtoMessage, isInjected: boolean): StepContent {
  const items = payload.messages(3).map((item) => item.text(1))
  const text = payload.text(2) || items.join('') || payload.text(1)
  const approvals = payload.messages(7).flatMap((approval) => {
    const uri = approval.text(1)
    return uri === '' ? [] : [{ uri, comment: approval.text(5) }]
  })
  const media = payload.messages(9).map(readMedia)
  return { kind: 'prompt', text, media, approvals, context: [], chosenModel: null, isInjected }
}

function readMedia(media: ProtoMessage): Part {
  const mimeType = media.text(1) || 'application/octet-stream'
  const bytes = media.bytes(2)
  const kind = mimeType.startsWith('image/') ? 'image' : mimeType.startsWith('audio/') ? 'audio' : 'file'
  const data = bytes === null || bytes.length === 0 ? null : Buffer.from(bytes).toString('base64')
  const uri = media.text(5) || media.text(4) || null
  return { kind, mimeType, data, uri, sizeBytes: bytes?.length ?? null, href: null }
}

function readAnswer(payload: ProtoMessage | null): StepContent {
  const calls = (payload?.messages(7) ?? []).map(
    (call): StepCall => ({ id: call.text(1), name: call.text(2), args: parseArguments(call.text(3)) }),
  )
  const text = payload?.text(1) || payload?.text(8) || ''
  return { kind: 'answer', text, thinking: payload?.text(3) ?? '', calls }
}

function readError(payload: ProtoMessage | null, stepError: string): StepContent {
  const error = payload?.message(3) ?? null
  const code = error?.number(7) || null
  const text = error?.text(1) || error?.text(3) || error?.text(2) || stepError
  return { kind: 'error', text, code }
}

function readSystemMessage(payload: ProtoMessage, name: string): StepContent {
  const parts = payload.message(2)
  const text = payload.text(1) || parts?.text(2) || ''
  return { kind: 'notice', name, title: parts?.text(1) ?? '', text }
}

const RESULT_TYPES = new Set([5, 7, 8, 9, 21, 25, 33, 103, 132])

interface ToolResult {
  output: ToolOutput
  display: ToolOutput | null
  exitCode: number | null
}

function readResult(type: number, payload: ProtoMessage): ToolResult | null {
  if (type === 5) return { ...plain(payload.text(26)), display: readEdit(payload) }
  if (type === 21) return readCommand(payload)
  if (type === 8) return plain(payload.text(4))
  if (type === 9) return readFolder(payload)
  if (type === 7) return plain(payload.text(3) || payload.text(2))
  if (type === 33) return plain(payload.text(5))
  if (type === 132) return plain(payload.message(2)?.text(1) ?? '')
  if (type === 25) return plain(payload.text(11) || payload.text(8))
  return null
}

function plain(text: string): ToolResult {
  return { output: text === '' ? { kind: 'empty' } : { kind: 'text', text }, display: null, exitCode: null }
}

function readCommand(payload: ProtoMessage): ToolResult {
  const shown = payload.message(21)
  // 0 is stored explicitly here, so a missing value means that the command has not ended.
  const exitCode = payload.has(6) ? payload.number(6) | 0 : null
  return { ...plain(shown?.text(1) || shown?.text(2) || ''), exitCode }
}

function readFolder(payload: ProtoMessage): ToolResult {
  const files = payload.messages(3).map((entry) => entry.text(1))
  return {
    ...plain(files.join('\n')),
    display: { kind: 'list', summary: '', files, skipped: [] },
  }
}

/** Deeper JSON is kept as text, since recursive code could not process it. */
const MAX_DEPTH = 200

/** The arguments of a call, stored as JSON text. Invalid JSON stays a text. */
function parseArguments(json: string): unknown {
  if (json === '') return {}
  try {
    const value: unknown = JSON.parse(json)
    return isTooDeep(value) ? json : value
  } catch {
    return json
  }
}

/** Whether JSON is too deep for recursive code. */
export function isTooDeep(value: unknown): boolean {
  return isDeeperThan(value, MAX_DEPTH)
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((child) => isDeeperThan(child, depth - 1))
}

type DiffOutput = Extract<ToolOutput, { kind: 'diff' }>

interface DiffLine {
  text: string
  change: 'added' | 'removed' | 'kept'
}

const CHANGES = ['kept', 'added', 'removed', 'kept'] as const
/** Unchanged lines around a change, as in `diff -u`. */
const CONTEXT_LINES = 3

/** The diff of an edit (type 5): agy stores every line of the file with its change. null: not recorded. */
function readEdit(payload: ProtoMessage): DiffOutput | null {
  const result = payload.message(2)?.message(1) ?? null
  if (result === null) return null
  const lines = (result.message(2)?.message(3)?.messages(3) ?? []).map(
    (line): DiffLine => ({ text: line.text(1), change: CHANGES[line.number(2)] ?? 'kept' }),
  )
  if (lines.length === 0) return null
  const filePath = uriToPath(result.text(8))
  const isNewFile = result.number(11) === 1
  const before = lines.filter(({ change }) => change !== 'added')
  const after = lines.filter(({ change }) => change !== 'removed')
  const original = result.has(10) ? result.text(10) : joinLines(before)
  const shown = withoutEnds(lines, before.at(-1), after.at(-1))
  const fileName = (filePath ?? result.text(8)).split(/[\\/]/).at(-1) ?? ''
  return {
    kind: 'diff',
    fileName,
    filePath,
    fileDiff: toUnifiedDiff(fileName, shown),
    originalContent: isNewFile ? '' : original,
    newContent: joinLines(after),
    linesAdded: shown.filter(({ change }) => change === 'added').length,
    linesRemoved: shown.filter(({ change }) => change === 'removed').length,
    isNewFile,
    isRebuilt: false,
  }
}

/** A text that ends with a line break has an empty last line here, which diffs do not show. */
function withoutEnds(lines: readonly DiffLine[], ...ends: (DiffLine | undefined)[]): DiffLine[] {
  const breaks = new Set(ends.filter((line) => line?.text === ''))
  return lines.filter((line) => !breaks.has(line))
}

function joinLines(lines: readonly DiffLine[]): string {
  return lines.map(({ text }) => text).join('\n')
}

function toUnifiedDiff(name: string, lines: readonly DiffLine[]): string {
  const changed = lines.flatMap(({ change }, index) => (change === 'kept' ? [] : index))
  const hunks: [start: number, end: number][] = []
  for (const index of changed) {
    const start = Math.max(0, index - CONTEXT_LINES)
    const end = Math.min(lines.length, index + CONTEXT_LINES + 1)
    const last = hunks.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = end
    else hunks.push([start, end])
  }
  const text: string[] = []
  let [oldLine, newLine, at] = [1, 1, 0]
  for (const [start, end] of hunks) {
    // Lines between hunks are unchanged, so both sides advance equally.
    oldLine += start - at
    newLine += start - at
    const part = lines.slice(start, end)
    const oldCount = part.filter(({ change }) => change !== 'added').length
    const newCount = part.filter(({ change }) => change !== 'removed').length
    text.push(`@@ -${range(oldLine, oldCount)} +${range(newLine, newCount)} @@`)
    for (const line of part) text.push(`${SIGNS[line.change]}${line.text}`)
    oldLine += oldCount
    newLine += newCount
    at = end
  }
  return text.length === 0 ? '' : [`--- ${name}`, `+++ ${name}`, ...text, ''].join('\n')
}

const SIGNS = { added: '+', removed: '-', kept: ' ' } as const

/** An empty side is given by the line before it. */
function range(start: number, count: number): string {
  return count === 1 ? String(start) : `${count === 0 ? start - 1 : start},${count}`
}

/**
 * The path of a file URI, with `/` on every system; all three Windows forms occur: `file:///C:/x`, `file:///c:/x`, `file://C:/x`. Drive
 * letters are capitalized. null: a remote folder, or not a file URI.
 */
export function uriToPath(uri: string): string | null {
  const rest = /^file:\/\/(.*)$/is.exec(uri)?.[1]
  if (rest === undefined) return null
  const path = decodeOnce(rest).replaceAll('\\', '/')
  const drive = /^\/?([A-Za-z]):(\/.*|$)/.exec(path)
  if (drive !== null) return `${drive[1]?.toUpperCase()}:${drive[2] || '/'}`
  if (path.startsWith('/')) return path
  // A URI with a host: only localhost is a path on this computer.
  return /^localhost(\/.*)$/i.exec(path)?.[1] ?? null
}

function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Step types in the database, with their names in transcripts. */
const STEP_NAMES: ReadonlyMap<number, string> = new Map([
  [5, 'CODE_ACTION'],
  [7, 'GREP_SEARCH'],
  [8, 'VIEW_FILE'],
  [9, 'LIST_DIRECTORY'],
  [14, 'USER_INPUT'],
  [15, 'PLANNER_RESPONSE'],
  [17, 'ERROR_MESSAGE'],
  [21, 'RUN_COMMAND'],
  [23, 'CHECKPOINT'],
  [25, 'FIND'],
  [33, 'SEARCH_WEB'],
  [90, 'EPHEMERAL_MESSAGE'],
  [98, 'CONVERSATION_HISTORY'],
  [101, 'SYSTEM_MESSAGE'],
  [103, 'AGENCY_TOOL_CALL'],
  [132, 'GENERIC'],
])

/** The field with the type-specific content of a step, by type. */
const PAYLOAD_FIELDS: ReadonlyMap<number, number> = new Map([
  [5, 10],
  [7, 13],
  [8, 14],
  [9, 15],
  [14, 19],
  [15, 20],
  [17, 24],
  [21, 28],
  [23, 30],
  [25, 34],
  [33, 42],
  [90, 103],
  [98, 111],
  [101, 114],
  [103, 116],
  [132, 140],
])

/** One row of `steps`, as far as it is understood. */
interface PayloadReading {
  step: RecordedStep
  /** Its step type. */
  type: number
  /** Its status. */
  status: number
  isKnown: boolean
  /** Numbers of fields in the step that no known version writes. */
  unknownFields: number[]
}

const TYPE = 1
const STATUS = 4
const METADATA = 5
const ERROR = 31
/** Fields that all types share: their content is read elsewhere, or its meaning is unknown. */
const KNOWN_FIELDS = new Set([TYPE, STATUS, METADATA, ERROR])

/** Reads `step_payload` of one row. null: not a message. */
export function readPayload(bytes: Uint8Array, index: number, file: string): PayloadReading | null {
  const step = ProtoMessage.read(bytes)
  const metadata = step?.message(METADATA) ?? null
  if (step === null) return null
  const type = step.number(TYPE)
  const field = PAYLOAD_FIELDS.get(type)
  const isKnown = STEP_NAMES.has(type)
  const payload = field === undefined ? null : step.message(field)
  const error = step.message(ERROR)
  const content = readContent({
    type,
    payload,
    error: error === null ? '' : error.text(3) || error.text(2) || error.text(1),
    isCall: metadata?.has(4) ?? false,
    isInjected: metadata?.number(3) === 5,
    raw: () => ({ type, status: step.number(STATUS), fields: rawFields(step) }),
  })
  return {
    step: {
      index,
      time: readTime(metadata?.message(1) ?? null),
      place: { file },
      status: toStatus(step.number(STATUS)),
      content,
      isShortened: false,
      record: metadata === null ? null : readRecord(metadata),
      rowUsage: null,
    },
    type,
    status: step.number(STATUS),
    isKnown,
    unknownFields: isKnown
      ? step.numbers.filter((number) => !KNOWN_FIELDS.has(number) && number !== field)
      : [],
  }
}

function readRecord(metadata: ProtoMessage): DatabaseRecord {
  const place = metadata.message(20)
  const usage = metadata.message(9)
  return {
    trajectory: place?.text(1) ?? '',
    conversation: place?.text(4) ?? '',
    callId: metadata.message(4)?.text(1) || null,
    usage: usage === null ? null : readUsage(usage),
  }
}

/** A token count as stored by agy, which omits zeros. */
function readUsage(usage: ProtoMessage): StepUsage {
  const orNull = (field: number) => (usage.has(field) ? usage.number(field) : null)
  return {
    modelNumber: usage.number(1),
    input: usage.number(2),
    output: usage.number(3),
    cacheWrite: usage.number(4),
    cacheRead: usage.number(5),
    thinking: orNull(9),
    answer: orNull(10),
    responseId: usage.text(11),
  }
}

function toStatus(status: number): StepStatus {
  if (status === 3) return 'success'
  if (status === 7) return 'error'
  return status === 6 ? 'cancelled' : 'unanswered'
}

const LAST_YEAR_SECONDS = Date.UTC(10_000, 0, 1) / 1000

/** ISO 8601 UTC from {1 seconds, 2 nanoseconds}; null if not a time between 1970 and 9999. */
function readTime(time: ProtoMessage | null): string | null {
  const seconds = time?.number(1) ?? 0
  if (time === null || !(seconds > 0 && seconds < LAST_YEAR_SECONDS)) return null
  const milliseconds = Math.floor(Math.max(0, Math.min(time.number(2), 999_999_999)) / 1e6)
  return new Date(seconds * 1000 + milliseconds).toISOString()
}

/** Contents of the table `steps`. */
export interface StepsReading {
  steps: RecordedStep[]
  /** Row ids whose payload is not a message, or contradicts the other columns. */
  badRows: number[]
  /** Types and fields that no known version writes, with the first step and the number of steps. */
  unknown: Map<string, { index: number; count: number }>
}

/**
 * Adds the rows of `steps` to `reading` one by one, so that those read before damage remain.
 * @param pause what to wait for between two rows; null: nothing
 * @throws {DatabaseDamage}
 */
export async function readSteps(
  { tables }: SqliteTables,
  file: string,
  reading: StepsReading,
  pause: () => Promise<void> | null,
): Promise<void> {
  for (const row of tables.get('steps')?.rows() ?? []) {
    const waited = pause()
    if (waited !== null) await waited
    readRow(row, file, reading)
  }
}

function readRow(row: TableRow, file: string, { steps, badRows, unknown }: StepsReading): void {
  const [type, status] = [row.value('step_type'), row.value('status')]
  const payload = row.value('step_payload')
  const found = payload instanceof Uint8Array ? readPayload(payload, row.rowid, file) : null
  // The columns repeat part of the payload; if they differ, one of them is damaged.
  if (found === null || found.type !== type || found.status !== status) {
    badRows.push(row.rowid)
    return
  }
  steps.push(found.step)
  const names = found.isKnown ? found.unknownFields.map((field) => `field ${field}`) : [`type ${found.type}`]
  for (const name of names) {
    const known = unknown.get(name)
    if (known === undefined) unknown.set(name, { index: row.rowid, count: 1 })
    else known.count++
  }
}

/** Origin of a conversation, from its database. */
export interface ConversationOrigin {
  /** Path of its folder; null: not recorded, or not on this computer. */
  workspace: string | null
  /** The conversation that started this one as a sub-agent. */
  parent: string | null
  /** The conversation that this one was forked from. */
  forkedFrom: string | null
}

/** Types of references that copy the steps of another conversation. */
const FORK = 2
const SUBAGENT_FORK = 6

/** @throws {DatabaseDamage} */
export function readOrigin({ tables }: SqliteTables, conversation: string): ConversationOrigin {
  const metadata = readMetadata(tables)
  const uris = [
    ...(metadata?.messages(1) ?? []).map((workspace) => workspace.text(1)),
    ...(metadata?.texts(7) ?? []),
  ]
  const parent = metadata?.text(5) || null
  return {
    workspace: uris.map(uriToPath).find((path) => path !== null) ?? null,
    parent: parent === conversation ? null : parent,
    forkedFrom: readFork(tables, conversation),
  }
}

function readMetadata(tables: SqliteTables['tables']): ProtoMessage | null {
  for (const row of tables.get('trajectory_metadata_blob')?.rows() ?? []) {
    const data = row.value('data')
    const message = data instanceof Uint8Array ? ProtoMessage.read(data) : null
    if (message !== null) return message
  }
  return null
}

/** Inherited references come first; a reference to the conversation itself is a rewind. */
function readFork(tables: SqliteTables['tables'], conversation: string): string | null {
  let forkedFrom: string | null = null
  for (const row of tables.get('parent_references')?.rows() ?? []) {
    const data = row.value('data')
    const reference = data instanceof Uint8Array ? ProtoMessage.read(data) : null
    const kind = reference?.number(5) ?? 0
    const id = reference?.text(6) ?? ''
    if ((kind === FORK || kind === SUBAGENT_FORK) && id !== '' && id !== conversation) forkedFrom = id
  }
  return forkedFrom
}
