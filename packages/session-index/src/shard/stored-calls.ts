import type { Database } from '../driver/database.ts'
import { readSessionCalls, type SessionCalls } from '../rows/session-calls.ts'

/** Characters of JSON; decoded they take about twice as much memory. */
const MAX_KEPT_LENGTH = 8 * 1024 * 1024
const READ_AT_ONCE = 200

/** The calls of the shard's sessions, read when a filter asks for them; as many as fit are kept. */
export class StoredCalls {
  readonly #database: Database
  readonly #kept = new Map<number, { calls: SessionCalls; length: number }>()
  #keptLength = 0

  constructor(database: Database) {
    this.#database = database
  }

  *all(sessionNumbers: Iterable<number>): Generator<[sessionNumber: number, calls: SessionCalls]> {
    const unknown: number[] = []
    for (const number of sessionNumbers) {
      const known = this.#kept.get(number)
      if (known === undefined) unknown.push(number)
      else yield [number, known.calls]
    }
    for (let first = 0; first < unknown.length; first += READ_AT_ONCE) {
      yield* this.#read(unknown.slice(first, first + READ_AT_ONCE))
    }
  }

  forget(sessionNumber: number): void {
    this.#keptLength -= this.#kept.get(sessionNumber)?.length ?? 0
    this.#kept.delete(sessionNumber)
  }

  #read(numbers: number[]): [sessionNumber: number, calls: SessionCalls][] {
    const rows = this.#database.all(
      'SELECT number, calls FROM session WHERE number IN (SELECT value FROM json_each(?))',
      JSON.stringify(numbers),
    )
    return rows.map((row) => {
      const number = Number(row.number)
      const json = String(row.calls)
      const calls = readSessionCalls(json)
      if (this.#keptLength < MAX_KEPT_LENGTH) {
        this.#kept.set(number, { calls, length: json.length })
        this.#keptLength += json.length
      }
      return [number, calls]
    })
  }
}
