import { queryWords, replaceWords, type WrittenFilter } from '@gemini-dash/session-index'

/** Fewer letters than this are a slip of nothing in particular. */
const MIN_LENGTH = 3
/** Each candidate costs a search. */
const MOST_TRIED = 6

/** A query of words that are there, where the one that was typed finds nothing: each word in turn is taken for a slip, then all. */
export async function didYouMean(
  query: string,
  filters: WrittenFilter[],
  closestWords: (words: string[]) => Promise<Map<string, string[]>>,
  countHits: (q: string) => Promise<number>,
): Promise<string | null> {
  const words = queryWords(query, filters)
  const wanted = [...new Set(words.map(({ word }) => word))].filter(
    (word) => word.length >= MIN_LENGTH && word !== 'and',
  )
  const closest = [...(await closestWords(wanted))].filter(([, others]) => others.length > 0)
  const best = new Map(closest.map(([word, [other = word]]) => [word, other]))
  const single = closest.flatMap(([word, others]) => others.map((other) => new Map([[word, other]])))
  for (const replaced of [...single.slice(0, MOST_TRIED), best]) {
    const candidate = replaceWords(query, words, replaced)
    if (candidate !== query && (await countHits(candidate)) > 0) return candidate
  }
  return null
}
