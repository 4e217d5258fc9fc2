import type { RawObject } from '../../raw/raw-object.ts'
import { hasTokens } from '../lift/tokens/has-tokens.ts'
import type { LogEntry, RowPlace } from '../row/log-entry.ts'
import { isFilled } from './is-filled.ts'
import { keepFullResults } from './keep-full-results.ts'

/** A row of a `$set.messages` decides order and survival; it only adds what no ordinary row had. */
export function fillFromRewrite(entry: LogEntry, row: RawObject, place: RowPlace = {}): void {
  const isWeak = entry.isFromRewritesOnly
  if (isFilled(row.content) && (isWeak || !isFilled(entry.content))) {
    // the same words again leave the message where it was first written
    if (JSON.stringify(row.content) !== JSON.stringify(entry.content)) Object.assign(entry, place)
    keepFullResults(entry, { type: row.type, content: row.content })
    entry.content = row.content
    entry.displayContent = row.displayContent
  }
  if (isFilled(row.thoughts) && (isWeak || !isFilled(entry.thoughts))) entry.thoughts = row.thoughts
  if (isFilled(row.toolCalls) && (isWeak || !isFilled(entry.toolCalls))) {
    keepFullResults(entry, { toolCalls: row.toolCalls })
    entry.toolCalls = row.toolCalls
  }
  if (isFilled(row.model) && (isWeak || !isFilled(entry.model))) entry.model = row.model
  if (hasTokens(row.tokens)) entry.tokens = row.tokens
}
