import { foldText, foldTextOnly } from './fold-text.ts'

/** A word so short is meant as it stands: left-out letters would find anything. */
const MIN_LOOSE_LENGTH = 3

/** What is looked for, word by word, folded as texts are. */
export function nearWords(wanted: string): string[] {
  return foldTextOnly(wanted)
    .split(/\s+/)
    .filter((word) => word !== '')
}

/**
 * Where a folded text holds every word: as a part of it, or as one of its words with letters left out (`chekout` is in
 * `checkout`). Pairs of start and exclusive end, one a word, in the order of `words`; null where one is not there.
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

/** The same in the text as it was written, in order and without overlaps: to be marked. */
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

/** A word of the text that begins with the same letter and has all others in their order, and not many more. */
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
