import type { Superseded } from '../model/message.ts'
import { isRawObject, type RawObject } from '../raw/raw-object.ts'
import { isResultMasked } from './is-result-masked.ts'
import { hasTokens } from './lift/to-usage.ts'
import { toCallRows } from './tool-call-rows.ts'

/** One message id of a log with what its rows, taken together, say (contract rule 3). */
export interface LogEntry {
  id: string
  type: unknown
  timestamp: unknown
  content: unknown
  displayContent: unknown
  thoughts: unknown
  toolCalls: unknown
  model: unknown
  /** The last tokens > 0, else the last recorded. */
  tokens: unknown
  /** The row as the file has it, for names that no known version writes. */
  row: unknown
  /** Unmasked results of calls whose later rows hold a mask, by call id. */
  fullResults: Map<string, unknown> | null
  /** 1-based line and, for a row inside a list of messages, its 0-based index. */
  line: number | undefined
  index: number | undefined
  /** Every row so far stood in a `$set.messages`. */
  isFromRewritesOnly: boolean
  droppedBy: Superseded | null
  copyOf: LogEntry | null
}

export interface RowPlace {
  line?: number
  index?: number
}

export function createEntry(row: unknown, isRewrite: boolean, place: RowPlace): LogEntry {
  const fields = isRawObject(row) ? row : {}
  return {
    id: typeof fields.id === 'string' ? fields.id : '',
    ...toFields(fields),
    tokens: fields.tokens,
    row,
    fullResults: null,
    line: place.line,
    index: place.index,
    isFromRewritesOnly: isRewrite,
    droppedBy: null,
    copyOf: null,
  }
}

/** An ordinary row replaces the message, but a later row without tokens keeps the earlier ones. */
export function replaceWithRow(entry: LogEntry, row: RawObject, place: RowPlace): void {
  keepFullResults(entry, row.toolCalls)
  Object.assign(entry, toFields(row))
  if (hasTokens(row.tokens) || !hasTokens(entry.tokens)) entry.tokens = row.tokens
  entry.row = row
  entry.line = place.line
  entry.index = place.index
  entry.isFromRewritesOnly = false
}

/** A row of a `$set.messages` decides order and survival; it only adds what no ordinary row had. */
export function fillFromRewrite(entry: LogEntry, row: RawObject): void {
  const isWeak = entry.isFromRewritesOnly
  if (isFilled(row.content) && (isWeak || !isFilled(entry.content))) {
    entry.content = row.content
    entry.displayContent = row.displayContent
  }
  if (isFilled(row.thoughts) && (isWeak || !isFilled(entry.thoughts))) entry.thoughts = row.thoughts
  if (isFilled(row.toolCalls) && (isWeak || !isFilled(entry.toolCalls))) {
    keepFullResults(entry, row.toolCalls)
    entry.toolCalls = row.toolCalls
  }
  if (isFilled(row.model) && (isWeak || !isFilled(entry.model))) entry.model = row.model
  if (hasTokens(row.tokens)) entry.tokens = row.tokens
}

function toFields(row: RawObject) {
  return {
    type: row.type,
    timestamp: row.timestamp,
    content: row.content,
    displayContent: row.displayContent,
    thoughts: row.thoughts,
    toolCalls: row.toolCalls,
    model: row.model,
  }
}

function isFilled(value: unknown): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== null
}

/** Masking (0.29+) replaces long outputs of old calls by a short note; the rows before still hold them. */
function keepFullResults(entry: LogEntry, newCalls: unknown): void {
  if (!toCallRows(newCalls).some((call) => isResultMasked(call.result, call.id))) return
  for (const call of toCallRows(entry.toolCalls)) {
    if (typeof call.id !== 'string' || isResultMasked(call.result, call.id)) continue
    entry.fullResults ??= new Map()
    entry.fullResults.set(call.id, call.result)
  }
}
