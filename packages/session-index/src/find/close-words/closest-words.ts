import type { Database } from '../../driver/database.ts'
import { editDistance } from './edit-distance.ts'

/** A word of the index that is nearly the wanted one. */
export interface CloseWord {
  word: string
  distance: number
  /** Texts that hold it. */
  texts: number
}

const MIN_LENGTH = 3
const MAX_WORDS = 20
/** Bounds the time where a letter begins very many words. */
const MAX_LOOKED_AT = 50_000

/**
 * Words of the index that differ from the wanted one in a letter or two, closest first. Looked for are words that begin
 * with its first letter or its second, as a slip at the very beginning leaves.
 */
export function closestWords(database: Database, wanted: string): CloseWord[] {
  const letters = [...wanted]
  if (letters.length < MIN_LENGTH) return []
  const allowed = letters.length < 5 ? 1 : 2
  return [...new Set(letters.slice(0, 2))]
    .flatMap((first) => wordsFrom(database, first, letters.length, allowed))
    .map(([word, texts]) => ({ word, distance: editDistance(word, wanted, allowed), texts }))
    .filter(({ distance }) => distance > 0 && distance <= allowed)
    .sort(compareCloseWords)
    .slice(0, MAX_WORDS)
}

/** Closest first, then those in most texts. */
export function compareCloseWords(a: CloseWord, b: CloseWord): number {
  return a.distance - b.distance || b.texts - a.texts || (a.word < b.word ? -1 : 1)
}

function wordsFrom(database: Database, first: string, length: number, allowed: number): [string, number][] {
  const row = database.get(
    `SELECT json_group_array(json_array(term, doc)) AS words FROM (
      SELECT term, doc FROM word
      WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ? LIMIT ?)`,
    first,
    `${first}\u{10ffff}`,
    length - allowed,
    length + allowed,
    MAX_LOOKED_AT,
  )
  return JSON.parse(String(row?.words ?? '[]'))
}
