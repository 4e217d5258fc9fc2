import { isRawObject, type RawObject } from '../../raw/raw-object.ts'
import type { ByteRange } from '../json/json-stream.ts'
import { toAnsiLines } from '../lift/to-ansi-lines.ts'
import { isPlainResponse } from './is-plain-response.ts'
import { standIn } from './stand-in.ts'
import { textFingerprint } from './text-fingerprint.ts'

/** Where a large value stands: in which row of the file, and which fields lead to it there. */
export interface TextPlace {
  range: ByteRange
  path: Path
  /** Characters, or rows of a terminal: what is found there later must be as long. */
  length: number
}

type Path = readonly (string | number)[]

/** Shorter ones are worth no second reading. */
const LARGE_TEXT_CHARS = 1024

/** Where in a text such a file is named: in so many characters at its start or end. */
const MENTION_CHARS = 16_384

let lastOwner = 0

/**
 * Takes large texts out of the rows of one file while it is read: tool outputs, diffs, terminals, pictures. What stands
 * for them is small, so a session of any size can be held; they are read again when somebody asks (`restoreMessage`).
 * What a person or the model says, and the arguments of calls, stays.
 */
export class LargeTexts {
  readonly owner = ++lastOwner
  readonly places: TextPlace[] = []
  /** Characters put aside. */
  length = 0
  /** Where the messages of a JSON document stand, by index; empty for small ones, which are parsed in one piece. */
  readonly documentRows: ByteRange[] = []
  /** Up to 0.27 results could be flattened into one text; only the whole outputs tell what it repeats. */
  hasFlatResults = false
  readonly #largeChars: number
  readonly #paths = new Map<string, Path>()
  /** By fingerprint: texts in `content` are compared with each other, so equal ones must have one stand-in. */
  readonly #shared = new Map<string, string>()

  constructor(largeChars = LARGE_TEXT_CHARS) {
    this.#largeChars = largeChars
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
    this.hasFlatResults ||= toList(row.content).some(isFlatResult)
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

  #replace(parent: RawObject, field: string, place: Place): void {
    const text = parent[field]
    if (typeof text !== 'string' || text.length < this.#largeChars || !isDispensable(text)) return
    const short = this.#standIn(text, text.length, { ...place, path: [...place.path, field] })
    Object.assign(parent, { [field]: short })
  }

  /** One token that stands for all lines. */
  #terminal(call: RawObject, lines: readonly unknown[], place: Place): void {
    const terminal = toAnsiLines(lines)
    if (terminal?.kind !== 'ansi') return
    const text = terminal.lines.map((line) => line.map((token) => token.text).join('')).join('\n')
    if (text.length < this.#largeChars || !isDispensable(text)) return
    Object.assign(call, { resultDisplay: [[{ text: this.#standIn(text, lines.length, place) }]] })
  }

  #standIn(text: string, length: number, { range, path, isShared }: Place): string {
    const fingerprint = isShared ? textFingerprint(text) : null
    const known = fingerprint === null ? undefined : this.#shared.get(fingerprint)
    if (known !== undefined) return known
    const index = this.places.push({ range, path: this.#onePath(path), length }) - 1
    this.length += text.length
    const made = standIn(text, { owner: this.owner, index })
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

function toList(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content : [content]
}

function isFlatResult(part: unknown): boolean {
  const text = isRawObject(part) ? part.text : part
  return typeof text === 'string' && text.startsWith('[Function Response: ')
}

/** What its stand-in begins with tells as much as itself, and it does not name a file that holds the whole output. */
function isDispensable(text: string): boolean {
  const start = text.slice(0, MENTION_CHARS)
  if (start.slice(0, 64).trimStart().length < 32 || start.slice(0, 128).includes('Exit Code: ')) return false
  return !hasMention(start) && !(text.length > MENTION_CHARS && hasMention(text.slice(-MENTION_CHARS)))
}

/** "Full output saved to: …", in the words of all versions. */
const MENTION = /full (?:output|string) (?:available at|saved to|has been saved to|see):/i

function hasMention(text: string): boolean {
  // The search for a word is several times faster than the expression, and mostly finds none.
  return (text.includes('full ') || text.includes('Full ')) && MENTION.test(text)
}
