export type SqlValue = string | number | Uint8Array | null
export type SqlRow = Record<string, SqlValue>

/**
 * One SQLite connection. Statements are prepared once and kept. The same for Node's own SQLite and the
 * wasm build; nothing above knows which one it is.
 */
export interface Database {
  readonly driver: 'node:sqlite' | 'node-sqlite3-wasm'
  exec(sql: string): void
  run(sql: string, ...values: SqlValue[]): void
  all(sql: string, ...values: SqlValue[]): SqlRow[]
  get(sql: string, ...values: SqlValue[]): SqlRow | undefined
  close(): void
}
