import type { Database } from '../driver.ts'

/** An indexed word similar to the wanted one. */
export interface CloseWord {
  word: string
  distance: number
  /** Number of texts with it. */
  texts: number
}

const MIN_LENGTH = 3
const MAX_WORDS = 20
/** Bounds the time if very many words begin with a letter. */
const MAX_LOOKED_AT = 50_000

/**
 * Indexed words that differ from the wanted one in a letter or two, closest first. Considers words that begin with its first or second
 * letter, in case of a typo at the very beginning.
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

/** Closest first, then the most frequent. */
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

/** Edit distance with insertions, deletions, replacements and swaps of neighbors; above `limit`, any larger number. */
export function editDistance(a: string, b: string, limit: number): number {
  const [one, other] = [[...a], [...b]]
  if (Math.abs(one.length - other.length) > limit) return limit + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [i, letter] of one.entries()) {
    const row = [i + 1]
    for (const [j, wanted] of other.entries()) {
      const replaced = (last[j] ?? 0) + Number(letter !== wanted)
      const isSwap = i > 0 && j > 0 && letter === other[j - 1] && one[i - 1] === wanted
      const swapped = isSwap ? (beforeLast[j - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min((last[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1, replaced, swapped))
    }
    if (Math.min(...row) > limit) return limit + 1
    beforeLast = last
    last = row
  }
  return last[other.length] ?? 0
}
