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
  countHits: (queries: string[]) => Promise<number[]>,
): Promise<string | null> {
  const words = queryWords(query, filters)
  const wanted = [...new Set(words.map(({ word }) => word))].filter(
    (word) => word.length >= MIN_LENGTH && word !== 'and',
  )
  const closest = [...(await closestWords(wanted))].filter(([, others]) => others.length > 0)
  const best = new Map(closest.map(([word, [other = word]]) => [word, other]))
  const single = closest.flatMap(([word, others]) => others.map((other) => new Map([[word, other]])))
  const candidates = [...single.slice(0, MOST_TRIED), best]
    .map((replaced) => replaceWords(query, words, replaced))
    .filter((candidate) => candidate !== query)
  const totals = await countHits(candidates)
  return candidates.find((_, place) => (totals[place] ?? 0) > 0) ?? null
}
