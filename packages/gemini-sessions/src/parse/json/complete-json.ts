import { type ByteRange, cutMark } from './bytes.ts'
import {
  isJsonBlank,
  JSON_BYTES,
  JSON_STREAM_LIMITS,
  JsonLeaf,
  type JsonStreamLimits,
  type OnItem,
  type ReadRow,
  ValueScanner,
} from './value-scanner.ts'

// Codes instead of characters: this processes the head of every file at the first start.
const BLANK = 0x20
const LINE_BLANKS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d])
const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Parses a JSON text that was cut anywhere: closes open strings, lists and objects, and leaves out a field without its value. Undefined if
 * that is still invalid.
 */
export function completeJson(text: string): unknown {
  const scan = scanOpen(text)
  const candidates = scan.isInString
    ? [`${text.replace(/\\(u[0-9a-fA-F]{0,3})?$/, '')}"`, text.slice(0, scan.safeEnd)]
    : [text, text.slice(0, scan.safeEnd)]
  const closings = [scan.closing, scan.safeClosing]
  for (const [index, candidate] of candidates.entries()) {
    try {
      return JSON.parse(candidate + closings[index])
    } catch {
      // The next candidate drops the last, incomplete field.
    }
  }
  return undefined
}

/** What a JSON text that was cut, or overwritten from some position on, leaves open; stops at the end of its value. */
function scanOpen(text: string): OpenScan {
  let closing = ''
  let isInString = false
  let safeEnd = 0
  let safeClosing = ''
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    // Never valid in JSON: a power failure leaves NULs in place of the rest.
    if (code < BLANK && (isInString || !LINE_BLANKS.has(code))) break
    if (isInString) {
      if (code === BACKSLASH) at += 1
      else if (code === QUOTE) isInString = false
    } else if (code === QUOTE) isInString = true
    else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      closing = (code === OPEN_OBJECT ? '}' : ']') + closing
      safeEnd = at + 1
      safeClosing = closing
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      closing = closing.slice(1)
      safeEnd = at + 1
      safeClosing = closing
      if (closing === '') break
    } else if (code === COMMA) {
      safeEnd = at
      safeClosing = closing
    }
  }
  return { isInString, closing, safeEnd, safeClosing }
}

interface OpenScan {
  isInString: boolean
  /** What closes everything open at the end. */
  closing: string
  /** End of the last complete element, and what closes everything open there. */
  safeEnd: number
  safeClosing: string
}

/** The field with the list of messages, in the root or in an object in it. */
const RECORDS = 'messages'
const RECORDS_DEPTH = 2

/** An open list or object. */
interface JsonFrame {
  start: number
  list: unknown[] | null
  fields: Record<string, unknown>
  /** Name of the field of the next value. */
  name: string
  /** Number of fields or items held. */
  count: number
  /** Further ones are not held. */
  isCut: boolean
  /** It is a list of messages, each of which is a separate record. */
  isOfRecords: boolean
  /** Depth in its record; 0: it is the record. */
  level: number
  expects: 'first' | 'name' | 'colon' | 'value' | 'comma'
}

/** The open lists and objects, each nested in the previous one, and what is held of them. */
class JsonFrames {
  readonly #limits: JsonStreamLimits
  readonly #frames: JsonFrame[] = []
  /** In the current record, as far as it is opened. */
  #values = 0

  constructor(limits: JsonStreamLimits) {
    this.#limits = limits
  }

  get depth(): number {
    return this.#frames.length
  }

  get last(): JsonFrame | undefined {
    return this.#frames[this.#frames.length - 1]
  }

  /** Of the open fields; '' for lists. */
  names(): string[] {
    return this.#frames.slice(0, -1).map((frame) => frame.name)
  }

  /** The complete part of the root: the fields of an object and, in the list being read, the items. */
  salvage(): unknown {
    const [root, list] = this.#frames
    if (!root || root.list) return undefined
    return list?.list ? { ...root.fields, [root.name]: [...list.list] } : { ...root.fields }
  }

  open(start: number, firstByte: number): void {
    const outer = this.last
    const list = firstByte === JSON_BYTES.listStart ? [] : null
    const isOfRecords = list !== null && this.#frames.length <= RECORDS_DEPTH && outer?.name === RECORDS
    const level = outer === undefined || outer.isOfRecords ? 0 : outer.level + 1
    this.#frames.push({
      start,
      list,
      fields: {},
      name: '',
      count: 0,
      isCut: false,
      isOfRecords,
      level,
      expects: 'first',
    })
  }

  /** Closes the last one. If it was cut, it ends in a mark with its size in bytes. */
  close(sizeBytes: number): unknown {
    const frame = this.#frames.pop()
    if (frame === undefined) return undefined
    const { list, fields, count, isCut, isOfRecords } = frame
    if (isCut) {
      const mark = cutMark(sizeBytes, `${count} ${list ? 'items' : 'fields'}`)
      if (list === null) fields['…'] = mark
      else if (!isOfRecords) list.push(mark)
    }
    return list ?? fields
  }

  isFull({ count, isOfRecords, level }: JsonFrame): boolean {
    const { maxRecords, maxEntries, maxValues } = this.#limits
    // All fields of the record itself are read: without them it would be a different one.
    return count === (isOfRecords ? maxRecords : maxEntries) || (level > 0 && this.#values >= maxValues)
  }

  /** The byte ends it. */
  isEnd({ list, expects }: JsonFrame, byte: number): boolean {
    const end = list ? JSON_BYTES.listEnd : JSON_BYTES.objectEnd
    return byte === end && (expects === 'first' || expects === 'comma')
  }

  /** Accepts a byte between values. false: it is invalid here. */
  accept(frame: JsonFrame, byte: number): boolean {
    const { comma, colon } = JSON_BYTES
    if (frame.expects === 'colon' && byte === colon) frame.expects = 'value'
    else if (frame.expects === 'comma' && byte === comma) frame.expects = frame.list ? 'value' : 'name'
    else return false
    return true
  }

  /** Sets the field of the next value. */
  name(name: string): void {
    const frame = this.last
    if (!frame) return
    frame.name = name
    frame.expects = 'colon'
  }

  /** Counts values that were parsed in one piece. */
  noteValues(bytes: Uint8Array): void {
    this.#values += countValues(bytes)
  }

  put(frame: JsonFrame, value: unknown): void {
    frame.expects = 'comma'
    frame.count += 1
    this.#values = frame.isOfRecords ? 0 : this.#values + 1
    if (frame.list) frame.list.push(value)
    else setField(frame.fields, frame.name, value)
  }
}

/** Like `JSON.parse`, which treats `__proto__` as an ordinary field. */
function setField(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') fields[name] = value
  else Object.defineProperty(fields, name, { value, writable: true, enumerable: true, configurable: true })
}

/** Approximate number of values in these bytes of JSON: commas, lists and objects outside of strings. */
function countValues(bytes: Uint8Array): number {
  let count = 1
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === JSON_BYTES.comma || byte === JSON_BYTES.listStart || byte === JSON_BYTES.objectStart)
      count += 1
    else if (byte === JSON_BYTES.quote) at = endOfText(bytes, at + 1)
  }
  return count
}

function endOfText(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== JSON_BYTES.quote) at += bytes[at] === JSON_BYTES.backslash ? 2 : 1
  return at
}

/** The output of a call is nine levels deep in a file. Deeper values are parsed in one piece. */
const MAX_OPEN_DEPTH = 12
/** An object and a list in it: a session and its messages. */
const SALVAGED_DEPTH = 2
/** The same: rows are in such a list. */
const ROW_DEPTH = SALVAGED_DEPTH
/** Larger rows that were not read otherwise are opened. */
const MOST_AT_ONCE_BYTES = 1024 * 1024
/** The field with the bytes of an image or video. */
const MEDIA = 'data'

/**
 * `JSON.parse` for one object or list of any size that arrives in pieces: holds what was parsed and a few KB of bytes. Small values are
 * parsed in one piece; larger ones are opened and their values parsed one by one.
 */
export class JsonStream {
  /** Sizes of values beyond a limit. What is held of them ends in a mark (`cutMark`). */
  readonly tooLargeBytes: number[] = []
  readonly #limits: JsonStreamLimits
  readonly #onItem: OnItem | undefined
  readonly #readRow: ReadRow | undefined
  readonly #frames: JsonFrames
  #leaf: JsonLeaf | null = null
  /** Finds the end of an object or list whose remaining content is not held: the rest is not even parsed. */
  #surplus: ValueScanner | null = null
  #state: 'blank' | 'open' | 'complete' | 'broken' = 'blank'
  #value: unknown
  #isStarted = false
  #end: number | null = null
  /** Offset of the bytes being read, and of the next ones. */
  #offset = 0
  #nextOffset = 0

  constructor(onItem?: OnItem, limits: JsonStreamLimits = JSON_STREAM_LIMITS, readRow?: ReadRow) {
    this.#onItem = onItem
    this.#readRow = readRow
    this.#limits = limits
    this.#frames = new JsonFrames(limits)
  }

  /** `broken`: the bytes so far cannot be the start of a JSON object or list. */
  get state(): 'blank' | 'open' | 'complete' | 'broken' {
    return this.#state
  }

  /** Undefined until it is complete. */
  get value(): unknown {
    return this.#state === 'complete' ? this.#value : undefined
  }

  /** The first brace or bracket has been read. */
  get isStarted(): boolean {
    return this.#isStarted
  }

  /** Offset after the object or list, once complete; more may follow. */
  get end(): number | null {
    return this.#end
  }

  /**
   * The bytes are only valid during the call.
   *
   * @param offset their position, for callers that need the positions of items
   */
  append(bytes: Uint8Array, offset = this.#nextOffset): void {
    this.#offset = offset
    this.#nextOffset = offset + bytes.length
    this.#attempt(() => this.#read(bytes))
  }

  /**
   * The complete part of an incomplete value: the fields of an object and, in the list being read, the items. Drops the cut value itself,
   * since half a text or number would look like a whole one.
   */
  salvage(): unknown {
    if (this.#value !== undefined) return this.#value
    while (this.#leaf?.isContainer && this.#frames.depth < SALVAGED_DEPTH) {
      const leaf = this.#leaf
      this.#state = 'open'
      this.#attempt(() => this.#divide(leaf))
    }
    return this.#frames.salvage()
  }

  #attempt(read: () => void): void {
    try {
      read()
    } catch {
      this.#state = 'broken'
      // Copied: the last piece is only valid during the call.
      const leaf = this.#leaf
      if (leaf && this.#frames.depth < SALVAGED_DEPTH) leaf.own()
    }
  }

  #read(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && this.#state !== 'broken'; ) {
      if (this.#surplus) at = this.#skipSurplus(this.#surplus, bytes, at)
      else at = this.#leaf ? this.#continueLeaf(this.#leaf, bytes, at) : this.#step(bytes, at)
    }
  }

  /** Reads one byte between values. */
  #step(bytes: Uint8Array, at: number): number {
    const byte = bytes[at] ?? 0
    if (isJsonBlank(byte)) return at + 1
    const frame = this.#frames.last
    if (!frame) return this.#startRoot(byte, at)
    if (this.#frames.isEnd(frame, byte)) {
      this.#endFrame(frame, this.#offset + at + 1)
      return at + 1
    }
    if (frame.expects === 'comma' || frame.expects === 'colon') {
      if (!this.#frames.accept(frame, byte)) this.#state = 'broken'
      return at + 1
    }
    const isName = frame.list === null && frame.expects !== 'value'
    if (isName && byte !== JSON_BYTES.quote) this.#state = 'broken'
    else if ((isName || frame.list) && this.#frames.isFull(frame)) this.#surplus = ValueScanner.inside()
    else this.#startLeaf(byte, at, isName)
    return at
  }

  #endFrame({ start, isCut }: JsonFrame, end: number): void {
    const value = this.#frames.close(end - start)
    if (isCut) this.tooLargeBytes.push(end - start)
    this.#place(value, { start, end })
  }

  #skipSurplus(scanner: ValueScanner, bytes: Uint8Array, start: number): number {
    const end = scanner.scan(bytes, start)
    if (end === -1) return bytes.length
    this.#surplus = null
    const frame = this.#frames.last
    if (frame) {
      frame.isCut = true
      frame.expects = 'comma'
    }
    // at the brace or bracket, which ends it
    return end - 1
  }

  #startRoot(byte: number, at: number): number {
    const isStart = byte === JSON_BYTES.objectStart || byte === JSON_BYTES.listStart
    if (this.#state !== 'blank' || !isStart) {
      this.#state = 'broken'
      return at
    }
    this.#state = 'open'
    this.#isStarted = true
    this.#startLeaf(byte, at, false)
    return at
  }

  #startLeaf(firstByte: number, at: number, isName: boolean): void {
    this.#leaf = new JsonLeaf(this.#offset + at, firstByte, isName, this.#limits)
  }

  #continueLeaf(leaf: JsonLeaf, bytes: Uint8Array, start: number): number {
    const room = leaf.room(this.#isRow(leaf), this.#frames.depth < MAX_OPEN_DEPTH)
    const reach = bytes.subarray(0, Math.min(bytes.length, start + room))
    const end = leaf.scanner.scan(reach, start)
    const piece = reach.subarray(start, end === -1 ? reach.length : end)
    leaf.sizeBytes += piece.length
    if (end !== -1) {
      this.#endLeaf(leaf, piece)
      return end
    }
    if (piece.length === room && leaf.isContainer && leaf.isEmpty) {
      // All of it is available, so nothing has to be kept for reading again.
      this.#open(leaf)
      return start + 1
    }
    if (leaf.keep(piece) && piece.length === room) this.#divide(leaf)
    return reach.length
  }

  #isRow({ firstByte }: JsonLeaf): boolean {
    const isItem = this.#frames.depth === ROW_DEPTH && this.#frames.last?.list !== null
    return this.#readRow !== undefined && isItem && firstByte === JSON_BYTES.objectStart
  }

  #divide(leaf: JsonLeaf): void {
    if (leaf.firstByte === JSON_BYTES.quote) {
      const isMedia = this.#frames.last?.name === MEDIA
      leaf.decode(isMedia ? this.#limits.maxMediaBytes : this.#limits.maxTextBytes)
      return
    }
    const bytes = leaf.takeBytes()
    const { start } = leaf
    const outerOffset = this.#offset
    this.#open(leaf)
    this.#offset = start + 1
    this.#read(bytes.subarray(1))
    this.#offset = outerOffset
  }

  #open({ start, firstByte }: JsonLeaf): void {
    this.#leaf = null
    this.#frames.open(start, firstByte)
  }

  #endLeaf(leaf: JsonLeaf, lastPiece: Uint8Array): void {
    const bytes = leaf.end(lastPiece)
    const range = { start: leaf.start, end: leaf.start + leaf.sizeBytes }
    const isRow = this.#isRow(leaf)
    const row = isRow ? this.#readRow?.(this.#frames.names(), bytes, range) : undefined
    if (isRow && row === undefined && leaf.sizeBytes > MOST_AT_ONCE_BYTES) {
      this.#divide(leaf)
      return
    }
    // If this throws, the leaf stays, so that its complete part can be salvaged.
    const value = row ?? this.#parse(leaf, bytes)
    this.#leaf = null
    if (leaf.isName) this.#frames.name(String(value))
    else if (row === undefined) this.#place(value, range)
    else this.#put(row)
  }

  #parse(leaf: JsonLeaf, bytes: Uint8Array): unknown {
    const value = leaf.parse(bytes)
    const frame = this.#frames.last
    if (leaf.isCut) this.tooLargeBytes.push(leaf.sizeBytes)
    // A record this small needs no count.
    else if (frame && !frame.isOfRecords && leaf.isContainer) this.#frames.noteValues(bytes)
    return value
  }

  #place(value: unknown, range: ByteRange): void {
    const frame = this.#frames.last
    if (!frame) this.#end = range.end
    this.#put(frame?.list && this.#onItem ? this.#onItem(this.#frames.names(), value, range) : value)
  }

  #put(value: unknown): void {
    const frame = this.#frames.last
    if (frame) {
      this.#frames.put(frame, value)
      return
    }
    this.#value = value
    this.#state = 'complete'
  }
}
