import { isRawObject, type RawObject } from '../../raw/raw-object.ts'
import { decodeText, isBlankByte, joinBytes } from '../json/bytes.ts'
import { JSON_BYTES } from '../json/json-bytes.ts'
import { StringScanner } from '../json/string-scanner.ts'
import { RawText } from './raw-text.ts'

/** No text of a file begins so: it is made anew in every run. */
const MARK = `cut-${Math.random().toString(36).slice(2)}-`
const encoder = new TextEncoder()
/** What is left of a row is parsed in one piece, so it must not be many values. */
const MOST_LEFT_BYTES = 1024 * 1024

/**
 * One object of JSON whose long texts were not decoded: marks stand in their places until `restore`. What the rest
 * holds is what `JSON.parse` makes of it.
 */
export class CutRow {
  readonly row: RawObject
  readonly #texts: readonly RawText[]

  private constructor(row: RawObject, texts: readonly RawText[]) {
    this.row = row
    this.#texts = texts
  }

  /** null: there is no long text in it, too much else, or it is no object. */
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

  /** The long text that this value stands for; undefined for any other value. */
  textOf(value: unknown): RawText | undefined {
    return typeof value === 'string' && value.startsWith(MARK)
      ? this.#texts[Number(value.slice(MARK.length))]
      : undefined
  }

  /** Puts the long texts that were not put aside back, wherever their marks stand in this part of the row. */
  restore(part: object = this.row): void {
    if (this.#texts.every(({ isPutAside }) => isPutAside)) return
    // No recursion: rows can be nested deeper than the stack is.
    const todo = [part]
    for (let parent = todo.pop(); parent !== undefined; parent = todo.pop()) {
      for (const [name, child] of Object.entries(parent)) {
        if (typeof child === 'object' && child !== null) todo.push(child)
        const text = this.textOf(child)
        // The field is there, so even one that is called `__proto__` is only written.
        if (text) Object.defineProperty(parent, name, { value: text.decode() })
      }
    }
  }
}

/** null: a string does not end, or `JSON.parse` would not take it. */
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
