import { isRawObject, type RawObject } from '../../raw/raw-object.ts'
import type { ByteRange } from '../json/bytes.ts'
import { toAnsiLines } from '../lift/calls/to-ansi-lines.ts'
import { CutRow } from './cut-row.ts'
import type { RawText } from './raw-text.ts'
import { standIn } from './stand-in.ts'
import { endsOf, endsOfRaw, isDispensable, type TextEnds } from './text-ends.ts'
import { textFingerprint } from './text-fingerprint.ts'

/** Where a large value stands: in which row of the file, and where there. */
export type TextPlace = { range: ByteRange } & (
  | {
      /** Of a string with its quotes, within the row. */
      at: ByteRange
    }
  | {
      /** The fields that lead to it. */
      path: Path
      /** Characters, or rows of a terminal: what is found there later must be as long. */
      length: number
    }
)

type Path = readonly (string | number)[]

/** What is needed to find large texts again. Plain JSON. */
export interface PlacedTexts {
  /** Random: made anew by each reading. */
  owner: string
  places: TextPlace[]
  /** About how many bytes were put aside. */
  length: number
  /** Where the messages of a JSON document stand, by index; empty for small ones, which are parsed in one piece. */
  documentRows: ByteRange[]
}

/** Shorter ones are worth no second reading. */
const LARGE_TEXT_CHARS = 1024

/** How 0.27 begins where it flattened a result into a text; in a file each character is six bytes at most. */
const FLAT_RESULT = '[Function Response: '

/**
 * Takes large texts out of the rows of one file while it is read: tool outputs, diffs, terminals, pictures. What stands
 * for them is small, so a session of any size can be held; they are read again when somebody asks (`restoreMessage`).
 * What a person or the model says, and the arguments of calls, stays.
 */
export class LargeTexts implements PlacedTexts {
  readonly owner = newOwner()
  readonly places: TextPlace[] = []
  length = 0
  readonly documentRows: ByteRange[] = []
  /** Up to 0.27 results could be flattened into one text; only the whole outputs tell what it repeats. */
  hasFlatResults = false
  readonly #largeChars: number
  readonly #paths = new Map<string, Path>()
  /** By fingerprint: texts in `content` are compared with each other, so equal ones must have one stand-in. */
  readonly #shared = new Map<string, string>()
  /** The row that is looked at, where its long texts were not decoded. */
  #cut: CutRow | null = null

  constructor(largeChars = LARGE_TEXT_CHARS) {
    this.#largeChars = largeChars
  }

  /** The row without its large texts, most of which are never decoded. null: it has none, or must be parsed otherwise. */
  parse(bytes: Uint8Array, range: ByteRange): RawObject | null {
    this.#cut = bytes.length < this.#largeChars ? null : CutRow.parse(bytes, this.#largeChars)
    if (this.#cut === null) return null
    const { row } = this.#cut
    this.putAside(row, range)
    this.#cut.restore()
    this.#cut = null
    return row
  }

  /** Changes the row of a message, the rows of a rewrite, or those within a whole conversation. */
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
    // Whether a file was new, the words of `write_file` tell.
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
      const short = this.#standIn(ends, { ...at, range: place.range }, text.length, fingerprint)
      Object.assign(parent, { [field]: short })
    }
  }

  #replaceRaw(parent: RawObject, field: string, raw: RawText, { range, isShared }: Place): void {
    const ends = endsOfRaw(raw)
    if (!isDispensable(ends)) return
    const fingerprint = isShared ? raw.fingerprint() : null
    const short = this.#standIn(ends, { range, at: raw.range }, raw.sizeBytes, fingerprint)
    raw.isPutAside = true
    Object.assign(parent, { [field]: short })
  }

  /** One token that stands for all lines. */
  #terminal(call: RawObject, lines: readonly unknown[], { range, path }: Place): void {
    this.#cut?.restore(lines)
    const terminal = toAnsiLines(lines)
    if (terminal?.kind !== 'ansi') return
    const text = terminal.lines.map((line) => line.map((token) => token.text).join('')).join('\n')
    const ends = endsOf(text)
    if (text.length < this.#largeChars || !isDispensable(ends)) return
    const place = { range, path: this.#onePath(path), length: lines.length }
    Object.assign(call, { resultDisplay: [[{ text: this.#standIn(ends, place, text.length, null) }]] })
  }

  #standIn(ends: TextEnds, place: TextPlace, length: number, fingerprint: string | null): string {
    const known = fingerprint === null ? undefined : this.#shared.get(fingerprint)
    if (known !== undefined) return known
    const index = this.places.push(place) - 1
    this.length += length
    const made = standIn(ends.start, { owner: this.owner, index }, ends.end)
    if (fingerprint !== null) this.#shared.set(fingerprint, made)
    return made
  }

  /** Thousands of texts stand at a few dozen paths. */
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

/** A response of plain fields. One that is nested may be kept as one JSON text, and one with two texts as both in one. */
function isPlainResponse(response: RawObject): boolean {
  if (typeof response.error === 'string' && typeof response.output === 'string') return false
  return Object.values(response).every((value) => typeof value !== 'object' || value === null)
}
