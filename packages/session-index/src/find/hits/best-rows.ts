import { compareHits, type RankedRow } from './compare-hits.ts'

export type BestRow = RankedRow & { row: number }

/** The first so many rows in the order of hits, without sorting all that are offered. */
export class BestRows {
  readonly #wanted: number
  readonly #describe: (row: number) => RankedRow
  #kept: BestRow[] = []
  /** The last of the best so far, once there are enough. */
  #last: RankedRow | undefined

  constructor(wanted: number, describe: (row: number) => RankedRow) {
    this.#wanted = wanted
    this.#describe = describe
  }

  offer(row: number, score: number, timeMs: number): void {
    const last = this.#last
    if (last !== undefined && (score < last.score || (score === last.score && timeMs < last.timeMs))) return
    if (this.#wanted === 0) return
    this.#kept.push({ row, ...this.#describe(row) })
    if (this.#kept.length >= 2 * this.#wanted + 100) this.#cut()
  }

  inOrder(): BestRow[] {
    this.#cut()
    return this.#kept
  }

  #cut(): void {
    this.#kept = this.#kept.sort(compareHits).slice(0, this.#wanted)
    if (this.#kept.length === this.#wanted) this.#last = this.#kept.at(-1)
  }
}
