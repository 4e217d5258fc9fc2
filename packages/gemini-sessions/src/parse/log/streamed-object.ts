import { isRawObject, type RawObject } from '../../raw/raw-object.ts'
import { JsonStream } from '../json/json-stream.ts'
import type { OnItem, ReadRow } from '../json/json-stream-options.ts'
import type { ParsedLine } from './parse-line.ts'

const NUL = 0
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const ONE_NUL = new Uint8Array(1)

/** A line or a whole file that holds one JSON object, of any length, read while it arrives. */
export class StreamedObject {
  readonly #json: JsonStream
  #isAtStart = true
  /** Bytes of a byte order mark seen so far. */
  #markLength = 0
  /** NULs that stand at the end, so far. A power loss can leave a run of them. */
  #hasNuls = false

  constructor(onItem?: OnItem, readRow?: ReadRow) {
    this.#json = new JsonStream(onItem, undefined, readRow)
  }

  /**
   * The bytes are only lent for the call.
   *
   * @param offset where they stand, for who asks where items are
   */
  append(bytes: Uint8Array, offset = 0): void {
    const start = this.#isAtStart ? this.#skipStart(bytes) : 0
    let end = bytes.length
    while (end > start && bytes[end - 1] === NUL) end -= 1
    if (start < end) {
      if (this.#hasNuls && !this.#isAtStart) this.#json.append(ONE_NUL)
      this.#isAtStart = false
      this.#json.append(bytes.subarray(start, end), offset + start)
    }
    if (end < bytes.length) this.#hasNuls = true
  }

  /** The object as a line of a log. */
  get parsed(): ParsedLine {
    const { state, value, tooLargeBytes } = this.#json
    const row = isRawObject(value) ? value : null
    const isClean = !this.#hasNuls && this.#markLength === 0
    return { row, isBlank: state === 'blank' && isClean, isReadByCli: row !== null && isClean, tooLargeBytes }
  }

  /** Nothing but blanks and NULs. */
  get isBlank(): boolean {
    return this.#json.state === 'blank'
  }

  /**
   * What is wrong with what begins as JSON does: it ends too early (`cut`), continues as JSON does not (`broken`), or is whole
   * and something else follows it (`followed`). null: nothing.
   */
  get damage(): 'cut' | 'broken' | 'followed' | null {
    const { isStarted, value, end, state } = this.#json
    if (!isStarted || value !== undefined) return null
    if (end !== null) return 'followed'
    return state === 'broken' ? 'broken' : 'cut'
  }

  /** Offset behind the object, once that is whole; more may follow. */
  get end(): number | null {
    return this.#json.end
  }

  /** The object, whatever follows it. null: it is not whole, or there is none. */
  get whole(): RawObject | null {
    return this.#json.end === null ? null : this.salvage()
  }

  /** What is whole of an object that is damaged. */
  salvage(): RawObject | null {
    const saved = this.#json.salvage()
    return isRawObject(saved) ? saved : null
  }

  #skipStart(bytes: Uint8Array): number {
    let at = 0
    for (; at < bytes.length; at += 1) {
      if (bytes[at] === NUL) this.#hasNuls = true
      else if (bytes[at] === BYTE_ORDER_MARK[this.#markLength]) this.#markLength += 1
      else break
    }
    return at
  }
}
