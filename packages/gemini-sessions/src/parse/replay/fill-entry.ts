import type { RawObject } from '../../raw/raw-object.ts'
import { isRawObject } from '../../raw/raw-object.ts'
import { flattenContent } from '../lift/parts/plain-text.ts'
import { hasTokens } from '../lift/tokens/token-counts.ts'
import type { LogEntry, RowPlace } from '../row/log-entry.ts'
import { isResultMasked } from '../row/masks.ts'
import { readRowFields, toCallRows } from '../row/row-fields.ts'

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

/** Adds from a `$patch` update (after 0.61) what the message's own rows did not have: content, results of calls. */
export function fillFromPatch(entry: LogEntry, update: RawObject): void {
  // a patch holds no message that could be shown as the record of this one
  fillFromRewrite(entry, { content: update.content })
  const { toolCalls: updates } = update
  if (!Array.isArray(updates) || !Array.isArray(entry.toolCalls)) return
  entry.toolCalls = entry.toolCalls.map((call) => {
    const patch = updates.find((row) => isRawObject(row) && isRawObject(call) && row.id === call.id)
    const isMissing = isRawObject(call) && (call.result === undefined || call.result === null)
    return isMissing && isRawObject(patch) ? { ...call, result: patch.result } : call
  })
}

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

/** A field of a row that says something. */
export function isFilled(value: unknown): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== null
}

/**
 * Masking (0.29+) replaces long outputs of old calls by a short note, in the calls and in the `user` turns that
 * brought the results. Remembers, before a row replaces them, what the entry still holds in full.
 */
function keepFullResults(entry: LogEntry, row: RawObject): void {
  const full = new Map<string, unknown>()
  if (toCallRows(row.toolCalls).some((call) => isResultMasked(call.result, call.id))) {
    for (const call of toCallRows(entry.toolCalls)) keep(full, call.id, call.result)
  }
  if (row.type === 'user' && typeof row.content !== 'string') {
    for (const part of flattenContent(row.content)) {
      const id =
        isRawObject(part) && isRawObject(part.functionResponse) ? part.functionResponse.id : undefined
      if (id !== undefined && isResultMasked(row.content, id)) keep(full, id, entry.content)
    }
  }
  // Another map, so that who looks at the entry again sees that it has changed.
  if (full.size > 0) entry.fullResults = new Map([...(entry.fullResults ?? []), ...full])
}

function keep(full: Map<string, unknown>, callId: unknown, result: unknown): void {
  if (typeof callId === 'string' && !isResultMasked(result, callId)) full.set(callId, result)
}
