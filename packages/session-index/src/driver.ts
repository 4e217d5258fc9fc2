import sqlite from 'node-sqlite3-wasm'

export type SqlValue = string | number | Uint8Array | null
export type SqlRow = Record<string, SqlValue>

/**
 * One SQLite connection with cached prepared statements. The same for Node's own SQLite and the wasm build; callers do not know which one
 * it is.
 */
export interface Database {
  readonly driver: 'node:sqlite' | 'node-sqlite3-wasm'
  exec(sql: string): void
  run(sql: string, ...values: SqlValue[]): void
  all(sql: string, ...values: SqlValue[]): SqlRow[]
  get(sql: string, ...values: SqlValue[]): SqlRow | undefined
  close(): void
}

/** `auto` uses Node's own SQLite if it supports what the index needs. */
export type DriverChoice = 'auto' | 'node:sqlite' | 'node-sqlite3-wasm'

export const MEMORY = ':memory:'

export function openDatabase(path: string, choice: DriverChoice = 'auto'): Database {
  if (choice === 'node:sqlite') return openNodeDatabase(path)
  if (choice === 'auto' && isNodeSqliteAble()) return openNodeDatabase(path)
  return openWasmDatabase(path)
}

let isAble: boolean | null = null

/** Probed, since the version is not enough: some builds of Node 22 have SQLite without FTS5, or an older FTS5. */
function isNodeSqliteAble(): boolean {
  isAble ??= probeNodeSqlite()
  return isAble
}

function probeNodeSqlite(): boolean {
  try {
    const database = openNodeDatabase(MEMORY)
    database.exec("CREATE VIRTUAL TABLE probe USING fts5(text, content='', contentless_delete=1)")
    database.close()
    return true
  } catch {
    return false
  }
}

/**
 * SQLite compiled to wasm, on real files: works on every Node without a native build. Its only lock is a folder `<file>.lock`, which
 * excludes even other readers and is left behind when the process is killed.
 */
function openWasmDatabase(path: string): Database {
  const database = new sqlite.Database(path)
  const { prepare, statements } = keepStatements(
    (sql) => database.prepare(sql),
    (statement) => statement.finalize(),
  )
  return {
    driver: 'node-sqlite3-wasm',
    exec: (sql) => database.exec(sql),
    run: (sql, ...values) => {
      prepare(sql).run(values)
    },
    all: (sql, ...values) => prepare(sql).all(values).map(toRow),
    // Reads all rows: a statement stopped at its first row would keep the lock.
    get: (sql, ...values) => prepare(sql).all(values).map(toRow)[0],
    close: () => {
      for (const statement of statements.values()) statement.finalize()
      database.close()
    },
  }
}

/** More than are used repeatedly; each search may have a different one. */
const MAX_STATEMENTS = 64

/** Caches prepared statements by text. */
function keepStatements<Statement>(
  make: (sql: string) => Statement,
  end: (statement: Statement) => void = () => {},
) {
  const statements = new Map<string, Statement>()
  const prepare = (sql: string): Statement => {
    const statement = statements.get(sql) ?? make(sql)
    // Move to the end: the map is in order of use.
    statements.delete(sql)
    statements.set(sql, statement)
    for (const [oldest, its] of statements) {
      if (statements.size <= MAX_STATEMENTS) break
      statements.delete(oldest)
      end(its)
    }
    return statement
  }
  return { prepare, statements }
}

function toRow(result: sqlite.QueryResult): SqlRow {
  const row: SqlRow = {}
  for (const [name, value] of Object.entries(result)) row[name] = toSqlValue(value)
  return row
}

function toSqlValue(value: sqlite.SQLiteValue | sqlite.NormalQueryResult): SqlValue {
  if (typeof value === 'string' || typeof value === 'number' || value instanceof Uint8Array) return value
  return typeof value === 'bigint' ? Number(value) : null
}

/** Node's own SQLite (22.5 and later). Throws if this Node has none. */
function openNodeDatabase(path: string): Database {
  const database = new (loadNodeSqlite().DatabaseSync)(path)
  const { prepare } = keepStatements((sql) => database.prepare(sql))
  return {
    driver: 'node:sqlite',
    exec: (sql) => database.exec(sql),
    run: (sql, ...values) => {
      prepare(sql).run(...values)
    },
    all: (sql, ...values) => prepare(sql).all(...values),
    get: (sql, ...values) => prepare(sql).get(...values),
    close: () => database.close(),
  }
}

/** The part of `node:sqlite` used here; the types of Node 20 lack the module. */
interface NodeSqlite {
  DatabaseSync: new (path: string) => NodeDatabase
}

interface NodeDatabase {
  exec(sql: string): void
  prepare(sql: string): NodeStatement
  close(): void
}

interface NodeStatement {
  run(...values: SqlValue[]): unknown
  all(...values: SqlValue[]): SqlRow[]
  get(...values: SqlValue[]): SqlRow | undefined
}

/** Loading it makes Node print an ExperimentalWarning, which is of no use to the user. */
function loadNodeSqlite(): NodeSqlite {
  const emitWarning = process.emitWarning
  process.emitWarning = () => {}
  try {
    const sqlite: unknown = process.getBuiltinModule?.('node:sqlite')
    if (!isNodeSqlite(sqlite)) throw new Error('This Node has no node:sqlite.')
    return sqlite
  } finally {
    process.emitWarning = emitWarning
  }
}

function isNodeSqlite(module: unknown): module is NodeSqlite {
  return typeof module === 'object' && module !== null && 'DatabaseSync' in module
}
