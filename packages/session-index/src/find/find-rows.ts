import type { Database } from '../driver.ts'
import { NO_MASK, type RowCondition, treeMask } from '../evaluate.ts'
import type { IndexTree, QueryText } from '../query/tree.ts'
import { foldName, pathPattern, ROW_FLAGS, wildcardPattern } from '../rows.ts'
import { type SearchColumns, searchColumns } from '../store/search-rows.ts'
import type { ShardStore } from '../store/shard-store.ts'
import { hitBits } from './hits.ts'

/** A path touched by calls. */
export interface TouchedPath {
  path: string
  /** Number of messages with such a call. */
  messages: number
}

/** Enough to choose from, however many files exist. */
const MOST_PATHS = 300

/** The paths that contain the typed text, by number of messages. Ignores case, and treats `\` as `/`. */
export function touchedPaths(database: Database, typed: string): TouchedPath[] {
  const text = foldName(typed.replaceAll('\\', '/'))
  const counts = new Map<string, { messages: number; last: number }>()
  // The calls of a message are consecutive.
  for (const [message, paths] of callPaths(database)) {
    for (const path of JSON.parse(paths) as string[]) {
      const count = counts.get(path)
      if (count === undefined) counts.set(path, { messages: 1, last: message })
      else if (count.last !== message) {
        count.messages += 1
        count.last = message
      }
    }
  }
  const fitting = [...counts].filter(([path]) => foldName(path).includes(text))
  return mostTouched(fitting.map(([path, { messages }]) => ({ path, messages })))
}

/** Each path once with its total, most messages first. */
export function mostTouched(found: readonly TouchedPath[]): TouchedPath[] {
  const sums = new Map<string, number>()
  for (const { path, messages } of found) sums.set(path, (sums.get(path) ?? 0) + messages)
  return [...sums]
    .map(([path, messages]) => ({ path, messages }))
    .sort((a, b) => b.messages - a.messages || (a.path < b.path ? -1 : 1))
    .slice(0, MOST_PATHS)
}

/** Evaluates a filter for the rows of this shard. */
function filterRows(
  store: ShardStore,
  columns: SearchColumns,
  filter: RowCondition,
): (row: number) => boolean {
  const { flags, times, sessions } = columns
  const withFlag = (flag: number) => (row: number) => ((flags[row] ?? 0) & flag) !== 0
  switch (filter.kind) {
    case 'is':
    case 'has':
      return withFlag(ROW_FLAGS[filter.what])
    case 'unanswered':
      return withFlag(ROW_FLAGS.unanswered)
    case 'before':
      return (row) => (times[row] ?? 0) < filter.timeMs
    case 'after':
      return (row) => (times[row] ?? 0) >= filter.timeMs
    case 'sessions': {
      const numbers = new Set(store.numbersOf(new Set(filter.keys)))
      return (row) => numbers.has(sessions[row] ?? 0)
    }
    default: {
      const marks = columns.remember(JSON.stringify(filter), () => {
        const made = new Uint8Array(columns.size)
        for (const rows of rowsOf(store.database, columns, filter)) for (const row of rows) made[row] = 1
        return made
      })
      return (row) => marks[row] === 1
    }
  }
}

function rowsOf(
  database: Database,
  columns: SearchColumns,
  filter: Extract<RowCondition, { kind: 'tools' | 'status' | 'tokens' | 'cost' | 'file' }>,
): Iterable<number>[] {
  switch (filter.kind) {
    case 'tools':
      return columns.calls
        .filter(({ name, failed }) => filter.names.includes(name) && (failed || !filter.isFailed))
        .map(({ rows }) => rows)
    case 'status': {
      const isWanted = wildcardPattern(filter.status)
      return columns.calls.filter(({ status }) => isWanted(status)).map(({ rows }) => rows)
    }
    case 'tokens':
    case 'cost':
      return [columns.rowsOf(idsCompared(database, filter))]
    default: {
      const isWanted = pathPattern(filter.pattern)
      const wanted = callPaths(database).filter(([, paths]) => (JSON.parse(paths) as string[]).some(isWanted))
      return [columns.rowsOf(wanted.map(([message]) => message))]
    }
  }
}

/** Unknown values (NULL) match no comparison. */
function idsCompared(
  database: Database,
  { kind, compare, value }: Extract<RowCondition, { kind: 'tokens' | 'cost' }>,
): number[] {
  const found = database.get(
    `SELECT group_concat(id) AS ids FROM search_row WHERE ${kind} ${compare} ${sqlNumber(value)}`,
  )
  return JSON.parse(`[${found?.ids ?? ''}]`)
}

/** SQLite has no literal for infinity, but an overflowing number becomes it. */
function sqlNumber(value: number): string {
  if (Number.isNaN(value)) return 'NULL'
  return Number.isFinite(value) ? String(value) : value > 0 ? '9e999' : '-9e999'
}

/** The paths touched by each call, as JSON, for searchable messages. */
function callPaths(database: Database): [message: number, paths: string][] {
  const row = database.get(`SELECT json_group_array(json_array(message, paths)) AS calls
    FROM call WHERE paths IS NOT NULL AND message IN (SELECT id FROM search_row)`)
  return JSON.parse(String(row?.calls ?? '[]'))
}

/** Where text matches come from: the index of words, any non-empty field, or a search in the texts (fields by id). */
type TextSource = 'index' | 'anywhere' | ReadonlyMap<number, number>

/** Rows that match a tree, by their number in the columns. */
export interface FoundRows {
  columns: SearchColumns
  rows: number[]
  /** For each row, the fields in which it is a hit. */
  bits: number[]
}

/** Finds the rows of one shard that match the trees of a search. */
export class RowFinder {
  readonly #store: ShardStore
  readonly #columns: SearchColumns
  readonly #source: TextSource

  constructor(store: ShardStore, source: TextSource = 'index') {
    this.#store = store
    this.#columns = searchColumns(store)
    this.#source = source
  }

  /** null finds nothing. */
  find(tree: IndexTree | null): FoundRows {
    const columns = this.#columns
    const { sessions, mainFields } = columns
    const found: FoundRows = { columns, rows: [], bits: [] }
    if (tree === null) return found
    const maskOf = treeMask(tree, {
      fields: (row) => columns.fields[row] ?? 0,
      text: (text) => {
        const bits = this.textBits(text)
        return (row) => bits[row] ?? 0
      },
      holds: (filter) => filterRows(this.#store, columns, filter),
    })
    let session = Number.NaN
    let isKnown = false
    for (let row = 0; row < columns.size; row++) {
      const mask = maskOf(row)
      if (mask === NO_MASK) continue
      if (sessions[row] !== session) {
        session = sessions[row] ?? 0
        // While a session is first written, some of its rows exist before it is known.
        isKnown = this.#store.session(session) !== undefined
      }
      if (!isKnown) continue
      found.rows.push(row)
      found.bits.push(hitBits(mask, mainFields[row] ?? 0))
    }
    return found
  }

  /** By row, the bits of the fields that contain the text. */
  textBits(text: QueryText): Uint8Array {
    if (this.#source === 'anywhere') return this.#columns.fields
    if (this.#source !== 'index') return this.#fromLook(this.#source)
    const expression = ftsExpression(text)
    return this.#columns.remember(expression, () => this.#fromIndex(expression))
  }

  #fromIndex(expression: string): Uint8Array {
    const columns = this.#columns
    const bits = new Uint8Array(columns.size)
    const found = this.#store.database.get(SELECT_DOCUMENTS, expression)
    const documents: number[] = JSON.parse(`[${found?.documents ?? ''}]`)
    for (const document of documents) {
      const row = columns.rowOf(document >> 3)
      if (row >= 0) bits[row] = (bits[row] ?? 0) | (1 << (document & 7))
    }
    return bits
  }

  #fromLook(found: ReadonlyMap<number, number>): Uint8Array {
    const bits = new Uint8Array(this.#columns.size)
    for (const [id, fields] of found) {
      const row = this.#columns.rowOf(id)
      if (row >= 0) bits[row] = fields
    }
    return bits
  }
}

/** As one text: one wasm call instead of one per document. */
const SELECT_DOCUMENTS = 'SELECT group_concat(rowid) AS documents FROM text WHERE text MATCH ?'

/** A quoted string, so that nothing in it is parsed as an operator. */
function ftsExpression({ words, isPrefix }: QueryText): string {
  return `"${words.map((word) => word.replaceAll('"', '""')).join(' ')}"${isPrefix ? ' *' : ''}`
}
