import sqlite from 'node-sqlite3-wasm'
import type { Database, SqlRow, SqlValue } from './database.ts'

/**
 * SQLite compiled to wasm, over real files: works on every Node without a native build. Its only lock is
 * a folder `<file>.lock`, exclusive even among readers and left behind when the process is killed.
 */
export function openWasmDatabase(path: string): Database {
  const database = new sqlite.Database(path)
  const statements = new Map<string, sqlite.Statement>()
  const prepare = (sql: string): sqlite.Statement => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  return {
    driver: 'node-sqlite3-wasm',
    exec: (sql) => database.exec(sql),
    run: (sql, ...values) => {
      prepare(sql).run(values)
    },
    all: (sql, ...values) => prepare(sql).all(values).map(toRow),
    get: (sql, ...values) => {
      const row = prepare(sql).get(values)
      return row === null ? undefined : toRow(row)
    },
    close: () => {
      for (const statement of statements.values()) statement.finalize()
      database.close()
    },
  }
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
