import type { Message, Part, ToolCall, ToolOutput } from '../model/message.ts'
import { isRawObject, type RawObject } from '../raw.ts'
import { type ByteRange, decodeText, isBlankByte, joinBytes } from './json/bytes.ts'
import { StringScanner } from './json/string-scanner.ts'
import { JSON_BYTES, splitPoint } from './json/value-scanner.ts'
import { countDiffLines, readExitCode, readSignal, toAnsiLines } from './lift/calls.ts'
import { toSizeBytes } from './lift/parts.ts'
import { bytesFingerprint, textFingerprint } from './text-fingerprint.ts'

/** The position of a large value: its row in the file, and its place in the row. */
export type TextPlace = { range: ByteRange } & (
  | {
      /** Range of a string with its quotes, within the row. */
      at: ByteRange
    }
  | {
      /** The fields that lead to it. */
      path: Path
      /** Characters, or terminal rows: the value found later must have this length. */
      length: number
    }
)

type Path = readonly (string | number)[]

/** What is needed to find large texts again. Plain JSON. */
export interface PlacedTexts {
  /** Random: new for each reading. */
  owner: string
  places: TextPlace[]
  /** Approximate number of bytes put aside. */
  length: number
  /** Positions of the messages in a JSON document, by index; empty for small ones, which are parsed in one piece. */
  documentRows: ByteRange[]
}

/** Shorter ones are not worth reading twice. */
const LARGE_TEXT_CHARS = 1024

/** How a result flattened to text by 0.27 begins; in a file each character takes at most six bytes. */
const FLAT_RESULT = '[Function Response: '

/**
 * Takes large texts out of the rows of one file while it is read: tool outputs, diffs, terminals, images. Their placeholders are small, so
 * a session of any size fits in memory; they are read again on demand (`restoreMessage`). Text of the user or the model, and the arguments
 * of calls, stays.
 */
export class LargeTexts implements PlacedTexts {
  readonly owner = newOwner()
  readonly places: TextPlace[] = []
  length = 0
  readonly documentRows: ByteRange[] = []
  /** Up to 0.27 results could be flattened into one text; only the whole outputs show what it repeats. */
  hasFlatResults = false
  readonly #largeChars: number
  readonly #paths = new Map<string, Path>()
  /** By fingerprint: texts in `content` are compared with each other, so equal ones must have the same placeholder. */
  readonly #shared = new Map<string, string>()
  /** The current row, if its long texts were not decoded. */
  #cut: CutRow | null = null

  constructor(largeChars = LARGE_TEXT_CHARS) {
    this.#largeChars = largeChars
  }

  /** The row without its large texts, most of which are never decoded. null: it has none, or must be parsed in another way. */
  parse(bytes: Uint8Array, range: ByteRange): RawObject | null {
    this.#cut = bytes.length < this.#largeChars ? null : CutRow.parse(bytes, this.#largeChars)
    if (this.#cut === null) return null
    const { row } = this.#cut
    this.putAside(row, range)
    this.#cut.restore()
    this.#cut = null
    return row
  }

  /** Modifies the row of a message, the rows of a rewrite, or those in a whole conversation. */
  putAside(record: unknown, range: ByteRange): void {
    if (!isRawObject(record)) return
    this.#row(record, range, [])
    this.#rows(record.messages, range, ['messages'])
    if (isRawObject(record.$set)) this.#rows(record.$set.messages, range, ['$set', 'messages'])
  }

  #rows(rows: unknown, range: ByteRange, path: Path): void {
    if (!Array.isArray(rows)) return
    for (const [index, row] of rows.entries()) if (isRawObject(row)) this.#row(row, range, [...path, index])
  }

  #row(row: RawObject, range: ByteRange, path: Path): void {
    this.hasFlatResults ||= toList(row.content).some((part) => this.#isFlatResult(part))
    if (range.end - range.start < this.#largeChars) return
    const place = { range, path, isShared: false }
    if (Array.isArray(row.toolCalls)) {
      for (const [index, call] of row.toolCalls.entries()) {
        if (isRawObject(call)) this.#call(call, { ...place, path: [...path, 'toolCalls', index] })
      }
    }
    this.#parts(row.content, { ...place, path: [...path, 'content'], isShared: true })
  }

  #call(call: RawObject, place: Place): void {
    this.#parts(call.result, { ...place, path: [...place.path, 'result'] })
    const at = { ...place, path: [...place.path, 'resultDisplay'] }
    const { resultDisplay: display } = call
    if (Array.isArray(display)) this.#terminal(call, display, at)
    else if (typeof display === 'string') this.#replace(call, 'resultDisplay', place)
    else if (
      isRawObject(display) &&
      typeof display.fileDiff === 'string' &&
      typeof display.fileName === 'string'
    ) {
      for (const name of ['fileDiff', 'originalContent', 'newContent']) this.#replace(display, name, at)
    }
  }

  #parts(parts: unknown, place: Place): void {
    if (isRawObject(parts)) this.#part(parts, place)
    if (!Array.isArray(parts)) return
    for (const [index, part] of parts.entries()) {
      if (isRawObject(part)) this.#part(part, { ...place, path: [...place.path, index] })
    }
  }

  #part(part: RawObject, place: Place): void {
    const { functionResponse, inlineData } = part
    if (isRawObject(inlineData))
      this.#replace(inlineData, 'data', { ...place, path: [...place.path, 'inlineData'] })
    if (!isRawObject(functionResponse)) return
    const at = { ...place, path: [...place.path, 'functionResponse'] }
    this.#parts(functionResponse.parts, { ...at, path: [...at.path, 'parts'] })
    const { response, name } = functionResponse
    // The text of `write_file` determines whether a file was new.
    if (!isRawObject(response) || name === 'write_file' || !isPlainResponse(response)) return
    for (const field of Object.keys(response)) {
      this.#replace(response, field, { ...at, path: [...at.path, 'response'] })
    }
  }

  #isFlatResult(part: unknown): boolean {
    const text = isRawObject(part) ? part.text : part
    const start = this.#cut?.textOf(text)?.start(FLAT_RESULT.length * 6) ?? text
    return typeof start === 'string' && start.startsWith(FLAT_RESULT)
  }

  #replace(parent: RawObject, field: string, place: Place): void {
    const text = parent[field]
    const raw = this.#cut?.textOf(text)
    if (raw) this.#replaceRaw(parent, field, raw, place)
    else if (typeof text === 'string' && text.length >= this.#largeChars) {
      const ends = endsOf(text)
      if (!isDispensable(ends)) return
      const at = { path: this.#onePath([...place.path, field]), length: text.length }
      const fingerprint = place.isShared ? textFingerprint(text) : null
      const short = this.#textPlaceholder(ends, { ...at, range: place.range }, text.length, fingerprint)
      Object.assign(parent, { [field]: short })
    }
  }

  #replaceRaw(parent: RawObject, field: string, raw: RawText, { range, isShared }: Place): void {
    const ends = endsOfRaw(raw)
    if (!isDispensable(ends)) return
    const fingerprint = isShared ? raw.fingerprint() : null
    const short = this.#textPlaceholder(ends, { range, at: raw.range }, raw.sizeBytes, fingerprint)
    raw.isPutAside = true
    Object.assign(parent, { [field]: short })
  }

  /** One token that represents all lines. */
  #terminal(call: RawObject, lines: readonly unknown[], { range, path }: Place): void {
    this.#cut?.restore(lines)
    const terminal = toAnsiLines(lines)
    if (terminal?.kind !== 'ansi') return
    const text = terminal.lines.map((line) => line.map((token) => token.text).join('')).join('\n')
    const ends = endsOf(text)
    if (text.length < this.#largeChars || !isDispensable(ends)) return
    const place = { range, path: this.#onePath(path), length: lines.length }
    Object.assign(call, {
      resultDisplay: [[{ text: this.#textPlaceholder(ends, place, text.length, null) }]],
    })
  }

  #textPlaceholder(ends: TextEnds, place: TextPlace, length: number, fingerprint: string | null): string {
    const known = fingerprint === null ? undefined : this.#shared.get(fingerprint)
    if (known !== undefined) return known
    const index = this.places.push(place) - 1
    this.length += length
    const made = textPlaceholder(ends.start, { owner: this.owner, index }, ends.end)
    if (fingerprint !== null) this.#shared.set(fingerprint, made)
    return made
  }

  /** Thousands of texts share a few dozen paths. */
  #onePath(path: Path): Path {
    const name = path.join('\n')
    const known = this.#paths.get(name)
    if (known !== undefined) return known
    this.#paths.set(name, path)
    return path
  }
}

interface Place {
  range: ByteRange
  path: Path
  isShared: boolean
}

function newOwner(): string {
  return [Math.random(), Math.random()].map((part) => part.toString(36).slice(2)).join('')
}

function toList(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content : [content]
}

/** A response of plain fields. A nested one may be kept as one JSON text, and one with two texts as both in one. */
function isPlainResponse(response: RawObject): boolean {
  if (typeof response.error === 'string' && typeof response.output === 'string') return false
  return Object.values(response).every((value) => typeof value !== 'object' || value === null)
}

/** No text in a file begins like this: it is random for every run. */
const MARK = `cut-${Math.random().toString(36).slice(2)}-`
const encoder = new TextEncoder()
/** The rest of a row is parsed in one piece, so it must not contain many values. */
const MOST_LEFT_BYTES = 1024 * 1024

/** One JSON object whose long texts were not decoded: marks replace them until `restore`. The rest is the result of `JSON.parse`. */
export class CutRow {
  readonly row: RawObject
  readonly #texts: readonly RawText[]

  private constructor(row: RawObject, texts: readonly RawText[]) {
    this.row = row
    this.#texts = texts
  }

  /** null: it has no long text, too much else, or is not an object. */
  static parse(bytes: Uint8Array, longBytes: number): CutRow | null {
    const texts = findLongTexts(bytes, longBytes)
    if (texts === null || texts.length === 0) return null
    const longTexts = texts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    if (bytes.length - longTexts > MOST_LEFT_BYTES) return null
    try {
      const row: unknown = JSON.parse(decodeText(markTexts(bytes, texts)))
      return isRawObject(row) ? new CutRow(row, texts) : null
    } catch {
      return null
    }
  }

  /** The long text replaced by this value; undefined for any other value. */
  textOf(value: unknown): RawText | undefined {
    return typeof value === 'string' && value.startsWith(MARK)
      ? this.#texts[Number(value.slice(MARK.length))]
      : undefined
  }

  /** Restores the long texts that were not put aside, wherever their marks are in this part of the row. */
  restore(part: object = this.row): void {
    if (this.#texts.every(({ isPutAside }) => isPutAside)) return
    // No recursion: rows can be nested deeper than the stack allows.
    const todo = [part]
    for (let parent = todo.pop(); parent !== undefined; parent = todo.pop()) {
      for (const [name, child] of Object.entries(parent)) {
        if (typeof child === 'object' && child !== null) todo.push(child)
        const text = this.textOf(child)
        // The field exists, so even one called `__proto__` is only assigned.
        if (text) Object.defineProperty(parent, name, { value: text.decode() })
      }
    }
  }
}

/** null: a string is unterminated or invalid. */
function findLongTexts(bytes: Uint8Array, longBytes: number): RawText[] | null {
  const scanner = new StringScanner(bytes)
  const texts: RawText[] = []
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== JSON_BYTES.quote) continue
    const start = at
    const end = scanner.skip(start + 1)
    if (end === -1) return null
    at = end - 1
    if (end - start - 2 < longBytes || isName(bytes, end)) continue
    texts.push(new RawText(bytes, { start, end }, scanner.hasOddEscape))
  }
  return texts
}

function isName(bytes: Uint8Array, end: number): boolean {
  let at = end
  while (isBlankByte(bytes[at] ?? 0)) at += 1
  return bytes[at] === JSON_BYTES.colon
}

function markTexts(bytes: Uint8Array, texts: readonly RawText[]): Uint8Array {
  const pieces: Uint8Array[] = []
  let done = 0
  for (const [index, { range }] of texts.entries()) {
    pieces.push(bytes.subarray(done, range.start), encoder.encode(`"${MARK}${index}"`))
    done = range.end
  }
  pieces.push(bytes.subarray(done))
  return joinBytes(pieces)
}

const SPACE = 32

/** A JSON string in bytes that are only valid during the call; decoded as far as needed. */
class RawText {
  /** With its quotes. */
  readonly range: ByteRange
  /** It was replaced permanently. */
  isPutAside = false
  /** Without its quotes. */
  readonly #inside: Uint8Array
  readonly #hasOddEscape: boolean

  constructor(bytes: Uint8Array, range: ByteRange, hasOddEscape: boolean) {
    this.range = range
    this.#inside = bytes.subarray(range.start + 1, range.end - 1)
    this.#hasOddEscape = hasOddEscape
  }

  get sizeBytes(): number {
    return this.#inside.length
  }

  decode(): string {
    return decodeInside(this.#inside)
  }

  /** Equals `textFingerprint` of the decoded text. */
  fingerprint(): string {
    return this.#hasOddEscape ? textFingerprint(this.decode()) : bytesFingerprint(this.#inside)
  }

  /** This many bytes of its start, or a little less. */
  start(sizeBytes: number): string {
    const piece = this.#inside.subarray(0, sizeBytes)
    return decodeInside(piece.subarray(0, splitPoint(piece)))
  }

  /** This many bytes of its end, and a little more. */
  end(sizeBytes: number): string {
    // A space is never part of a longer character or an escape.
    const space = this.#inside.lastIndexOf(SPACE, Math.max(this.sizeBytes - sizeBytes, 0))
    return decodeInside(this.#inside.subarray(Math.max(space, 0)))
  }

  /** Whether one of these ASCII words is in this many bytes at its start or end. Also `true` if unknown. */
  mayHold(words: readonly string[], sizeBytes: number): boolean {
    if (this.#hasOddEscape) return true
    const pieces =
      this.sizeBytes > 2 * sizeBytes
        ? [this.#inside.subarray(0, sizeBytes), this.#inside.subarray(-sizeBytes)]
        : [this.#inside]
    return pieces.map(decodeText).some((text) => words.some((word) => text.includes(word)))
  }
}

function decodeInside(bytes: Uint8Array): string {
  return JSON.parse(`"${decodeText(bytes)}"`)
}

/** A noncharacter, which no text contains; distinguished from one in a file by its owner. */
const PLACEHOLDER_MARK = '\uFDD0'
const TEXT_PLACEHOLDER = new RegExp(
  `${PLACEHOLDER_MARK}([0-9a-z]+)\\.(\\d+)\\.(\\d+)${PLACEHOLDER_MARK}`,
  'g',
)
/** Enough to see that a text is a mask, or that its call was cancelled. */
const HEAD_CHARS = 96
const SMALL_CHARS = 1_000

/** Identifies a text among a file's large texts. */
interface TextName {
  /** The reading that put it aside: no text in a file can contain it. */
  owner: string
  index: number
}

/**
 * The placeholder of a large text: its first characters, its name and, for a shell command's output, exit code and signal, so that lifting
 * it gives the same result as the text itself.
 *
 * @param start of the text, or all of it
 * @param end at least some thousand characters
 */
export function textPlaceholder(start: string, { owner, index }: TextName, end = start): string {
  const [exitCode, signal] = [readExitCode(end), readSignal(end)]
  const tail = [
    exitCode === null ? '' : `\nExit Code: ${exitCode}`,
    signal === null ? '' : `\nSignal: ${signal}`,
  ].join('')
  const short = `${start.slice(0, HEAD_CHARS)}${PLACEHOLDER_MARK}${owner}.${index}.${tail.length}${PLACEHOLDER_MARK}${tail}`
  // A copy: a slice would keep the whole text in memory.
  return start.length > SMALL_CHARS ? JSON.parse(JSON.stringify(short)) : short
}

/** The text, with each placeholder replaced by the result of `read`. */
export function replacePlaceholders(text: string, read: (name: TextName) => string | undefined): string {
  if (!text.includes(PLACEHOLDER_MARK)) return text
  let result = ''
  let done = 0
  for (const match of text.matchAll(TEXT_PLACEHOLDER)) {
    const [mark, owner = '', index, tailLength] = match
    const whole = read({ owner, index: Number(index) })
    if (whole === undefined) continue
    result += text.slice(done, Math.max(match.index - HEAD_CHARS, 0)) + whole
    done = match.index + mark.length + Number(tailLength)
  }
  return result + text.slice(done)
}

/** Where a text mentions a saved output: in this many characters at its start or end. */
const MENTION_CHARS = 16_384
/** Enough bytes for 128 characters, the most that are examined or kept in a placeholder. */
const START_BYTES = 400
/** Enough bytes for the 2,000 characters that contain exit code and signal. */
const END_BYTES = 6_000
const TAIL_WORDS = ['Exit Code: ', 'Signal: ']

/** The first and the last characters; for shorter texts both are the whole. */
interface TextEnds {
  start: string
  end: string
}

function endsOf(text: string): TextEnds {
  return { start: text.slice(0, MENTION_CHARS), end: text.slice(-MENTION_CHARS) }
}

/** Only as much as gives the same result as the whole. */
function endsOfRaw(raw: RawText): TextEnds {
  if (raw.mayHold(MENTION_WORDS, MENTION_CHARS)) return endsOf(raw.decode())
  return {
    start: raw.start(START_BYTES),
    end: raw.mayHold(TAIL_WORDS, END_BYTES) ? raw.end(END_BYTES) : '',
  }
}

/** The start in its placeholder is as informative, and it does not mention a file with the whole output. */
function isDispensable({ start, end }: TextEnds): boolean {
  if (start.slice(0, 64).trimStart().length < 32) return false
  if (TAIL_WORDS.some((words) => start.slice(0, 128).includes(words))) return false
  return !hasMention(start) && !(start.length === MENTION_CHARS && hasMention(end))
}

/** "Full output saved to: …", in the wording of all versions. */
const MENTION_WORDS = ['full ', 'Full ']
const MENTION = /full (?:output|string) (?:available at|saved to|has been saved to|see):/i

function hasMention(text: string): boolean {
  // The search for a word is several times faster than the expression, and usually finds nothing.
  return MENTION_WORDS.some((word) => text.includes(word)) && MENTION.test(text)
}

/** Returns the value of a placeholder; undefined if it belongs to another file. */
type ReadText = (name: TextName) => unknown

/** Restores the large texts of the message. */
export function restoreMessage(message: Message, read: ReadText): Message {
  return {
    ...message,
    content: message.content.map((part) => restorePart(part, read)),
    toolCalls: message.toolCalls.map((call) => restoreCall(call, read)),
  }
}

function restoreCall(call: ToolCall, read: ReadText): ToolCall {
  return {
    ...call,
    output: restoreOutput(call.output, read),
    display: call.display === null ? null : restoreOutput(call.display, read),
    extraParts: call.extraParts.map((part) => restorePart(part, read)),
  }
}

function restorePart(part: Part, read: ReadText): Part {
  switch (part.kind) {
    case 'text':
      return { ...part, text: restoreText(part.text, read) }
    case 'image':
    case 'audio':
    case 'file': {
      const data = restoreNullable(part.data, read)
      return data === null ? part : { ...part, data, sizeBytes: toSizeBytes(data) }
    }
    case 'unknown':
      return { ...part, json: restoreJson(part.json, read) }
    case 'code':
      return part
  }
}

function restoreOutput(output: ToolOutput, read: ReadText): ToolOutput {
  switch (output.kind) {
    case 'text':
    case 'markdown':
    case 'error':
      return { ...output, text: restoreText(output.text, read) }
    case 'diff': {
      const fileDiff = restoreText(output.fileDiff, read)
      return {
        ...output,
        fileDiff,
        originalContent: restoreNullable(output.originalContent, read),
        newContent: restoreNullable(output.newContent, read),
        // A rebuilt diff is counted from its two contents, which are arguments.
        ...(fileDiff === output.fileDiff ? {} : countDiffLines(fileDiff)),
      }
    }
    case 'ansi':
      return restoreTerminal(output, read)
    case 'unknown':
      return { ...output, json: restoreJson(output.json, read) }
    case 'todos':
    case 'search':
    case 'list':
    case 'subagent':
    case 'image':
    case 'empty':
      return output
  }
}

function restoreTerminal(output: ToolOutput & { kind: 'ansi' }, read: ReadText): ToolOutput {
  let lines: unknown
  replacePlaceholders(output.lines[0]?.[0]?.text ?? '', (name) => {
    lines = read(name)
    return undefined
  })
  return toAnsiLines(lines) ?? output
}

function restoreText(text: string, read: ReadText): string {
  return replacePlaceholders(text, (name) => {
    const whole = read(name)
    return typeof whole === 'string' ? whole : undefined
  })
}

function restoreNullable(text: string | null, read: ReadText): string | null {
  return text === null ? null : restoreText(text, read)
}

function restoreJson(value: unknown, read: ReadText): unknown {
  if (typeof value === 'string') return restoreText(value, read)
  if (Array.isArray(value)) return value.map((item) => restoreJson(item, read))
  if (!isRawObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, restoreJson(item, read)]))
}
