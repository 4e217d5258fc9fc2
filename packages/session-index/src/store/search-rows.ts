import { SEARCH_FIELDS } from '@gemini-dash/api/search-fields'
import type { Database, SqlValue } from '../driver.ts'
import type { RowFacts } from '../rows.ts'

const FIELDS = SEARCH_FIELDS.length

/** The stored state of a message or title. */
export interface StoredRow {
  id: number
  /** What was indexed; null: nothing of it is searchable. */
  text: StoredText | null
}

export interface StoredText {
  hash: number
  /** A bit for each field with text. */
  fields: number
}

/** What to write for a searchable row. */
export interface SearchRow extends StoredText {
  id: number
  session: number
  ordinal: number
  timeMs: number
  facts: Pick<RowFacts, 'flags' | 'tokens' | 'cost' | 'mainField'>
}

/** The row id of a title, which is not a message. */
export const titleId = (session: number) => -session

/** The documents of rows in the full-text table; may be followed by a condition on these rows. */
export const DOCUMENTS = `SELECT search_row.id * ${FIELDS} + field.value FROM search_row
  JOIN json_each('${JSON.stringify([...SEARCH_FIELDS.keys()])}') AS field ON fields >> field.value & 1`

/** The document of one field of a row. */
export function documentOf(id: number, field: number): number {
  return id * FIELDS + field
}

export function documentsOf({ id, text }: StoredRow): number[] {
  const fields = text?.fields ?? 0
  return [...SEARCH_FIELDS.keys()]
    .filter((field) => (fields >> field) & 1)
    .map((field) => documentOf(id, field))
}

/** The stored rows of a session: its title, and its messages by position. */
export function readStoredRows(
  database: Database,
  session: number,
): { title: StoredRow; messages: Map<number, StoredRow> } {
  const messages = new Map<number, StoredRow>()
  const read = (sql: string, value: number): StoredJson[] =>
    JSON.parse(String(database.get(sql, value)?.rows ?? '[]'))
  for (const row of read(SELECT_MESSAGES, session)) messages.set(row[0], toStoredRow(row))
  const id = titleId(session)
  const [title] = read(SELECT_TITLE, id)
  return { title: title === undefined ? { id, text: null } : toStoredRow(title), messages }
}

type StoredJson = [ordinal: number, id: number, hash: number | null, fields: number]

function toStoredRow([, id, hash, fields]: StoredJson): StoredRow {
  return { id, text: hash === null ? null : { hash, fields } }
}

/** As one JSON text: one wasm call instead of one per row. */
const AS_JSON = 'json_group_array(json_array(ordinal, id, hash, fields)) AS rows'
const SELECT_MESSAGES = `SELECT ${AS_JSON} FROM (
  SELECT message.ordinal, message.id, hash, fields
  FROM message LEFT JOIN search_row ON search_row.id = message.id WHERE message.session = ?)`
const SELECT_TITLE = `SELECT ${AS_JSON} FROM search_row WHERE id = ?`

export function writeSearchRow(database: Database, row: SearchRow): void {
  const { id, session, ordinal, timeMs, facts, fields, hash } = row
  const { flags, tokens, cost, mainField } = facts
  const values: SqlValue[] = [
    ...[id, session, ordinal, timeMs, flags, numberOrNull(tokens), numberOrNull(cost)],
    ...[SEARCH_FIELDS.indexOf(mainField), fields, hash],
  ]
  database.run(INSERT, ...values)
}

/** A bit for each field with words. */
export function fieldsOf(words: readonly (Uint8Array | null)[]): number {
  return words.reduce<number>((bits, text, field) => (text === null ? bits : bits | (1 << field)), 0)
}

/** For a row that is no longer searchable. */
export function deleteSearchRow(database: Database, id: number): void {
  database.run('DELETE FROM search_row WHERE id = ?', id)
}

export function deleteTitle(database: Database, session: number): void {
  const id = titleId(session)
  database.run(`DELETE FROM text WHERE rowid IN (${DOCUMENTS} WHERE search_row.id = ?)`, id)
  deleteSearchRow(database, id)
}

export function numberOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : value
}

const INSERT = `INSERT OR REPLACE INTO search_row
  (id, session, ordinal, time, flags, tokens, cost, main_field, fields, hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** The calls of a tool with one status, which failed calls and others can share. */
export interface CallsOfRows {
  name: string
  status: string
  failed: boolean
  /** Numbers of the rows with such a call; repeated for several calls. */
  rows: Int32Array
}

/** One byte per row each: 6 MB for 100,000 rows. */
const MOST_REMEMBERED = 64

/**
 * The data of every `search_row` for searches, by column: about 30 bytes per row. Rows are numbered from 0 by id, so titles come first.
 * Read as a whole on first use after a write.
 */
export class SearchColumns {
  /** Changes with every write of this connection. */
  readonly version: number
  readonly ids: Int32Array
  readonly sessions: Int32Array
  readonly ordinals: Int32Array
  readonly times: Float64Array
  readonly flags: Uint8Array
  readonly mainFields: Uint8Array
  readonly fields: Uint8Array
  readonly #database: Database
  readonly #firstId: number
  /** By id, starting with the first one: row number plus one. */
  readonly #rows: Int32Array
  #calls: CallsOfRows[] | null = null
  readonly #remembered = new Map<string, Uint8Array>()

  constructor(database: Database, version: number) {
    const found = database.get(SELECT)?.found
    const columns: number[][] = JSON.parse(`[[${found ?? ''}]]`)
    const [ids = [], sessions = [], ordinals = [], times = [], flags = [], mainFields = [], fields = []] =
      columns
    this.#database = database
    this.version = version
    this.ids = Int32Array.from(ids)
    this.sessions = Int32Array.from(sessions)
    this.ordinals = Int32Array.from(ordinals)
    this.times = Float64Array.from(times)
    this.flags = Uint8Array.from(flags)
    this.mainFields = Uint8Array.from(mainFields)
    this.fields = Uint8Array.from(fields)
    this.#firstId = ids[0] ?? 0
    this.#rows = new Int32Array((ids.at(-1) ?? 0) - this.#firstId + 1)
    for (const [row, id] of ids.entries()) this.#rows[id - this.#firstId] = row + 1
  }

  /** Number of rows. */
  get size(): number {
    return this.ids.length
  }

  /** The number of the row with this id; -1 if none. */
  rowOf(id: number): number {
    return (this.#rows[id - this.#firstId] ?? 0) - 1
  }

  get calls(): CallsOfRows[] {
    this.#calls ??= this.#database.all(SELECT_CALLS).map(({ name, status, failed, messages }) => ({
      name: String(name),
      status: String(status),
      failed: failed === 1,
      rows: this.rowsOf(JSON.parse(`[${messages}]`)),
    }))
    return this.#calls
  }

  /** Caches a property of each row, as bits: pages, facets and refined queries need the same again. */
  remember(name: string, make: () => Uint8Array): Uint8Array {
    const bits = this.#remembered.get(name) ?? make()
    this.#remembered.delete(name)
    this.#remembered.set(name, bits)
    const [oldest] = this.#remembered.keys()
    if (this.#remembered.size > MOST_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest)
    return bits
  }

  /** The numbers of the rows with these ids. */
  rowsOf(ids: readonly number[]): Int32Array {
    return Int32Array.from(ids.map((id) => this.rowOf(id)).filter((row) => row >= 0))
  }
}

/** For the current rows. */
export function searchColumns(store: { database: Database; columns: SearchColumns | null }): SearchColumns {
  const version = Number(store.database.get('SELECT total_changes() AS version')?.version)
  if (store.columns?.version !== version) store.columns = new SearchColumns(store.database, version)
  return store.columns
}

/** As one text: one wasm call instead of one per row. */
const SELECT = `SELECT ${['id', 'session', 'ordinal', 'time', 'flags', 'main_field', 'fields']
  .map((column) => `group_concat(${column})`)
  .join(` || '],[' || `)} AS found FROM (SELECT * FROM search_row ORDER BY id)`
const SELECT_CALLS =
  'SELECT name, status, failed, group_concat(message) AS messages FROM call GROUP BY name, status, failed'
