import type { Database } from './database.ts'
import { openNodeDatabase } from './open-node-database.ts'
import { openWasmDatabase } from './open-wasm-database.ts'

/** `auto` takes Node's own SQLite where it can do what the index needs. */
export type DriverChoice = 'auto' | 'node:sqlite' | 'node-sqlite3-wasm'

export const MEMORY = ':memory:'

export function openDatabase(path: string, choice: DriverChoice = 'auto'): Database {
  if (choice === 'node:sqlite') return openNodeDatabase(path)
  if (choice === 'auto' && isNodeSqliteAble()) return openNodeDatabase(path)
  return openWasmDatabase(path)
}

let isAble: boolean | null = null

/** Tried, not read from the version: some builds of Node 22 have SQLite without FTS5, or an older FTS5. */
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
