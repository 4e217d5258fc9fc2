import { createHash } from 'node:crypto'
import { type Recipe, toRecipe } from '../content/recipe.ts'
import type { Note } from './note.ts'

export type AddedNote = Extract<Note, { kind: 'added' }>

/** What stands in the note itself is a chunk as any other. */
export function addedChunk({ text }: Pick<AddedNote, 'text'>): {
  bytes: Buffer
  hash: string
  recipe: Recipe
} {
  const bytes = Buffer.from(text)
  const hash = createHash('sha256').update(bytes).digest('binary')
  return { bytes, hash, recipe: toRecipe([{ hash, sizeBytes: bytes.length }]) }
}
