import type { FindQuery, FindResult } from '@gemini-dash/api'
import type { HitTerm } from '../../content/text/hit-context.ts'

/** More different matches than are worth marking. */
const MOST_TERMS = 100

/** What a find has matched, as it stands in the messages: words are marked whole, other matches wherever they are. */
export function foundTerms(hits: FindResult['hits'], mode: FindQuery['mode']): HitTerm[] {
  const found = new Set<string>()
  for (const { snippet, ranges } of hits) {
    for (const [start, end] of ranges) found.add(snippet.slice(start, end))
    if (found.size >= MOST_TERMS) break
  }
  return [...found].map((word) => (mode === 'words' ? { word } : word))
}
