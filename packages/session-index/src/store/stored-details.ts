import type { SessionRecord } from '../contract/session-record.ts'
import { SEARCH_FIELDS } from '../database/schema.ts'
import type { Database } from '../driver/database.ts'
import { SessionRows } from '../rows/session-rows.ts'
import type { FieldPiece } from '../text/field-pieces.ts'
import type { StoredSlots } from './plan-session.ts'
import { readSlots } from './plan-session.ts'
import { titlePieces } from './session-texts.ts'

const MAX_KEPT_DETAILS = 64

const SELECT_DETAILS =
  'SELECT slots, rows FROM session JOIN session_rows USING (number) WHERE session.number = ?'

/** What a shard's tables hold of single sessions; keeps what is asked for again and again. */
export class StoredDetails {
  readonly #database: Database
  readonly #kept = new Map<number, StoredSlots>()
  readonly #titles = new Map<number, FieldPiece[]>()

  constructor(database: Database) {
    this.#database = database
  }

  /** Hits of a page often lie in the same few sessions. */
  of(number: number): StoredSlots {
    const known = this.#kept.get(number)
    if (known !== undefined) return known
    const row = this.#database.get(SELECT_DETAILS, number)
    const details = { slots: readSlots(row?.slots), rows: SessionRows.decode(row?.rows) }
    if (this.#kept.size >= MAX_KEPT_DETAILS) this.#kept.clear()
    this.#kept.set(number, details)
    return details
  }

  /** Kept, as every search over the files asks for all of them. */
  titlePieces(number: number): FieldPiece[] {
    const known = this.#titles.get(number)
    if (known !== undefined) return known
    const record = this.record(number)
    const pieces = record === null ? [] : titlePieces(record)
    this.#titles.set(number, pieces)
    return pieces
  }

  record(number: number): SessionRecord | null {
    const json = this.recordJson(number)
    return json === null ? null : JSON.parse(json)
  }

  recordJson(number: number): string | null {
    const row = this.#database.get('SELECT record FROM session WHERE number = ?', number)
    return row === undefined ? null : String(row.record)
  }

  /** Deletes the session and its text. What is kept of it stays until it is forgotten. */
  delete(number: number): void {
    const { rows, lengths } = this.of(number).rows
    for (const [slot, row] of rows.entries()) {
      for (let field = 0; row >= 0 && field < SEARCH_FIELDS.length; field++) {
        if (lengths[slot * SEARCH_FIELDS.length + field] === 0) continue
        this.#database.run('DELETE FROM text WHERE rowid = ?', row * SEARCH_FIELDS.length + field)
      }
    }
    this.#database.run('DELETE FROM session WHERE number = ?', number)
    this.#database.run('DELETE FROM session_rows WHERE number = ?', number)
  }

  forget(number: number): void {
    this.#kept.delete(number)
    this.#titles.delete(number)
  }
}
