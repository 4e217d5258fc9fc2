import type { RawObject } from '../raw/raw-object.ts'
import { keepFullResults } from './keep-full-results.ts'
import { hasTokens } from './lift/has-tokens.ts'
import type { LogEntry, RowPlace } from './log-entry.ts'
import { readRowFields } from './read-row-fields.ts'

/** An ordinary row replaces the message, but a later row without tokens keeps the earlier ones. */
export function replaceWithRow(entry: LogEntry, row: RawObject, place: RowPlace): void {
  keepFullResults(entry, row)
  Object.assign(entry, readRowFields(row))
  if (hasTokens(row.tokens) || !hasTokens(entry.tokens)) entry.tokens = row.tokens
  entry.row = row
  entry.line = place.line
  entry.index = place.index
  entry.isFromRewritesOnly = false
}
