import { type ByteSource, isPageSize, readWal, type WalPages } from './byte-source.ts'

/** One row of a table: its row id and its record. */
export interface TreeRow {
  rowid: number
  payload: Payload
}

const INTERIOR = 5
const LEAF = 13
/** The limit of SQLite itself. */
const MAX_DEPTH = 20

/** The rows of a table by row id, one at a time. Each is valid until the next is read. @throws {DatabaseDamage} */
export function* walkTree(pages: PageFile, root: number): Generator<TreeRow> {
  const met = new MetPages(pages.pageCount)
  let last = Number.NEGATIVE_INFINITY
  for (const row of walkPage(pages, root, met, 0)) {
    if (row.rowid <= last) throw new DatabaseDamage('Rows of a table are out of order.')
    last = row.rowid
    yield row
  }
}

function* walkPage(pages: PageFile, number: number, met: MetPages, depth: number): Generator<TreeRow> {
  const page = new TreePage(pages, number, met, depth)
  for (let index = 0; index < page.cells; index++) {
    if (page.isLeaf) yield page.row(index)
    else yield* walkPage(pages, page.child(index), met, depth + 1)
  }
  if (!page.isLeaf) yield* walkPage(pages, page.child(page.cells), met, depth + 1)
}

/** The row with this id, else the last one before it; `Infinity` for the last of all. null if none. @throws {DatabaseDamage} */
export function seekRow(pages: PageFile, root: number, rowid: number): TreeRow | null {
  const met = new MetPages(pages.pageCount)
  let page = new TreePage(pages, root, met, 0)
  for (let depth = 1; !page.isLeaf; depth++) {
    const child = page.firstAtLeast(rowid)
    page = new TreePage(pages, page.child(child), met, depth)
  }
  const index = page.firstAtLeast(rowid)
  if (index < page.cells && page.rowid(index) === rowid) return page.row(index)
  return index === 0 ? null : page.row(index - 1)
}

class TreePage {
  readonly isLeaf: boolean
  readonly cells: number
  readonly #pages: PageFile
  readonly #number: number
  readonly #met: MetPages
  readonly #bytes: Buffer
  readonly #header: number

  constructor(pages: PageFile, number: number, met: MetPages, depth: number) {
    if (depth > MAX_DEPTH) throw new DatabaseDamage('A table is nested too deep.', number)
    met.add(number)
    this.#pages = pages
    this.#number = number
    this.#met = met
    this.#bytes = pages.page(number)
    this.#header = number === 1 ? 100 : 0
    const kind = this.#bytes.readUInt8(this.#header)
    if (kind !== LEAF && kind !== INTERIOR)
      throw new DatabaseDamage(`Page ${number} is no page of a table.`, number)
    this.isLeaf = kind === LEAF
    this.cells = this.#bytes.readUInt16BE(this.#header + 3)
    if (this.#cellPointer(this.cells) > pages.usableBytes) throw this.#broken()
  }

  /** The page to the left of a cell; for `cells`: the rightmost one. */
  child(index: number): number {
    return index === this.cells
      ? this.#bytes.readUInt32BE(this.#header + 8)
      : this.#bytes.readUInt32BE(this.#cell(index, 5))
  }

  rowid(index: number): number {
    const cell = this.#cell(index, 2)
    if (!this.isLeaf) return this.#varint(cell + 4).value
    return this.#varint(this.#varint(cell).end).value
  }

  /** The first cell with at least this row id; `cells` if none. */
  firstAtLeast(rowid: number): number {
    let [low, high] = [0, this.cells]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.rowid(middle) >= rowid) high = middle
      else low = middle + 1
    }
    return low
  }

  row(index: number): TreeRow {
    const length = this.#varint(this.#cell(index, 2))
    const rowid = this.#varint(length.end)
    const size = length.value
    const { usableBytes, pageCount, pageSize } = this.#pages
    if (size < 0 || size > pageCount * pageSize) throw this.#broken()
    const localBytes = localLength(size, usableBytes)
    const end = rowid.end + localBytes
    const isSpilled = localBytes < size
    if (end + (isSpilled ? 4 : 0) > usableBytes) throw this.#broken()
    const overflow = isSpilled ? this.#bytes.readUInt32BE(end) : 0
    const local = this.#bytes.subarray(rowid.end, end)
    return { rowid: rowid.value, payload: new Payload(this.#pages, this.#met, size, local, overflow) }
  }

  #cell(index: number, minBytes: number): number {
    const place = this.#bytes.readUInt16BE(this.#cellPointer(index))
    if (place < this.#cellPointer(this.cells) || place + minBytes > this.#pages.usableBytes)
      throw this.#broken()
    return place
  }

  #cellPointer(index: number): number {
    return this.#header + (this.isLeaf ? 8 : 12) + 2 * index
  }

  #varint(place: number): Varint {
    const varint = readVarint(this.#bytes, place)
    if (varint === null) throw this.#broken()
    return varint
  }

  #broken(): DatabaseDamage {
    return new DatabaseDamage(`Page ${this.#number} is broken.`, this.#number)
  }
}

/** How many bytes of a row are in the leaf itself, by SQLite's file format. */
function localLength(size: number, usableBytes: number): number {
  const max = usableBytes - 35
  if (size <= max) return size
  const min = Math.floor(((usableBytes - 12) * 32) / 255) - 23
  const fitting = min + ((size - min) % (usableBytes - 4))
  return fitting <= max ? fitting : min
}

/** A database that violates its format. `at`: the page (from 1), or '' for the whole file. */
export class DatabaseDamage extends Error {
  override readonly name = 'DatabaseDamage'
  readonly at: string

  constructor(message: string, page?: number) {
    super(message)
    this.at = page === undefined ? '' : `page ${page}`
  }
}

const HEADER_BYTES = 100
const MAGIC = 'SQLite format 3\0'
/** SQLite does not allow reserving so much of a page that less is left. */
const MIN_USABLE_BYTES = 480
/** Number of consecutive pages read at once, which is usual in overflow chains of large steps. */
const MAX_PAGES_AHEAD = 16

/** The pages of an SQLite database, from the WAL if that has a newer copy. Opened by `openPages`. */
export class PageFile {
  readonly pageSize: number
  /** Bytes of a page for content; extensions can reserve the rest. */
  readonly usableBytes: number
  readonly pageCount: number
  /** `PRAGMA user_version` */
  readonly userVersion: number
  readonly #file: ByteSource
  readonly #wal: ByteSource | null
  readonly #places: ReadonlyMap<number, number>
  readonly #walPage: Buffer
  readonly #ahead: Buffer
  #aheadStart = 0
  #aheadLength = 0
  #aheadPages = 1

  /** @throws {DatabaseDamage} */
  constructor(file: ByteSource, wal: ByteSource | null, log: WalPages | null) {
    this.#file = file
    this.#wal = wal
    this.#places = log?.places ?? new Map()
    const header = Buffer.alloc(HEADER_BYTES)
    const inWal = this.#places.get(1)
    const length = inWal === undefined || wal === null ? file.read(header, 0) : wal.read(header, inWal)
    if (length < HEADER_BYTES || header.toString('latin1', 0, 16) !== MAGIC)
      throw new DatabaseDamage('It does not begin as an SQLite database does.')
    const size = header.readUInt16BE(16)
    this.pageSize = size === 1 ? 65_536 : size
    this.usableBytes = this.pageSize - header.readUInt8(20)
    if (!isPageSize(this.pageSize) || this.usableBytes < MIN_USABLE_BYTES)
      throw new DatabaseDamage('Its pages have no possible size.')
    if (log !== null && log.pageSize !== this.pageSize)
      throw new DatabaseDamage('Its WAL has pages of another size.')
    if (header.readUInt32BE(56) > 1) throw new DatabaseDamage('Its texts are not UTF-8.')
    this.userVersion = header.readUInt32BE(60)
    this.pageCount = log?.pageCount ?? Math.floor(file.sizeBytes / this.pageSize)
    this.#walPage = Buffer.allocUnsafeSlow(this.pageSize)
    this.#ahead = Buffer.allocUnsafeSlow(this.pageSize * MAX_PAGES_AHEAD)
  }

  /** A copy of a page. */
  page(number: number): Buffer {
    const bytes = Buffer.allocUnsafeSlow(this.pageSize)
    this.#lend(number).copy(bytes)
    return bytes
  }

  /** Copies part of a page, and returns the number in its first four bytes, the next page of an overflow chain. */
  copyFrom(number: number, target: Uint8Array, targetStart: number, start: number, end: number): number {
    const page = this.#lend(number)
    target.set(page.subarray(start, end), targetStart)
    return page.readUInt32BE(0)
  }

  /** Reads only the number in the first four bytes of a page. */
  nextOf(number: number): number {
    const bytes = Buffer.alloc(4)
    const { source, position } = this.#placeOf(number)
    if (source.read(bytes, position) < 4) throw missing(number)
    return bytes.readUInt32BE(0)
  }

  /** Valid only until the next call. */
  #lend(number: number): Buffer {
    const { source, position } = this.#placeOf(number)
    if (source !== this.#file) {
      if (source.read(this.#walPage, position) < this.pageSize) throw missing(number)
      return this.#walPage
    }
    const start = position - this.#aheadStart
    if (start >= 0 && start + this.pageSize <= this.#aheadLength)
      return this.#ahead.subarray(start, start + this.pageSize)
    const follows = position === this.#aheadStart + this.#aheadLength
    this.#aheadPages = follows ? Math.min(this.#aheadPages * 2, MAX_PAGES_AHEAD) : 1
    this.#aheadStart = position
    this.#aheadLength = source.read(this.#ahead.subarray(0, this.#aheadPages * this.pageSize), position)
    if (this.#aheadLength < this.pageSize) throw missing(number)
    return this.#ahead.subarray(0, this.pageSize)
  }

  #placeOf(number: number): { source: ByteSource; position: number } {
    if (number < 1 || number > this.pageCount)
      throw new DatabaseDamage(`It names page ${number} of ${this.pageCount}.`, number)
    const inWal = this.#places.get(number)
    if (inWal !== undefined && this.#wal !== null) return { source: this.#wal, position: inWal }
    return { source: this.#file, position: (number - 1) * this.pageSize }
  }
}

/**
 * The state of a database at its last commit. null: the file is empty, like a newly created database; SQLite then ignores the WAL.
 * @throws {DatabaseDamage}
 */
export function openPages(file: ByteSource, wal: ByteSource | null): PageFile | null {
  if (file.sizeBytes === 0) return null
  return new PageFile(file, wal, wal === null ? null : readWal(wal))
}

function missing(number: number): DatabaseDamage {
  return new DatabaseDamage(`The file ends before page ${number} does.`, number)
}

/** The pages visited by a walk: a repeated page is a loop, or belongs to two rows. */
class MetPages {
  readonly #bits: Uint8Array

  constructor(pageCount: number) {
    this.#bits = new Uint8Array((pageCount >> 3) + 1)
  }

  /** @throws {DatabaseDamage} if the page was visited before, or cannot exist */
  add(page: number): void {
    const byte = page >>> 3
    const bit = 1 << (page & 7)
    const bits = this.#bits[byte]
    if (bits === undefined || page < 1)
      throw new DatabaseDamage(`It names page ${page}, which does not exist.`, page)
    if ((bits & bit) !== 0) throw new DatabaseDamage(`Page ${page} is used twice.`, page)
    this.#bits[byte] = bits | bit
  }
}

/** The bytes of one row: the beginning in the leaf, the rest in a chain of overflow pages. */
class Payload {
  readonly length: number
  readonly #pages: PageFile
  readonly #met: MetPages
  readonly #local: Buffer
  readonly #chunkBytes: number
  /** The next overflow page, and the offset of its content in the row. */
  #next: number
  #nextStart: number
  #isNextMet = false

  /** @param local the bytes in the leaf. @param firstOverflow 0: none */
  constructor(pages: PageFile, met: MetPages, length: number, local: Buffer, firstOverflow: number) {
    this.length = length
    this.#pages = pages
    this.#met = met
    this.#local = local
    this.#chunkBytes = pages.usableBytes - 4
    this.#next = firstOverflow
    this.#nextStart = local.length
  }

  /**
   * The bytes from `start` to `end`. Skips what precedes them: four bytes of each page. As for overflow pages, each call must start at or
   * after the end of the previous one.
   * @throws {DatabaseDamage}
   */
  read(start: number, end: number): Buffer {
    if (end <= this.#local.length) return this.#local.subarray(start, end)
    if (end > this.length) throw new DatabaseDamage('A row is shorter than its values.')
    const bytes = Buffer.allocUnsafe(end - start)
    let filled = 0
    if (start < this.#local.length) filled = this.#local.copy(bytes, 0, start)
    while (filled < bytes.length) {
      const from = start + filled - this.#nextStart
      if (from < 0) throw new RangeError('A row is read from its beginning to its end.')
      this.#meetNext()
      if (from >= this.#chunkBytes) {
        this.#stepTo(this.#pages.nextOf(this.#next))
        continue
      }
      const length = Math.min(this.#chunkBytes - from, bytes.length - filled)
      const next = this.#pages.copyFrom(this.#next, bytes, filled, from + 4, from + 4 + length)
      filled += length
      if (from + length === this.#chunkBytes && this.#nextStart + this.#chunkBytes < this.length)
        this.#stepTo(next)
    }
    return bytes
  }

  #meetNext(): void {
    if (!this.#isNextMet) this.#met.add(this.#next)
    this.#isNextMet = true
  }

  #stepTo(next: number): void {
    this.#next = next
    this.#isNextMet = false
    this.#nextStart += this.#chunkBytes
  }
}

interface Varint {
  value: number
  /** Offset of the next byte. */
  end: number
}

/** SQLite's variable-length integer, signed, 64 bits; rounded beyond 2^53. null: the bytes end before it does. */
function readVarint(bytes: Uint8Array, start: number): Varint | null {
  const first = bytes[start]
  if (first === undefined) return null
  if (first < 0x80) return { value: first, end: start + 1 }
  let value = 0n
  for (let index = 0; index < 9; index++) {
    const byte = bytes[start + index]
    if (byte === undefined) return null
    if (index === 8) return { value: Number(BigInt.asIntN(64, (value << 8n) | BigInt(byte))), end: start + 9 }
    value = (value << 7n) | BigInt(byte & 0x7f)
    if (byte < 0x80) return { value: Number(value), end: start + index + 1 }
  }
  return null
}

/** A value as SQLite stores it; integers beyond 2^53 as bigint. */
export type StoredValue = null | number | bigint | string | Uint8Array

interface Place {
  serialType: number
  start: number
  end: number
}

/** The columns of one row. Values are read on demand, from the first column to the last. */
export class TableRecord {
  readonly #payload: Payload
  readonly #places: Place[] = []

  /** @throws {DatabaseDamage} */
  constructor(payload: Payload) {
    this.#payload = payload
    const head = payload.read(0, Math.min(9, payload.length))
    const size = readVarint(head, 0)
    if (size === null || size.value < size.end || size.value > payload.length)
      throw new DatabaseDamage('A row has no header.')
    const header = payload.read(0, size.value)
    let start = size.value
    for (let at = size.end; at < header.length; ) {
      const type = readVarint(header, at)
      if (type === null || type.value < 0) throw new DatabaseDamage('A row has a broken header.')
      const end = start + lengthOf(type.value)
      if (end > payload.length) throw new DatabaseDamage('A row is shorter than its values.')
      this.#places.push({ serialType: type.value, start, end })
      start = end
      at = type.end
    }
  }

  /** null: the column is NULL, or was added after this row was written. @throws {DatabaseDamage} */
  value(column: number): StoredValue {
    const place = this.#places[column]
    if (place === undefined) return null
    const { serialType, start, end } = place
    if (serialType >= 12) {
      const bytes = this.#payload.read(start, end)
      return serialType % 2 === 0 ? bytes : bytes.toString('utf8')
    }
    return readNumber(serialType, this.#payload.read(start, end))
  }

  /** Length of a text or blob; 0 for all others. */
  length(column: number): number {
    const place = this.#places[column]
    return place === undefined || place.serialType < 12 ? 0 : place.end - place.start
  }

  /** Part of a text or blob; skips what precedes it. @throws {DatabaseDamage} */
  part(column: number, start: number, end: number): Buffer {
    const place = this.#places[column]
    const length = this.length(column)
    if (place === undefined || start >= length) return Buffer.alloc(0)
    return this.#payload.read(place.start + start, place.start + Math.min(end, length))
  }
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8]

function lengthOf(serialType: number): number {
  if (serialType >= 12) return (serialType - 12 - (serialType % 2)) / 2
  if (serialType === 7) return 8
  if (serialType > 9) throw new DatabaseDamage('A row has a value of no known type.')
  return INTEGER_BYTES[serialType] ?? 0
}

function readNumber(serialType: number, bytes: Buffer): StoredValue {
  if (serialType === 0) return null
  if (serialType >= 8) return serialType - 8
  if (serialType === 7) {
    const real = bytes.readDoubleBE(0)
    // SQLite has no NaN.
    return Number.isNaN(real) ? null : real
  }
  if (bytes.length <= 6) return bytes.readIntBE(0, bytes.length)
  const large = bytes.readBigInt64BE(0)
  return Number.isSafeInteger(Number(large)) ? Number(large) : large
}
