import { SEARCH_FIELDS } from '@gemini-dash/api/search-fields'
import type { Database, SqlValue } from '../driver.ts'
import type { RowFacts } from '../rows.ts'

const FIELDS = SEARCH_FIELDS.length

/** What is stored of a message or title. */
export interface StoredRow {
  id: number
  /** What of it was indexed; null: nothing of it can be found. */
  text: StoredText | null
}

export interface StoredText {
  hash: number
  /** A bit for each field with text. */
  fields: number
}

/** What is to be written for one that can be found. */
export interface SearchRow extends StoredText {
  id: number
  session: number
  ordinal: number
  timeMs: number
  facts: Pick<RowFacts, 'flags' | 'tokens' | 'cost' | 'mainField'>
}

/** What stands for a title, which is no message. */
export const titleId = (session: number) => -session

/** The documents of rows in the full-text table; a condition on these rows may follow. */
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

/** What is stored of a session: its title, and its messages by their position. */
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

/** As one JSON text: a single crossing from wasm instead of one for each row. */
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

/** A bit for each field that has words. */
export function fieldsOf(words: readonly (Uint8Array | null)[]): number {
  return words.reduce<number>((bits, text, field) => (text === null ? bits : bits | (1 << field)), 0)
}

/** A row that cannot be found any more. */
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

/** The calls of one tool that ended in one way: one status can be of calls that failed and of others. */
export interface CallsOfRows {
  name: string
  status: string
  failed: boolean
  /** Numbers of the rows with such a call; one with several of them is there as often. */
  rows: Int32Array
}

/** A byte for each row each: of 100,000 rows 6 MB. */
const MOST_REMEMBERED = 64

/**
 * What searches ask of every `search_row`, column by column: about 30 bytes a row. Rows are numbered from 0 in the order of their
 * ids, so that titles come first. Read at once when it is first needed after something was written.
 */
export class SearchColumns {
  /** Changes with everything that this connection writes. */
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
  /** By id, from the first one on: number of its row, and one more. */
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

  /** How many rows there are. */
  get size(): number {
    return this.ids.length
  }

  /** The number of the row with this id; -1: there is none. */
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

  /** What is true of each row, as bits: pages, facets and refined queries ask the same again. */
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

/** Those of the rows as they are now. */
export function searchColumns(store: { database: Database; columns: SearchColumns | null }): SearchColumns {
  const version = Number(store.database.get('SELECT total_changes() AS version')?.version)
  if (store.columns?.version !== version) store.columns = new SearchColumns(store.database, version)
  return store.columns
}

/** As one text: a single crossing from wasm instead of one for each row. */
const SELECT = `SELECT ${['id', 'session', 'ordinal', 'time', 'flags', 'main_field', 'fields']
  .map((column) => `group_concat(${column})`)
  .join(` || '],[' || `)} AS found FROM (SELECT * FROM search_row ORDER BY id)`
const SELECT_CALLS =
  'SELECT name, status, failed, group_concat(message) AS messages FROM call GROUP BY name, status, failed'
