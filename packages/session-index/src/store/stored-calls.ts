import type { Database } from '../driver/database.ts'
import { NameTable } from '../rows/name-table.ts'
import { CALL_KINDS, type CallKind, type CallRows, type NamedRows } from '../rows/session-calls.ts'

/** What the shard's rows called, how that ended and which paths it touched: each of these read when it is first asked for. */
export class StoredCalls {
  readonly #database: Database
  readonly #tables = new Map<CallKind, NameTable>()

  constructor(database: Database) {
    this.#database = database
  }

  table(kind: CallKind): NameTable {
    const known = this.#tables.get(kind)
    if (known !== undefined) return known
    const table = new NameTable()
    for (const row of this.#database.all('SELECT number, names, pairs FROM call WHERE kind = ?', kind))
      table.put(Number(row.number), toNamedRows(String(row.names), row.pairs))
    this.#tables.set(kind, table)
    return table
  }

  write(sessionNumber: number, calls: CallRows): void {
    this.delete(sessionNumber)
    for (const kind of CALL_KINDS) {
      const { names, pairs } = calls[kind]
      if (pairs.length === 0) continue
      this.#database.run(INSERT, kind, sessionNumber, JSON.stringify(names), new Uint8Array(pairs.buffer))
    }
  }

  delete(sessionNumber: number): void {
    for (const kind of CALL_KINDS)
      this.#database.run('DELETE FROM call WHERE kind = ? AND number = ?', kind, sessionNumber)
  }

  /** Takes what was written into what has been read. */
  remember(sessionNumber: number, calls: CallRows): void {
    for (const [kind, table] of this.#tables) table.put(sessionNumber, calls[kind])
  }

  forget(sessionNumber: number): void {
    for (const table of this.#tables.values()) table.forget(sessionNumber)
  }
}

function toNamedRows(namesJson: string, stored: unknown): NamedRows {
  // Copied, as the bytes of a row need not be aligned to four.
  const bytes = stored instanceof Uint8Array ? new Uint8Array(stored) : new Uint8Array(0)
  return { names: JSON.parse(namesJson), pairs: new Int32Array(bytes.buffer, 0, bytes.length >> 2) }
}

const INSERT = 'INSERT INTO call (kind, number, names, pairs) VALUES (?, ?, ?, ?)'
