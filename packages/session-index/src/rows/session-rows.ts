import { SEARCH_FIELDS } from '../database/schema.ts'

const FIELDS = SEARCH_FIELDS.length
const BYTES_PER_SLOT = 3 * 8 + 3 * 4 + 2 * 2 + 1 + FIELDS

const COLUMNS = [
  'timesMs',
  'tokens',
  'costs',
  'rows',
  'places',
  'records',
  'flags',
  'files',
  'mainFields',
] as const

/** The rows of one session, by slot: slot 0 is the title, then its messages. Laid out as they are stored. */
export class SessionRows {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly slots: number
  /** Milliseconds since 1970. */
  readonly timesMs: Float64Array
  readonly tokens: Float64Array
  readonly costs: Float64Array
  /** The row of the whole shard that the slot has; -1 where its message is gone. */
  readonly rows: Int32Array
  /** Position in the session. */
  readonly places: Int32Array
  /** Line (1-based) or, below 0, the bitwise complement of the index of the record that decides the message; 0 is unknown. */
  readonly records: Int32Array
  readonly flags: Uint16Array
  /** Which of the group's files holds that record. */
  readonly files: Uint16Array
  /** Number of the main field. */
  readonly mainFields: Uint8Array
  /** For each slot the length of the text in each field; see `lengthCode`. */
  readonly lengths: Uint8Array

  constructor(slots: number, bytes = new Uint8Array(slots * BYTES_PER_SLOT)) {
    this.slots = slots
    this.bytes = bytes
    let offset = 0
    const next = (bytesPerSlot: number): [ArrayBuffer, number, number] => {
      const start = offset
      offset += slots * bytesPerSlot
      return [bytes.buffer, start, slots]
    }
    this.timesMs = new Float64Array(...next(8))
    this.tokens = new Float64Array(...next(8))
    this.costs = new Float64Array(...next(8))
    this.rows = new Int32Array(...next(4))
    this.places = new Int32Array(...next(4))
    this.records = new Int32Array(...next(4))
    this.flags = new Uint16Array(...next(2))
    this.files = new Uint16Array(...next(2))
    this.mainFields = new Uint8Array(...next(1))
    this.lengths = new Uint8Array(bytes.buffer, offset, slots * FIELDS)
  }

  /** A copy of so many slots. */
  first(slots: number): SessionRows {
    const cut = new SessionRows(slots)
    for (const column of COLUMNS) cut[column].set(this[column].subarray(0, slots))
    cut.lengths.set(this.lengths.subarray(0, slots * FIELDS))
    return cut
  }

  static decode(stored: unknown): SessionRows {
    if (!(stored instanceof Uint8Array)) return new SessionRows(0)
    // Copied, as the bytes of a row need not be aligned to eight.
    return new SessionRows(Math.floor(stored.length / BYTES_PER_SLOT), new Uint8Array(stored))
  }
}

/** A length in bytes, eight steps to a doubling; 0 is no text at all. */
export function lengthCode(bytes: number): number {
  return Math.min(255, 1 + Math.round(Math.log2(Math.max(1, bytes)) * 8))
}

export function lengthOfCode(code: number): number {
  return code === 0 ? 0 : 2 ** ((code - 1) / 8)
}
