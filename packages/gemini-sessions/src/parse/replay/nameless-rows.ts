import type { RawObject } from '../../raw/raw-object.ts'
import { plainText } from '../lift/parts/plain-text.ts'
import { createEntry, type LogEntry, type RowPlace } from '../row/log-entry.ts'

/** Rows without id, which the CLI skips: each is kept once, as superseded. */
export class NamelessRows {
  /** By time, type and text. */
  readonly #seen: Set<string>

  constructor(earlier?: NamelessRows) {
    this.#seen = new Set(earlier === undefined ? [] : earlier.#seen)
  }

  /** null: it was there before. */
  add(row: RawObject, place: RowPlace): LogEntry | null {
    const identity = `${row.timestamp}\n${row.type}\n${plainText(row.content)}`
    if (this.#seen.has(identity)) return null
    this.#seen.add(identity)
    const entry = createEntry(row, false, place)
    entry.droppedBy = 'replaced'
    return entry
  }
}
