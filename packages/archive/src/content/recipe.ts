/** What a file is put together from: for each chunk, in order, its SHA-256 and its size. */
export type Recipe = Buffer

export interface RecipeEntry {
  /** SHA-256 as a string of 32 characters, one a byte: a key of maps. */
  hash: string
  sizeBytes: number
}

const HASH_BYTES = 32
export const ENTRY_BYTES = HASH_BYTES + 4

export function toRecipe(entries: readonly RecipeEntry[]): Recipe {
  const recipe = Buffer.alloc(entries.length * ENTRY_BYTES)
  entries.forEach(({ hash, sizeBytes }, place) => {
    recipe.write(hash, place * ENTRY_BYTES, 'latin1')
    recipe.writeUInt32LE(sizeBytes, place * ENTRY_BYTES + HASH_BYTES)
  })
  return recipe
}

export function readRecipe(recipe: Recipe): RecipeEntry[] {
  return Array.from({ length: recipe.length / ENTRY_BYTES }, (_, place) => {
    const start = place * ENTRY_BYTES
    return {
      hash: recipe.toString('latin1', start, start + HASH_BYTES),
      sizeBytes: recipe.readUInt32LE(start + HASH_BYTES),
    }
  })
}

/** Size of all chunks together. */
export function recipeBytes(recipe: Recipe): number {
  let sum = 0
  for (let end = ENTRY_BYTES; end <= recipe.length; end += ENTRY_BYTES) sum += recipe.readUInt32LE(end - 4)
  return sum
}
