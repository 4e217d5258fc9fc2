import type { FindResult } from '@gemini-dash/api'

/** More different matches of a pattern than are worth marking. */
const MOST_TERMS = 100

/** What a pattern matched, as texts that can be marked. */
export function foundTerms(hits: FindResult['hits']): string[] {
  const terms = hits.flatMap(({ snippet, ranges }) => ranges.map(([start, end]) => snippet.slice(start, end)))
  return [...new Set(terms)].slice(0, MOST_TERMS)
}
