import type { HitsBy } from './shard-found.ts'

/** Adds up by number. Cheap where equal numbers follow each other, as those of a session's rows do. */
export class RunCounts {
  readonly #sums = new Map<number, number>()
  #current = Number.NaN
  #sum = 0

  add(number: number, count: number): void {
    if (number !== this.#current) {
      this.#keep()
      this.#current = number
      this.#sum = 0
    }
    this.#sum += count
  }

  by<Key>(keyOf: (number: number) => Key): HitsBy<Key> {
    this.#keep()
    this.#sum = 0
    return { keys: [...this.#sums.keys()].map(keyOf), hits: [...this.#sums.values()] }
  }

  #keep(): void {
    if (this.#sum > 0) this.#sums.set(this.#current, (this.#sums.get(this.#current) ?? 0) + this.#sum)
  }
}
