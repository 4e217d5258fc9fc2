import { closeSync, constants, fstatSync, openSync, statSync, writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { type ByteSource, fileSource, WAL_HEADER_BYTES } from './byte-source.ts'
import {
  DatabaseDamage,
  openPages,
  type PageFile,
  type StoredValue,
  seekRow,
  TableRecord,
  type TreeRow,
  walkTree,
} from './table-tree.ts'

/** Result of reading: a value, or why there is none. */
export type DatabaseReading<Value> =
  | { state: 'read'; value: Value }
  /** Checkpoints interrupted the reading three times: what was known before is still valid; retry later. */
  | { state: 'moving' }
  | { state: 'missing' }
  /** It is a folder, link, pipe or device. */
  | { state: 'odd' }
  | { state: 'damaged'; damage: DatabaseDamage }

const TRIES = 3
/** Two writes within one clock tick of a file system have the same time. */
const CLOCK_TICK_MS = 20

/**
 * Reads a database that another program may be writing: it is only opened for reading, and no file is created. `read` sees one commit; it
 * runs again if a checkpoint changed the file meanwhile. Later commits go to the WAL after everything that is read, and change nothing.
 * Archived rows of a database are read like the database itself.
 *
 * @throws system errors (EACCES, EIO, ...)
 */
export async function readDatabase<Value>(
  path: string,
  read: (database: SqliteTables) => Value | Promise<Value>,
): Promise<DatabaseReading<Value>> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const reading = await readOnce(path, read)
    if (reading !== null) return reading
  }
  return { state: 'moving' }
}

/** null: interrupted by a checkpoint. */
async function readOnce<Value>(
  path: string,
  read: (database: SqliteTables) => Value | Promise<Value>,
): Promise<DatabaseReading<Value> | null> {
  const file = openRegular(path)
  if (typeof file === 'string') return { state: file }
  // Opened after the database: had it been created in between, a checkpoint would have changed the database.
  const opened = openRegular(`${path}-wal`)
  if (opened === 'odd') {
    closeSync(file)
    return { state: 'odd' }
  }
  const wal = opened === 'missing' ? null : opened
  try {
    await waitForRest(file)
    const before = markOf(path, file, wal)
    if (before === null) return null
    const reading = await tryToRead(fileSource(file), wal === null ? null : fileSource(wal), read)
    return markOf(path, file, wal) === before ? reading : null
  } finally {
    closeSync(file)
    if (wal !== null) closeSync(wal)
  }
}

async function tryToRead<Value>(
  file: ByteSource,
  wal: ByteSource | null,
  read: (database: SqliteTables) => Value | Promise<Value>,
): Promise<DatabaseReading<Value>> {
  try {
    const tables = isKeptRows(file) ? openKeptRows(file) : openTables(file, wal)
    return { state: 'read', value: await read(tables) }
  } catch (error) {
    if (error instanceof DatabaseDamage) return { state: 'damaged', damage: error }
    throw error
  }
}

function openRegular(path: string): number | 'missing' | 'odd' {
  let descriptor: number
  try {
    descriptor = openSync(path, PLAIN_FLAGS)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing'
    if (code === 'ELOOP' || code === 'ENXIO' || code === 'EISDIR') return 'odd'
    throw error
  }
  if (fstatSync(descriptor).isFile()) return descriptor
  closeSync(descriptor)
  return 'odd'
}

/** A write directly after the last one could leave the file's time unchanged. */
async function waitForRest(file: number): Promise<void> {
  const ageMs = Date.now() - fstatSync(file).mtimeMs
  if (ageMs >= 0 && ageMs < CLOCK_TICK_MS) await setTimeout(CLOCK_TICK_MS - ageMs)
}

/**
 * Changes if the database does, or if its WAL restarts; not if the WAL grows. null: one of the two files was replaced, so they need not
 * belong together.
 */
function markOf(path: string, file: number, wal: number | null): string | null {
  if (!isNamed(file, path) || (wal !== null && !isNamed(wal, `${path}-wal`))) return null
  const { size, mtimeNs } = fstatSync(file, { bigint: true })
  const header = Buffer.alloc(WAL_HEADER_BYTES)
  if (wal !== null) fileSource(wal).read(header, 0)
  return `${size} ${mtimeNs} ${header.toString('hex')}`
}

function isNamed(descriptor: number, path: string): boolean {
  const named = statSync(path, { bigint: true, throwIfNoEntry: false })
  const { dev, ino } = fstatSync(descriptor, { bigint: true })
  return named?.ino === ino && named.dev === dev
}

/**
 * Archived rows of a database, in place of the database: a line that names the format, then for each row a line of JSON and the bytes of
 * its large column. Later rows are appended, so that the file of a continued conversation begins with its previous content.
 */
const TITLE = 'gemini-dash rows 1\n'
const WINDOW_BYTES = 4096
/** Maximum line length. */
const MOST_WINDOW_BYTES = 1024 * 1024
const LINE_END = 10

/** Values of a row other than its large column. */
type KeptValues = Readonly<Record<string, number | string>>

interface KeptRow {
  table: string
  rowid: number
  values: KeptValues
  /** Its large column. */
  blob: { column: string; bytes: Uint8Array } | null
}

/** Writes such a file from its beginning. The caller has it exclusively. */
export class KeptRowsWriter {
  readonly #descriptor: number
  #position = 0

  constructor(descriptor: number, userVersion: number) {
    this.#descriptor = descriptor
    this.#write(Buffer.from(`${TITLE}${JSON.stringify({ userVersion })}\n`))
  }

  add({ table, rowid, values, blob }: KeptRow): void {
    const head = [table, rowid, values, ...(blob === null ? [] : [blob.column, blob.bytes.length])]
    this.#write(Buffer.from(`${JSON.stringify(head)}\n`))
    if (blob !== null) this.#write(blob.bytes)
  }

  #write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const count = writeSync(this.#descriptor, bytes, at, bytes.length - at, this.#position)
      at += count
      this.#position += count
    }
  }
}

function isKeptRows(file: ByteSource): boolean {
  const bytes = Buffer.alloc(TITLE.length)
  return file.read(bytes, 0) === TITLE.length && bytes.toString('latin1') === TITLE
}

/** Locates each row; large columns are read on demand. @throws {DatabaseDamage} */
function openKeptRows(file: ByteSource): SqliteTables {
  const lines = new HeadLines(file, TITLE.length)
  const title = lines.next()
  const userVersion = isObject(title) ? title.userVersion : null
  if (typeof userVersion !== 'number') throw new DatabaseDamage('Rows that were kept do not say of what.')
  const tables = new Map<string, KeptTable>()
  while (!lines.isAtEnd) {
    const place = toPlace(lines.next())
    if (place === null) throw new DatabaseDamage('A row that was kept has no beginning.')
    const { row, table } = place
    const start = lines.position
    lines.skip(row.length)
    if (lines.position > file.sizeBytes) throw new DatabaseDamage('A row that was kept is cut.')
    const known = tables.get(table) ?? new KeptTable(file)
    tables.set(table, known)
    known.places.push({ ...row, start })
  }
  return { userVersion, tables }
}

interface KeptPlace {
  rowid: number
  values: KeptValues
  column: string
  start: number
  length: number
}

class KeptTable implements RowTable {
  /** In order of row numbers. */
  readonly places: KeptPlace[] = []
  readonly #file: ByteSource

  constructor(file: ByteSource) {
    this.#file = file
  }

  *rows(): Generator<TableRow> {
    for (const place of this.places) yield this.#toRow(place)
  }

  seek(rowid: number): TableRow | null {
    const place = this.places.findLast((each) => each.rowid <= rowid)
    return place === undefined ? null : this.#toRow(place)
  }

  #toRow({ rowid, values, column, start, length }: KeptPlace): TableRow {
    const read = (from: number, to: number) => {
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(to, length) - from))
      if (this.#file.read(bytes, start + from) < bytes.length)
        throw new DatabaseDamage('A row that was kept is cut.')
      return bytes
    }
    return {
      rowid,
      value: (name) => (name === column ? read(0, length) : (values[name] ?? null)),
      length: (name) => (name === column ? length : 0),
      part: (name, from, to) => (name === column ? read(from, to) : Buffer.alloc(0)),
    }
  }
}

/** Lines of JSON, skipping the bytes between them. */
class HeadLines {
  position: number
  readonly #file: ByteSource
  #window = Buffer.allocUnsafe(WINDOW_BYTES)

  constructor(file: ByteSource, position: number) {
    this.#file = file
    this.position = position
  }

  get isAtEnd(): boolean {
    return this.position >= this.#file.sizeBytes
  }

  /** null: not such a line. */
  next(): unknown {
    const length = this.#file.read(this.#window, this.position)
    const end = this.#window.subarray(0, length).indexOf(LINE_END)
    if (end < 0) {
      if (length < this.#window.length || length >= MOST_WINDOW_BYTES) return null
      this.#window = Buffer.allocUnsafe(length * 4)
      return this.next()
    }
    this.position += end + 1
    try {
      return JSON.parse(this.#window.toString('utf8', 0, end))
    } catch {
      return null
    }
  }

  skip(bytes: number): void {
    this.position += bytes
  }
}

function toPlace(head: unknown): { table: string; row: Omit<KeptPlace, 'start'> } | null {
  if (!Array.isArray(head)) return null
  const [table, rowid, values, column = '', length = 0]: unknown[] = head
  if (typeof table !== 'string' || typeof column !== 'string' || !isObject(values)) return null
  if (typeof rowid !== 'number' || typeof length !== 'number' || !(length >= 0)) return null
  const kept = Object.entries(values).filter(
    (entry): entry is [string, number | string] =>
      typeof entry[1] === 'number' || typeof entry[1] === 'string',
  )
  return { table, row: { rowid, values: Object.fromEntries(kept), column, length } }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One row of a table. Valid until the next one is read. */
export interface TableRow {
  /** Its row id, which is the value of an `INTEGER PRIMARY KEY` column. */
  rowid: number
  /** null also if the table has no such column. */
  value(column: string): StoredValue
  /** Length of a text or blob, and part of it: what precedes the part is not read. */
  length(column: string): number
  part(column: string, start: number, end: number): Buffer
}

/** The rows of one table. */
export interface RowTable {
  /** All rows by row id. @throws {DatabaseDamage} */
  rows(): Iterable<TableRow>
  /** The row with this id, else the last one before it; null if none. @throws {DatabaseDamage} */
  seek(rowid: number): TableRow | null
}

/** A table in the schema. */
export class SqliteTable implements RowTable {
  readonly columns: readonly string[]
  readonly #pages: PageFile
  readonly #root: number
  readonly #rowidIndex: number
  readonly #indexes: ReadonlyMap<string, number>

  constructor(pages: PageFile, root: number, columns: readonly string[], rowidIndex: number) {
    this.#pages = pages
    this.#root = root
    this.columns = columns
    this.#rowidIndex = rowidIndex
    this.#indexes = new Map(columns.map((name, index) => [name, index]))
  }

  *rows(): Generator<TableRow> {
    for (const row of walkTree(this.#pages, this.#root)) yield this.#toRow(row)
  }

  seek(rowid: number): TableRow | null {
    const row = seekRow(this.#pages, this.#root, rowid)
    return row === null ? null : this.#toRow(row)
  }

  #toRow({ rowid, payload }: TreeRow): TableRow {
    const record = new TableRecord(payload)
    const indexOf = (column: string) => this.#indexes.get(column) ?? -1
    return {
      rowid,
      value: (column) => {
        const index = indexOf(column)
        return index === this.#rowidIndex && index >= 0 ? rowid : record.value(index)
      },
      length: (column) => record.length(indexOf(column)),
      part: (column, start, end) => record.part(indexOf(column), start, end),
    }
  }
}

/** A database at its last commit, read page by page: without SQLite, copies, locks or writes. */
export interface SqliteTables {
  userVersion: number
  /** By name. Excludes WITHOUT ROWID tables and virtual tables. */
  tables: ReadonlyMap<string, RowTable>
}

/** @throws {DatabaseDamage} */
export function openTables(file: ByteSource, wal: ByteSource | null): SqliteTables {
  const pages = openPages(file, wal)
  if (pages === null) return { userVersion: 0, tables: new Map() }
  const schema = new SqliteTable(pages, 1, ['type', 'name', 'tbl_name', 'rootpage', 'sql'], -1)
  const tables = new Map<string, SqliteTable>()
  for (const row of schema.rows()) {
    const [type, name, , root, sql] = schema.columns.map((column) => row.value(column))
    if (type !== 'table' || typeof name !== 'string' || typeof sql !== 'string' || !root) continue
    const columns = readColumns(sql)
    if (typeof root !== 'number') throw new DatabaseDamage('A table has no page.')
    if (columns !== null) tables.set(name, new SqliteTable(pages, root, columns.names, columns.rowidIndex))
  }
  return { userVersion: pages.userVersion, tables }
}

/** The columns of a table, from its CREATE TABLE statement. */
interface TableColumns {
  names: string[]
  /** The column that is an alias of the row id, for which the record has NULL; -1: none. */
  rowidIndex: number
}

const CONSTRAINT = /^(?:CONSTRAINT|PRIMARY|UNIQUE|CHECK|FOREIGN)\b/i

/** null: a WITHOUT ROWID table, or a statement that cannot be parsed. */
function readColumns(createTable: string): TableColumns | null {
  const open = createTable.indexOf('(')
  const close = createTable.lastIndexOf(')')
  if (open < 0 || close < open || /\bWITHOUT\s+ROWID\b/i.test(createTable.slice(close))) return null
  const parts = splitTopLevel(createTable.slice(open + 1, close))
  const columns = parts.filter((part) => !CONSTRAINT.test(part)).map(readColumn)
  const key = parts.map(readKey).find((name) => name !== null) ?? null
  const rowidIndex = columns.findIndex(
    ({ name, rest }) =>
      /^\s*INTEGER\b/i.test(rest) && (/\bPRIMARY\s+KEY\b(?!\s+DESC)/i.test(rest) || isSameName(name, key)),
  )
  return { names: columns.map(({ name }) => name), rowidIndex }
}

/** The single column of `PRIMARY KEY (column)`. */
function readKey(part: string): string | null {
  const inside = /^(?:CONSTRAINT\s+\S+\s+)?PRIMARY\s+KEY\s*\(([^,()]*)\)/i.exec(part)?.[1]
  return inside === undefined ? null : readColumn(inside.trim()).name
}

function readColumn(part: string): { name: string; rest: string } {
  const quoted = /^(?:`((?:[^`]|``)*)`|"((?:[^"]|"")*)"|\[([^\]]*)\])/.exec(part)
  if (quoted === null) {
    const name = /^[^\s(]+/.exec(part)?.[0] ?? ''
    return { name, rest: part.slice(name.length) }
  }
  const [whole, tick, quote, bracket] = quoted
  const name = tick?.replaceAll('``', '`') ?? quote?.replaceAll('""', '"') ?? bracket ?? ''
  return { name, rest: part.slice(whole.length) }
}

function isSameName(a: string, b: string | null): boolean {
  return b !== null && a.toLowerCase() === b.toLowerCase()
}

/** Splits at commas outside parentheses and quotes. */
function splitTopLevel(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const token of text.match(/`[^`]*`|"[^"]*"|'[^']*'|\[[^\]]*\]|[^`"'[]/g) ?? []) {
    if (token === '(') depth++
    if (token === ')') depth--
    if (token === ',' && depth === 0) {
      parts.push(part.trim())
      part = ''
    } else part += token
  }
  return [...parts, part.trim()].filter((each) => each !== '')
}

/**
 * Flags for opening any file: never for writing, never through a link, never waiting for the other end of a pipe. Windows supports only the
 * first.
 */
export const PLAIN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
