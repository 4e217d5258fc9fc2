import { copyBytes } from './copy-bytes.ts'
import { countValues } from './count-values.ts'
import { cutMark } from './cut-mark.ts'
import { decodeText } from './decode-text.ts'
import { joinBytes } from './join-bytes.ts'
import { JSON_BYTES } from './json-bytes.ts'
import { JSON_STREAM_LIMITS, type JsonStreamLimits } from './json-stream-limits.ts'
import { LongText } from './long-text.ts'
import { ValueScanner } from './value-scanner.ts'

/** Nine levels lead from a file to the output of a call. Deeper ones are parsed in one piece. */
const MAX_OPEN_DEPTH = 12
/** An object and a list in it: a session and its messages. */
const SALVAGED_DEPTH = 2
/** The same: rows stand in such a list. */
const ROW_DEPTH = SALVAGED_DEPTH
/** Larger rows that nobody else read are opened all the same. */
const MOST_AT_ONCE_BYTES = 1024 * 1024
/** The field that a list of messages is, in the root or in an object there. */
const RECORDS = 'messages'
const RECORDS_DEPTH = 2
/** The field that the bytes of a picture or a film are. */
const MEDIA = 'data'

/** Where a value stands: offsets of its first byte and of the one behind its last. */
export interface ByteRange {
  start: number
  end: number
}

/** An open list or object. */
interface Frame {
  start: number
  list: unknown[] | null
  fields: Record<string, unknown>
  /** Name of the field whose value comes next. */
  name: string
  /** Fields or items that are held. */
  count: number
  /** Others follow them. */
  isCut: boolean
  /** It is a list of messages, each of which is a record of its own. */
  isOfRecords: boolean
  /** How deep in its record; 0: it is the record. */
  level: number
  expects: 'first' | 'name' | 'colon' | 'value' | 'comma'
}

/** The value that is being read. */
interface Leaf {
  start: number
  isName: boolean
  firstByte: number
  scanner: ValueScanner
  pieces: Uint8Array[]
  sizeBytes: number
  text: LongText | null
}

/** May put something smaller in the place of an item of an opened list, given the names of the fields that lead to it. */
export type OnItem = (names: readonly string[], item: unknown, range: ByteRange) => unknown

/**
 * May parse an object in a list of the root, which is then not given to `OnItem`. undefined: it is parsed as any value.
 * The bytes are only lent for the call.
 */
export type ReadRow = (names: readonly string[], bytes: Uint8Array, range: ByteRange) => unknown

/**
 * `JSON.parse` for one object or list of any size that arrives in pieces: holds what was parsed and a few KB of bytes.
 * Small values are parsed in one go; larger ones are opened and their values parsed one by one.
 */
export class JsonStream {
  /** Sizes of values beyond a limit. What is held of them ends in a mark (`cutMark`). */
  readonly tooLargeBytes: number[] = []
  readonly #limits: JsonStreamLimits
  readonly #onItem: OnItem | undefined
  readonly #readRow: ReadRow | undefined
  readonly #frames: Frame[] = []
  #leaf: Leaf | null = null
  /** Looks for the end of an object or a list of which no more is held: the rest is not even read. */
  #surplus: ValueScanner | null = null
  /** In the record that is being read, as far as it is opened. */
  #values = 0
  #state: 'blank' | 'open' | 'complete' | 'broken' = 'blank'
  #value: unknown
  #isStarted = false
  /** Offset of the first of the bytes that are being read, and of what comes next. */
  #offset = 0
  #nextOffset = 0

  constructor(onItem?: OnItem, limits: JsonStreamLimits = JSON_STREAM_LIMITS, readRow?: ReadRow) {
    this.#onItem = onItem
    this.#readRow = readRow
    this.#limits = limits
  }

  /** `broken`: what came so far cannot be the start of a JSON object or list. */
  get state(): 'blank' | 'open' | 'complete' | 'broken' {
    return this.#state
  }

  /** Undefined until it is complete. */
  get value(): unknown {
    return this.#state === 'complete' ? this.#value : undefined
  }

  /** The first brace or bracket was there. */
  get isStarted(): boolean {
    return this.#isStarted
  }

  /**
   * The bytes are only lent for the call.
   *
   * @param offset where they stand, for who asks where items are
   */
  append(bytes: Uint8Array, offset = this.#nextOffset): void {
    this.#offset = offset
    this.#nextOffset = offset + bytes.length
    this.#attempt(() => this.#read(bytes))
  }

  /**
   * What is whole of a value that is not: the fields of an object and, in the list that was being read, the items. What
   * is cut itself goes, half a text or half a number would pass for what was written.
   */
  salvage(): unknown {
    if (this.#value !== undefined) return this.#value
    while (this.#leaf && isContainer(this.#leaf.firstByte) && this.#frames.length < SALVAGED_DEPTH) {
      const leaf = this.#leaf
      this.#state = 'open'
      this.#attempt(() => this.#divide(leaf))
    }
    const [root, list] = this.#frames
    if (!root || root.list) return undefined
    return list?.list ? { ...root.fields, [root.name]: [...list.list] } : { ...root.fields }
  }

  /** Of the fields that are open; '' for lists. */
  #names(): string[] {
    return this.#frames.slice(0, -1).map((frame) => frame.name)
  }

  #attempt(read: () => void): void {
    try {
      read()
    } catch {
      this.#break()
      // Copied: the last piece was only lent.
      const leaf = this.#leaf
      if (leaf && this.#frames.length < SALVAGED_DEPTH) leaf.pieces = [copyBytes(joinBytes(leaf.pieces))]
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
    const frame = this.#frames.at(-1)
    if (!frame) return this.#startRoot(byte, at)
    if (isEndOf(frame, byte)) {
      this.#endFrame(frame, this.#offset + at + 1)
      return at + 1
    }
    if (frame.expects === 'comma' || frame.expects === 'colon') {
      this.#expect(frame, byte)
      return at + 1
    }
    const isName = frame.list === null && frame.expects !== 'value'
    if (isName && byte !== JSON_BYTES.quote) this.#break()
    else if ((isName || frame.list) && this.#isFull(frame)) this.#surplus = ValueScanner.inside()
    else this.#startLeaf(byte, at, isName)
    return at
  }

  #isFull({ count, isOfRecords, level }: Frame): boolean {
    const { maxRecords, maxEntries, maxValues } = this.#limits
    // Of the record itself all fields are read: without them it would be another one.
    return count === (isOfRecords ? maxRecords : maxEntries) || (level > 0 && this.#values >= maxValues)
  }

  #endFrame(frame: Frame, end: number): void {
    const { start, list, fields, count, isCut, isOfRecords } = frame
    this.#frames.pop()
    if (isCut) {
      this.tooLargeBytes.push(end - start)
      const mark = cutMark(end - start, `${count} ${list ? 'items' : 'fields'}`)
      if (list === null) fields['…'] = mark
      else if (!isOfRecords) list.push(mark)
    }
    this.#place(list ?? fields, { start, end })
  }

  #skipSurplus(scanner: ValueScanner, bytes: Uint8Array, start: number): number {
    const end = scanner.scan(bytes, start)
    if (end === -1) return bytes.length
    this.#surplus = null
    const frame = this.#frames.at(-1)
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
      this.#break()
      return at
    }
    this.#state = 'open'
    this.#isStarted = true
    this.#startLeaf(byte, at, false)
    return at
  }

  #expect(frame: Frame, byte: number): void {
    const { comma, colon } = JSON_BYTES
    if (frame.expects === 'colon' && byte === colon) frame.expects = 'value'
    else if (frame.expects === 'comma' && byte === comma) frame.expects = frame.list ? 'value' : 'name'
    else this.#break()
  }

  #startLeaf(firstByte: number, at: number, isName: boolean): void {
    const scanner = new ValueScanner(firstByte)
    const start = this.#offset + at
    this.#leaf = { start, isName, firstByte, scanner, pieces: [], sizeBytes: 0, text: null }
  }

  #continueLeaf(leaf: Leaf, bytes: Uint8Array, start: number): number {
    const room = this.#roomOf(leaf)
    const reach = bytes.subarray(0, Math.min(bytes.length, start + room))
    const end = leaf.scanner.scan(reach, start)
    const piece = reach.subarray(start, end === -1 ? reach.length : end)
    leaf.sizeBytes += piece.length
    if (end !== -1) {
      this.#endLeaf(leaf, piece)
      return end
    }
    if (piece.length === room && isContainer(leaf.firstByte) && leaf.pieces.length === 0) {
      // All of it is at hand, so nothing has to be kept to read it again.
      this.#open(leaf)
      return start + 1
    }
    if (leaf.text) leaf.text.append(piece)
    else if (leaf.sizeBytes <= this.#limits.maxLeafBytes) {
      // Copied: the caller may reuse its buffer for the next piece.
      leaf.pieces.push(copyBytes(piece))
      if (piece.length === room) this.#divide(leaf)
    } else leaf.pieces = []
    return reach.length
  }

  /** Bytes that may still come before the leaf is divided. */
  #roomOf(leaf: Leaf): number {
    if (leaf.text || leaf.isName) return Number.POSITIVE_INFINITY
    if (leaf.firstByte === JSON_BYTES.quote) return this.#limits.longTextBytes - leaf.sizeBytes
    if (this.#isRow(leaf)) return this.#limits.rowBytes - leaf.sizeBytes
    const isOpened = isContainer(leaf.firstByte) && this.#frames.length < MAX_OPEN_DEPTH
    return isOpened ? this.#limits.openBytes - leaf.sizeBytes : Number.POSITIVE_INFINITY
  }

  #isRow({ firstByte }: Leaf): boolean {
    const isItem = this.#frames.length === ROW_DEPTH && this.#frames.at(-1)?.list !== null
    return this.#readRow !== undefined && isItem && firstByte === JSON_BYTES.objectStart
  }

  #divide(leaf: Leaf): void {
    const bytes = joinBytes(leaf.pieces)
    leaf.pieces = []
    if (leaf.firstByte === JSON_BYTES.quote) {
      const isMedia = this.#frames.at(-1)?.name === MEDIA
      leaf.text = new LongText(isMedia ? this.#limits.maxMediaBytes : this.#limits.maxTextBytes)
      leaf.text.append(bytes.subarray(1))
      return
    }
    const { start } = leaf
    const outerOffset = this.#offset
    this.#open(leaf)
    this.#offset = start + 1
    this.#read(bytes.subarray(1))
    this.#offset = outerOffset
  }

  #open(leaf: Leaf): void {
    this.#leaf = null
    const outer = this.#frames.at(-1)
    const list = leaf.firstByte === JSON_BYTES.listStart ? [] : null
    const isOfRecords = list !== null && this.#frames.length <= RECORDS_DEPTH && outer?.name === RECORDS
    const level = outer === undefined || outer.isOfRecords ? 0 : outer.level + 1
    const { start } = leaf
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

  #endLeaf(leaf: Leaf, lastPiece: Uint8Array): void {
    leaf.pieces.push(lastPiece)
    const range = { start: leaf.start, end: leaf.start + leaf.sizeBytes }
    const isRow = this.#isRow(leaf)
    const row = isRow ? this.#readRow?.(this.#names(), joinBytes(leaf.pieces), range) : undefined
    if (isRow && row === undefined && leaf.sizeBytes > MOST_AT_ONCE_BYTES) {
      this.#divide(leaf)
      return
    }
    // Where this throws, the leaf stays, so that what is whole in it can be saved.
    const value = row ?? this.#readLeaf(leaf, lastPiece)
    this.#leaf = null
    if (leaf.isName) this.#placeName(String(value))
    else if (row === undefined) this.#place(value, range)
    else this.#put(row)
  }

  #readLeaf(leaf: Leaf, lastPiece: Uint8Array): unknown {
    const text = leaf.text?.end(lastPiece.subarray(0, -1)) ?? ''
    const isCut = leaf.text ? leaf.text.isCut : leaf.sizeBytes > this.#limits.maxLeafBytes
    if (isCut) {
      this.tooLargeBytes.push(leaf.sizeBytes)
      return text + cutMark(leaf.sizeBytes, `${leaf.text?.heldBytes ?? 0} bytes`)
    }
    if (leaf.text) return text
    const bytes = joinBytes(leaf.pieces)
    const frame = this.#frames.at(-1)
    // A record that is so small needs no count.
    if (frame && !frame.isOfRecords && isContainer(leaf.firstByte)) this.#values += countValues(bytes)
    return JSON.parse(decodeText(bytes))
  }

  #placeName(name: string): void {
    const frame = this.#frames.at(-1)
    if (!frame) return
    frame.name = name
    frame.expects = 'colon'
  }

  #place(value: unknown, range: ByteRange): void {
    const frame = this.#frames.at(-1)
    this.#put(frame?.list && this.#onItem ? this.#onItem(this.#names(), value, range) : value)
  }

  #put(value: unknown): void {
    const frame = this.#frames.at(-1)
    if (!frame) {
      this.#value = value
      this.#state = 'complete'
      return
    }
    frame.expects = 'comma'
    frame.count += 1
    this.#values = frame.isOfRecords ? 0 : this.#values + 1
    if (frame.list) frame.list.push(value)
    else setField(frame.fields, frame.name, value)
  }

  #break(): void {
    this.#state = 'broken'
  }
}

function isContainer(firstByte: number): boolean {
  return firstByte === JSON_BYTES.objectStart || firstByte === JSON_BYTES.listStart
}

function isEndOf({ list, expects }: Frame, byte: number): boolean {
  const end = list ? JSON_BYTES.listEnd : JSON_BYTES.objectEnd
  return byte === end && (expects === 'first' || expects === 'comma')
}

/** As `JSON.parse` does it: `__proto__` is a field like any other. */
function setField(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') fields[name] = value
  else Object.defineProperty(fields, name, { value, writable: true, enumerable: true, configurable: true })
}

function isJsonBlank(byte: number): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9
}
