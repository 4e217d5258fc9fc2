import type { NamedRows } from './session-calls.ts'

/** Which rows of a shard have which names. Sessions share most of their tools and many of their files, so each name is held once. */
export class NameTable {
  readonly #names: string[] = []
  readonly #indexes = new Map<string, number>()
  /** Row, index into the names, row, index, … */
  readonly #pairsBySession = new Map<number, Int32Array>()

  put(sessionNumber: number, { names, pairs }: NamedRows): void {
    if (pairs.length === 0) return
    const indexes = names.map((name) => this.#indexOf(name))
    this.#pairsBySession.set(
      sessionNumber,
      pairs.map((value, place) => (place % 2 === 0 ? value : (indexes[value] ?? 0))),
    )
  }

  forget(sessionNumber: number): void {
    this.#pairsBySession.delete(sessionNumber)
  }

  /** Calls back for each row with such a name, more than once where it has several. */
  forRows(isWanted: (name: string) => boolean, onRow: (row: number) => void): void {
    const wanted = Uint8Array.from(this.#names, (name) => Number(isWanted(name)))
    if (!wanted.includes(1)) return
    this.#forPairs((row, name) => {
      if (wanted[name] === 1) onRow(row)
    })
  }

  /** For each name the hits of its rows; names without any are left out. */
  sums(hitsOf: (row: number) => number): { keys: string[]; hits: number[] } {
    const sums = new Float64Array(this.#names.length)
    this.#forPairs((row, name) => {
      sums[name] = (sums[name] ?? 0) + hitsOf(row)
    })
    return {
      keys: this.#names.filter((_, name) => sums[name] !== 0),
      hits: [...sums.filter((sum) => sum !== 0)],
    }
  }

  #forPairs(onPair: (row: number, name: number) => void): void {
    for (const pairs of this.#pairsBySession.values()) {
      for (let at = 0; at < pairs.length; at += 2) onPair(pairs[at] ?? 0, pairs[at + 1] ?? 0)
    }
  }

  #indexOf(name: string): number {
    const known = this.#indexes.get(name)
    if (known !== undefined) return known
    this.#indexes.set(name, this.#names.length)
    return this.#names.push(name) - 1
  }
}
