import { SEARCH_FIELDS } from '../database/schema.ts'
import type { SessionRows } from './session-rows.ts'

const FIELDS = SEARCH_FIELDS.length

/**
 * What is known of every row of a shard, by the number of the row: about 50 bytes each, so that filters,
 * counts and order need neither the database nor the sessions. Numbers of rows that are gone are given again.
 */
export class RowTable {
  /** One more than the highest number of a row. */
  size = 0
  /** Rows that are there; numbers may be free between them. */
  count = 0
  timesMs = new Float64Array(0)
  tokens = new Float64Array(0)
  costs = new Float64Array(0)
  /** Number of the row's session; 0 where there is no row. */
  sessions = new Int32Array(0)
  slots = new Int32Array(0)
  places = new Int32Array(0)
  flags = new Uint16Array(0)
  mainFields = new Uint8Array(0)
  /** Bits of the fields that the row has text in. */
  fields = new Uint8Array(0)
  lengths = new Uint8Array(0)
  readonly #rowsBySession = new Map<number, Int32Array>()
  readonly #free: number[] = []

  constructor(stored: Iterable<[sessionNumber: number, rows: SessionRows]>) {
    for (const [number, rows] of stored) this.add(number, rows)
    for (let row = this.size - 1; row >= 0; row--) if (this.sessions[row] === 0) this.#free.push(row)
  }

  /** The rows of a session by slot; -1 where a slot is free. */
  rowsOf(sessionNumber: number): Int32Array {
    return this.#rowsBySession.get(sessionNumber) ?? NO_ROWS
  }

  /** A number for a new row. */
  allocate(): number {
    return this.#free.pop() ?? this.#grow(this.size + 1)
  }

  add(sessionNumber: number, from: SessionRows): void {
    this.#rowsBySession.set(sessionNumber, from.rows.slice())
    for (let slot = 0; slot < from.slots; slot++) {
      const row = from.rows[slot] ?? -1
      if (row < 0) continue
      this.#grow(row + 1)
      if (this.sessions[row] === 0) this.count += 1
      this.sessions[row] = sessionNumber
      this.slots[row] = slot
      this.timesMs[row] = from.timesMs[slot] ?? 0
      this.tokens[row] = from.tokens[slot] ?? Number.NaN
      this.costs[row] = from.costs[slot] ?? Number.NaN
      this.places[row] = from.places[slot] ?? 0
      this.flags[row] = from.flags[slot] ?? 0
      this.mainFields[row] = from.mainFields[slot] ?? 0
      let bits = 0
      for (let field = 0; field < FIELDS; field++) {
        const length = from.lengths[slot * FIELDS + field] ?? 0
        this.lengths[row * FIELDS + field] = length
        if (length > 0) bits |= 1 << field
      }
      this.fields[row] = bits
    }
  }

  /** Forgets a session. Those of its rows that it does not keep may be given to others. */
  remove(sessionNumber: number, kept: ReadonlySet<number> = new Set()): void {
    for (const row of this.rowsOf(sessionNumber)) {
      if (row < 0) continue
      if (this.sessions[row] !== 0) this.count -= 1
      this.sessions[row] = 0
      if (!kept.has(row)) this.#free.push(row)
    }
    this.#rowsBySession.delete(sessionNumber)
  }

  /** Makes room for so many rows; gives the number of the last one. */
  #grow(size: number): number {
    this.size = Math.max(this.size, size)
    if (size > this.sessions.length) {
      const capacity = Math.max(1024, size + (size >> 1))
      this.timesMs = enlarged(this.timesMs, new Float64Array(capacity))
      this.tokens = enlarged(this.tokens, new Float64Array(capacity))
      this.costs = enlarged(this.costs, new Float64Array(capacity))
      this.sessions = enlarged(this.sessions, new Int32Array(capacity))
      this.slots = enlarged(this.slots, new Int32Array(capacity))
      this.places = enlarged(this.places, new Int32Array(capacity))
      this.flags = enlarged(this.flags, new Uint16Array(capacity))
      this.mainFields = enlarged(this.mainFields, new Uint8Array(capacity))
      this.fields = enlarged(this.fields, new Uint8Array(capacity))
      this.lengths = enlarged(this.lengths, new Uint8Array(capacity * FIELDS))
    }
    return size - 1
  }
}

const NO_ROWS = new Int32Array(0)

function enlarged<Column extends { set(values: Column): void }>(old: Column, empty: Column): Column {
  empty.set(old)
  return empty
}
