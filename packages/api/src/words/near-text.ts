import { foldText, foldTextOnly } from './fold-text.ts'

/** Shorter words must match exactly: with omitted letters they would match anything. */
const MIN_LOOSE_LENGTH = 3

/** The folded words to search for. */
export function nearWords(wanted: string): string[] {
  return foldTextOnly(wanted)
    .split(/\s+/)
    .filter((word) => word !== '')
}

/**
 * Where a folded text contains every word: as a substring, or as one of its words with letters omitted (`chekout` is in
 * `checkout`). Pairs of start and exclusive end, one per word, in the order of `words`; null if one is missing.
 */
export function findNear(folded: string, words: readonly string[]): [number, number][] | null {
  const found: [number, number][] = []
  for (const word of words) {
    const at = folded.indexOf(word)
    const range: [number, number] | null = at === -1 ? findLoosely(folded, word) : [at, at + word.length]
    if (range === null) return null
    found.push(range)
  }
  return found
}

/** The same in the original text, in order and without overlaps, for highlighting. */
export function nearRanges(original: string, words: readonly string[]): [number, number][] | null {
  const { text, startInOriginal, endInOriginal } = foldText(original)
  const found = findNear(text, words)
  if (found === null) return null
  const ranges: [number, number][] = []
  for (const [start, end] of found.toSorted(([a], [b]) => a - b)) {
    const last = ranges.at(-1)
    if (last !== undefined && startInOriginal(start) <= last[1])
      last[1] = Math.max(last[1], endInOriginal(end))
    else ranges.push([startInOriginal(start), endInOriginal(end)])
  }
  return ranges
}

/** A word that begins with the same letter, has all others in order, and is not much longer. */
function findLoosely(folded: string, wanted: string): [number, number] | null {
  if (wanted.length < MIN_LOOSE_LENGTH) return null
  for (const { 0: word, index } of folded.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (word[0] !== wanted[0] || word.length > wanted.length * 2) continue
    let reached = 0
    for (const letter of word) if (letter === wanted[reached]) reached += 1
    if (reached === wanted.length) return [index, index + word.length]
  }
  return null
}
