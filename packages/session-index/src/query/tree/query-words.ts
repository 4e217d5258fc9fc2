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

/** A query without one of its pieces, and without what joined or enclosed only that. */
export function withoutFilter(query: string, { start, end }: { start: number; end: number }): string {
  let before = query.slice(0, start).trimEnd()
  let after = query.slice(end).trimStart()
  for (let isEnclosed = true; isEnclosed; ) {
    isEnclosed = /(?:^|[\s(])-?\($/.test(before) && after.startsWith(')')
    if (isEnclosed) {
      before = before.replace(/-?\($/, '').trimEnd()
      after = after.slice(1).trimStart()
    }
  }
  const isFirst = before === '' || before.endsWith('(')
  const isLast = after === '' || after.startsWith(')')
  if (isFirst) after = after.replace(/^(?:OR|AND)\s+/, '')
  else if (isLast || /^(?:OR|AND)\s/.test(after)) before = before.replace(/\s+(?:OR|AND)$/, '')
  const gap = before === '' || after === '' || before.endsWith('(') || after.startsWith(')') ? '' : ' '
  return `${before}${gap}${after}`
}
