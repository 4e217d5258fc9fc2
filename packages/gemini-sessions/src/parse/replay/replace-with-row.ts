import type { RawObject } from '../../raw/raw-object.ts'
import { hasTokens } from '../lift/tokens/has-tokens.ts'
import type { LogEntry, RowPlace } from '../row/log-entry.ts'
import { readRowFields } from '../row/read-row-fields.ts'
import { keepFullResults } from './keep-full-results.ts'

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
