import type { Database, SqlRow, SqlValue } from './database.ts'

/** Node's own SQLite (22.5 and later). Throws where this Node has none. */
export function openNodeDatabase(path: string): Database {
  const database = new (loadNodeSqlite().DatabaseSync)(path)
  const statements = new Map<string, NodeStatement>()
  const prepare = (sql: string): NodeStatement => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
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

/** The part of `node:sqlite` that is used here; the types of Node 20 do not know the module. */
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

/** Loading it makes Node print an ExperimentalWarning, which says nothing to the person at the terminal. */
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
