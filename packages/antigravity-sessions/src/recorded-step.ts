import type { Part, ToolOutput } from 'gemini-sessions'
import type { RowTable, SqliteTables, TableRow } from './database/read-database.ts'
import { ProtoMessage, toText } from './wire.ts'

/** One step of a conversation, from the database or a transcript: what both have, in one form. */
export interface RecordedStep {
  index: number
  /** ISO 8601 UTC, to the millisecond; in a transcript to the second. */
  time: string | null
  /** Its location. `line` from 1, in a transcript. */
  place: { file: string; line?: number }
  status: StepStatus
  content: StepContent
  /** One of its texts was cut when written. */
  isShortened: boolean
  /** Only in the database. */
  record: DatabaseRecord | null
  /** Tokens in transcript rows (1.3+). */
  rowUsage: RowUsage | null
}

/** `unanswered`: pending, running or waiting when it was written. */
export type StepStatus = 'success' | 'error' | 'cancelled' | 'unanswered'

export interface DatabaseRecord {
  trajectory: string
  /** The conversation that made it; a different one if inherited by a fork. '' if not recorded. */
  conversation: string
  /** The call that this step executes. */
  callId: string | null
  usage: StepUsage | null
}

/** As stored: input without cached tokens; output with thoughts. */
export interface StepUsage {
  modelNumber: number
  input: number
  output: number
  cacheWrite: number
  cacheRead: number
  /** null: not recorded. */
  thinking: number | null
  answer: number | null
  responseId: string
}

export interface RowUsage {
  input: number
  cacheRead: number
  output: number
}

export interface StepCall {
  /** '' in a transcript. */
  id: string
  name: string
  args: unknown
}

export type StepContent =
  | {
      kind: 'prompt'
      text: string
      media: Part[]
      approvals: Approval[]
      context: string[]
      chosenModel: string | null
      isInjected: boolean
    }
  | { kind: 'answer'; text: string; thinking: string; calls: StepCall[] }
  /** `output`: null if a step failed before it had one. */
  | {
      kind: 'result'
      name: string
      output: ToolOutput | null
      display: ToolOutput | null
      exitCode: number | null
      error: string
    }
  | { kind: 'notice'; name: string; title: string; text: string }
  | { kind: 'error'; text: string; code: number | null }
  | { kind: 'checkpoint'; title: string; text: string }
  | { kind: 'user-action'; name: string; text: string }
  | { kind: 'unknown'; name: string; raw: unknown }

/** The user approved an artifact, or commented on it. */
export interface Approval {
  uri: string
  comment: string
}

/** How a command ended, and its output, from the text sent to the model: three formats, by version. */
const ENDED =
  /^\s*The command (?:completed successfully|failed with exit code:? (-?\d+)|exited with code (-?\d+))\.?[^\S\n]*(?:\n\s*Output:[^\S\n]*)?(?:\n|$)/

/** null: it does not contain how it ended. */
export function readCommandText(text: string): { exitCode: number; output: string } | null {
  const ended = ENDED.exec(text)
  if (ended === null) return null
  const [whole, failed, exited] = ended
  return { exitCode: Number(failed ?? exited ?? 0), output: text.slice(whole.length) }
}

/** The same for a message about a background task; null: it contains no exit code. */
export function readTaskExitCode(text: string): number | null {
  if (/completed successfully/.test(text)) return 0
  const code = /exit(?:ed with)? code:? (-?\d+)/i.exec(text)?.[1]
  return code === undefined ? null : Number(code)
}

/** Strips the times at the start of results in transcripts: they are local, and the row has its own. */
export function stripTimes(content: string): string {
  return content.replace(/^Created At: [^\n]*\r?\n(?:Completed At: [^\n]*\r?\n)?(?:\r?\n)?/, '')
}

/** What a row of `gen_metadata` contains about the model. Skips the prompt in the same row, most of a database. */
interface GenerationNames {
  modelNumber: number
  responseId: string
  chosen: string
  machine: string
}

/** Columns of an archived row. */
const KEPT_NAMES = [
  'modelNumber',
  'responseId',
  'chosen',
  'machine',
] as const satisfies (keyof GenerationNames)[]

const GENERATION = 1
const USAGE = 4
const MACHINE = 19
const CHOSEN = 21
/** Names and usage are shorter. */
const MAX_FIELD_BYTES = 4096
const WINDOW_BYTES = 256

/** null: not such a message. @throws {DatabaseDamage} */
function readGenerationRow(row: TableRow): GenerationNames | null {
  if (row.length('data') === 0) return readKeptNames(row)
  const bytes = new ForwardBytes(row)
  const names: GenerationNames = { modelNumber: 0, responseId: '', chosen: '', machine: '' }
  const outer = bytes.field(0)
  if (outer === null || outer.number !== GENERATION || outer.end > bytes.length) return null
  for (let at = outer.start; at < outer.end; ) {
    const field = bytes.field(at)
    if (field === null || field.end > outer.end) return null
    const isWanted = field.number === USAGE || field.number === MACHINE || field.number === CHOSEN
    if (isWanted && field.end - field.start <= MAX_FIELD_BYTES) {
      const value = bytes.read(field.start, field.end)
      if (field.number === USAGE) {
        const usage = ProtoMessage.read(value)
        names.modelNumber = usage?.number(1) ?? 0
        names.responseId = usage?.text(11) ?? ''
      } else if (field.number === MACHINE) names.machine = toText(value)
      else names.chosen = toText(value)
    }
    at = field.end
  }
  return names
}

/** An archived row has no prompt, and its names as columns. */
function readKeptNames(row: TableRow): GenerationNames | null {
  const [modelNumber, ...texts] = KEPT_NAMES.map((name) => row.value(name))
  const [responseId, chosen, machine] = texts.map((text) => (typeof text === 'string' ? text : ''))
  if (typeof modelNumber !== 'number') return null
  return { modelNumber, responseId: responseId ?? '', chosen: chosen ?? '', machine: machine ?? '' }
}

interface FieldPlace {
  number: number
  /** Of its content, if it is length-delimited. */
  start: number
  end: number
}

/** Reads the `data` of a row in small windows, forward only. */
class ForwardBytes {
  readonly length: number
  readonly #row: TableRow
  #window: Uint8Array = new Uint8Array()
  #start = 0

  constructor(row: TableRow) {
    this.#row = row
    this.length = row.length('data')
  }

  read(start: number, end: number): Uint8Array {
    const known = this.#start + this.#window.length
    if (end > known) {
      const kept = start < known ? this.#window.subarray(start - this.#start) : new Uint8Array()
      const from = Math.max(start, known)
      this.#window = Buffer.concat([kept, this.#row.part('data', from, Math.max(end, from + WINDOW_BYTES))])
      this.#start = start
    }
    return this.#window.subarray(start - this.#start, end - this.#start)
  }

  /** The field whose tag is at this offset; null if none. */
  field(at: number): FieldPlace | null {
    const tag = this.#varint(at)
    if (tag === null) return null
    const number = Math.floor(tag.value / 8)
    const type = tag.value % 8
    if (type === 2) {
      const length = this.#varint(tag.end)
      return length && { number, start: length.end, end: length.end + length.value }
    }
    if (type === 0) {
      const value = this.#varint(tag.end)
      return value && { number, start: tag.end, end: value.end }
    }
    if (type === 1) return { number, start: tag.end, end: tag.end + 8 }
    return type === 5 ? { number, start: tag.end, end: tag.end + 4 } : null
  }

  /** A protobuf varint: low bits first. */
  #varint(at: number): { value: number; end: number } | null {
    const bytes = this.read(at, Math.min(at + 10, this.length))
    let value = 0
    for (const [index, byte] of bytes.entries()) {
      value += (byte & 0x7f) * 2 ** (7 * index)
      if (byte < 0x80) return { value, end: at + index + 1 }
    }
    return null
  }
}

/** Names of a model: the label that the user chose (`Gemini 3.5 Flash (Medium)`), and the internal one (`gemini-3-flash-a`). */
export interface AgyModel {
  /** `chosen`, else `machine`, else `MODEL_PLACEHOLDER_M50`. */
  name: string
  chosen: string | null
  machine: string | null
  number: number
}

/** Determines the model of a request. */
export type NameModel = (usage: StepUsage) => AgyModel

/** Numbers from here on have no name in the program. */
const FIRST_PLACEHOLDER = 1000

export function toAgyModel(number: number, chosen: string, machine: string): AgyModel {
  const placeholder = `MODEL_PLACEHOLDER_M${number >= FIRST_PLACEHOLDER ? number - FIRST_PLACEHOLDER : number}`
  return { name: chosen || machine || placeholder, chosen: chosen || null, machine: machine || null, number }
}

/** The parts of a step needed to find its row. */
export type CallingStep = Pick<RecordedStep, 'index'> & {
  content: Pick<StepContent, 'kind'>
  record: { usage: StepUsage | null; conversation: string } | null
}

/** Maximum distance of a generation's row from its expected position by step count. */
const MAX_DISTANCE = 8

/** One model request, and its approximate row in `gen_metadata`. */
export interface Call {
  usage: StepUsage
  row: number
  /** The same for a fork whose table starts with its own generations. */
  ownRow: number
  /** Step number. */
  index: number
}

/**
 * The model names of a conversation, from as few rows of `gen_metadata` as possible: for each model number, the rows of its first and last
 * request. If these differ, the user changed the model in between, which is found by bisection.
 * @throws {DatabaseDamage}
 */
export function readModelNames(
  { tables }: SqliteTables,
  steps: readonly CallingStep[],
  conversation: string,
): NameModel {
  const table = tables.get('gen_metadata') ?? null
  const book = new NameTable(table)
  const byNumber = new Map<number, Call[]>()
  for (const call of listCalls(steps, conversation)) {
    const known = byNumber.get(call.usage.modelNumber)
    if (known === undefined) byNumber.set(call.usage.modelNumber, [call])
    else known.push(call)
  }
  const named = new Map<StepUsage, AgyModel>()
  for (const calls of byNumber.values()) book.nameAll(calls, named)
  return (usage) => named.get(usage) ?? book.ofNumber(usage.modelNumber)
}

/** In order. One row is one generation: a retry of a bad call shares the row of the first attempt. */
export function listCalls(steps: readonly CallingStep[], conversation: string): Call[] {
  const calls: Call[] = []
  let row = 0
  let inherited = 0
  for (const [at, { index, content, record }] of steps.entries()) {
    if (content.kind !== 'answer') continue
    if (isRetry(steps, at)) continue
    const isInherited = Boolean(record?.conversation) && record?.conversation !== conversation
    if (record?.usage) calls.push({ usage: record.usage, row, ownRow: row - inherited, index })
    if (isInherited) inherited++
    row++
  }
  return calls
}

/** A bad call, an error, and the retry are one generation; a request refused by the provider is a separate one. */
function isRetry(steps: readonly CallingStep[], at: number): boolean {
  const [before, error] = [steps[at - 2], steps[at - 1]]
  return error?.content.kind === 'error' && before?.content.kind === 'answer' && Boolean(before.record?.usage)
}

class NameTable {
  readonly #table: RowTable | null
  readonly #rows = new Map<number, GenerationNames | null>()
  readonly #byNumber = new Map<number, AgyModel>()

  constructor(table: RowTable | null) {
    this.#table = table
  }

  ofNumber(number: number): AgyModel {
    return this.#byNumber.get(number) ?? toAgyModel(number, '', '')
  }

  /** @param calls with one model number, in order */
  nameAll(calls: readonly Call[], named: Map<StepUsage, AgyModel>): void {
    const [first, last] = [calls[0], calls.at(-1)]
    if (first === undefined || last === undefined) return
    const [start, end] = [this.#nameOf(first), this.#nameOf(last)]
    named.set(first.usage, start)
    named.set(last.usage, end)
    if (start.chosen === end.chosen && start.machine === end.machine) {
      for (const { usage } of calls) named.set(usage, start)
      return
    }
    if (calls.length <= 2) return
    const middle = calls.length >> 1
    this.nameAll(calls.slice(0, middle + 1), named)
    this.nameAll(calls.slice(middle), named)
  }

  #nameOf(call: Call): AgyModel {
    const { usage } = call
    const names = this.#find(call)
    if (names === null) return this.ofNumber(usage.modelNumber)
    const model = toAgyModel(usage.modelNumber, names.chosen, names.machine)
    if (!this.#byNumber.has(usage.modelNumber)) this.#byNumber.set(usage.modelNumber, model)
    return model
  }

  /** The row with this response id, else the nearest one with the same model number. */
  #find({ usage: { responseId, modelNumber }, row, ownRow }: Call): GenerationNames | null {
    let nearest: GenerationNames | null = null
    for (let distance = 0; distance <= MAX_DISTANCE; distance++) {
      for (const place of new Set([row, ownRow].flatMap((at) => [at - distance, at + distance]))) {
        const names = this.#read(place)
        if (names === null || names.modelNumber !== modelNumber) continue
        if (responseId === '' || names.responseId === responseId) return names
        nearest ??= names
      }
    }
    return nearest
  }

  #read(place: number): GenerationNames | null {
    const known = this.#rows.get(place)
    if (known !== undefined) return known
    const row = place < 0 ? null : (this.#table?.seek(place) ?? null)
    const names = row === null || row.rowid !== place ? null : readGenerationRow(row)
    this.#rows.set(place, names)
    return names
  }
}
