import type { ByteRange } from './bytes.ts'
import { isJsonBlank, JSON_BYTES } from './json-bytes.ts'
import { type JsonFrame, JsonFrames } from './json-frames.ts'
import { JsonLeaf } from './json-leaf.ts'
import {
  JSON_STREAM_LIMITS,
  type JsonStreamLimits,
  type OnItem,
  type ReadRow,
} from './json-stream-options.ts'
import { ValueScanner } from './value-scanner.ts'

/** Nine levels lead from a file to the output of a call. Deeper ones are parsed in one piece. */
const MAX_OPEN_DEPTH = 12
/** An object and a list in it: a session and its messages. */
const SALVAGED_DEPTH = 2
/** The same: rows stand in such a list. */
const ROW_DEPTH = SALVAGED_DEPTH
/** Larger rows that nobody else read are opened all the same. */
const MOST_AT_ONCE_BYTES = 1024 * 1024
/** The field that the bytes of a picture or a film are. */
const MEDIA = 'data'

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
  readonly #frames: JsonFrames
  #leaf: JsonLeaf | null = null
  /** Looks for the end of an object or a list of which no more is held: the rest is not even read. */
  #surplus: ValueScanner | null = null
  #state: 'blank' | 'open' | 'complete' | 'broken' = 'blank'
  #value: unknown
  #isStarted = false
  #end: number | null = null
  /** Offset of the first of the bytes that are being read, and of what comes next. */
  #offset = 0
  #nextOffset = 0

  constructor(onItem?: OnItem, limits: JsonStreamLimits = JSON_STREAM_LIMITS, readRow?: ReadRow) {
    this.#onItem = onItem
    this.#readRow = readRow
    this.#limits = limits
    this.#frames = new JsonFrames(limits)
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

  /** Offset behind the object or list, once that is whole; more may follow. */
  get end(): number | null {
    return this.#end
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
      // Copied: the last piece was only lent.
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
      // All of it is at hand, so nothing has to be kept to read it again.
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
    // Where this throws, the leaf stays, so that what is whole in it can be saved.
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
    // A record that is so small needs no count.
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
