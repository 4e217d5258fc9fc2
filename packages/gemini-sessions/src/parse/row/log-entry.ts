import type { Superseded } from '../../model/message.ts'
import { isRawObject } from '../../raw/raw-object.ts'
import { readRowFields } from './row-fields.ts'

/** One message id of a log, and what all of its rows together say (contract rule 3). */
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
  /** By call id, unmasked results whose later rows hold a mask: of its own calls, or of those that a turn answered. */
  fullResults: ReadonlyMap<string, unknown> | null
  /** 1-based line and, for a row inside a list of messages, its 0-based index. */
  line: number | undefined
  index: number | undefined
  /** Every row so far stood in a `$set.messages`. */
  isFromRewritesOnly: boolean
  droppedBy: Superseded | null
  copyOf: LogEntry | null
  /** The first new message after a later run of the CLI opened this log. */
  opensRun: boolean
}

export interface RowPlace {
  line?: number
  index?: number
}

export function createEntry(row: unknown, isRewrite: boolean, place: RowPlace): LogEntry {
  const fields = isRawObject(row) ? row : {}
  return {
    id: typeof fields.id === 'string' ? fields.id : '',
    ...readRowFields(fields),
    tokens: fields.tokens,
    row,
    fullResults: null,
    line: place.line,
    index: place.index,
    isFromRewritesOnly: isRewrite,
    droppedBy: null,
    copyOf: null,
    opensRun: false,
  }
}
