import { inQuotes, needsQuotes, unquote } from './filter/quoted.ts'
import { readFieldValue } from './filter/read-field-value.ts'
import { isQueryField } from './filter/read-filter.ts'
import { lexQuery } from './lex-query.ts'

/** What could be completed where somebody types. */
export interface Completion {
  /** The filter whose value is being typed; null: a word, or the name of a filter. */
  field: string | null
  /** What is there of it, without quotes and sign. */
  typed: string
  /** What a completion replaces (UTF-16 offsets, `end` exclusive). */
  start: number
  end: number
}

/** The word or value around the caret; null between words and inside of a phrase. */
export function findCompletion(query: string, at: number): Completion | null {
  const token = lexQuery(query).tokens.find(({ start, end }) => start < at && at <= end)
  if (token === undefined) return null
  const { start, end, isNegated } = token
  const written = readFieldValue(query.slice(0, end), start)
  if (written !== null && isQueryField(written.field) && at >= written.valueStart)
    return completeValue(query, at, { field: written.field, valueStart: written.valueStart, end })
  if (token.kind === 'phrase' || token.kind === 'close' || token.kind === 'open') return null
  const wordStart = start + (isNegated ? 1 : 0)
  return { field: null, typed: query.slice(wordStart, at), start: wordStart, end }
}

/** The one of several values that the caret stands in. */
function completeValue(
  query: string,
  at: number,
  { field, valueStart, end }: { field: string; valueStart: number; end: number },
): Completion {
  const before = query.slice(valueStart, at)
  const start = valueStart + before.lastIndexOf(',') + 1
  const nextComma = query.slice(at, end).indexOf(',')
  return {
    field,
    typed: unquote(query.slice(start, at)),
    start,
    end: nextComma === -1 ? end : at + nextComma,
  }
}

/** A value as it has to be written in a query. */
export function writeValue(value: string): string {
  return needsQuotes(value) ? inQuotes(value) : value
}
