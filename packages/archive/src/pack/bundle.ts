import type { Recipe } from '../content/recipe.ts'
import { ENTRY_BYTES } from '../content/recipe.ts'

const COUNT_BYTES = 4

/** A bundle's stored bytes: how many chunks, their hashes and sizes in order, then all of them compressed together. */
export function bundleParts(recipe: Recipe, compressed: Uint8Array): Uint8Array[] {
  const count = Buffer.alloc(COUNT_BYTES)
  count.writeUInt32LE(recipe.length / ENTRY_BYTES)
  return [count, recipe, compressed]
}

/** null: what stands there is none. */
export function readBundle(stored: Buffer): { recipe: Recipe; compressed: Buffer } | null {
  if (stored.length < COUNT_BYTES) return null
  const end = COUNT_BYTES + stored.readUInt32LE(0) * ENTRY_BYTES
  if (end > stored.length) return null
  return { recipe: stored.subarray(COUNT_BYTES, end), compressed: stored.subarray(end) }
}
