import { type Recipe, readRecipe } from '../content/recipe.ts'
import type { PackPosition } from './pack-writer.ts'

/** Where each chunk is stored. */
export class ChunkTable {
  #bundles: PackPosition[] = []
  #chunks = new Map<string, number>()

  find(hash: string): PackPosition | null {
    const bundle = this.#chunks.get(hash)
    return bundle === undefined ? null : (this.#bundles[bundle] ?? null)
  }

  /** Of several places the last one counts: the one before was damaged. */
  add(position: PackPosition, recipe: Recipe): void {
    this.#bundles.push(position)
    for (const { hash } of readRecipe(recipe)) this.#chunks.set(hash, this.#bundles.length - 1)
  }

  bundles(): readonly PackPosition[] {
    return this.#bundles
  }

  /** What is in these bundles is not there: it is stored again when it is seen again. */
  drop(bundles: readonly PackPosition[]): void {
    if (bundles.length === 0) return
    const names = new Set(bundles.map(nameOf))
    const dropped = this.#bundles.map((bundle) => names.has(nameOf(bundle)))
    for (const [hash, place] of this.#chunks) if (dropped[place]) this.#chunks.delete(hash)
  }

  store(): { bundles: [number, number][]; chunks: Map<string, number> } {
    return { bundles: this.#bundles.map(({ pack, offset }) => [pack, offset]), chunks: this.#chunks }
  }

  restore({ bundles, chunks }: ReturnType<ChunkTable['store']>): void {
    this.#bundles = bundles.map(([pack, offset]) => ({ pack, offset }))
    this.#chunks = chunks
  }
}

function nameOf({ pack, offset }: PackPosition): string {
  return `${pack} ${offset}`
}
