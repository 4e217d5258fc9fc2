import { foldText } from '@gemini-dash/api/fold-text'
import { tokenize } from '../../text/tokenize.ts'
import type { WrittenFilter } from './query-tree.ts'

/** A word of a query, as the index knows it, and where it stands. */
export interface QueryWord {
  word: string
  /** UTF-16 offsets into the query, `end` exclusive. */
  start: number
  end: number
}

/** The words that a query looks for; those of its filters are not among them. */
export function queryWords(query: string, filters: WrittenFilter[]): QueryWord[] {
  const folded = foldText(query)
  return tokenize(folded.text)
    .map(({ text, start, end }) => ({
      word: text,
      start: folded.startInOriginal(start),
      end: folded.endInOriginal(end),
    }))
    .filter(({ start, end }) => !filters.some((filter) => start < filter.end && end > filter.start))
}

/** The query with other words in the place of some. */
export function replaceWords(query: string, words: QueryWord[], others: ReadonlyMap<string, string>): string {
  let text = ''
  let at = 0
  for (const { word, start, end } of words) {
    const other = others.get(word)
    if (other === undefined) continue
    text += query.slice(at, start) + other
    at = end
  }
  return text + query.slice(at)
}
