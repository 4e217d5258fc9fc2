import type { SearchField } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import type { ResolvedQuery } from '../contract/index-search.ts'
import { SEARCH_FIELDS } from '../database/schema.ts'
import { evaluateTree } from '../evaluate/evaluate-tree.ts'
import { filterRows } from '../evaluate/filter-rows.ts'
import { fieldBits, HOLDS, type RowMasks } from '../evaluate/row-masks.ts'
import { cutSnippet, type Snippet } from '../match/cut-snippet.ts'
import type { TextMatcher } from '../match/text-matcher.ts'
import { wordsMatcher } from '../match/words-matcher.ts'
import { NameTable } from '../rows/name-table.ts'
import { messageFacts } from '../rows/row-facts.ts'
import { ROW_FLAGS } from '../rows/row-flags.ts'
import { RowTable } from '../rows/row-table.ts'
import { toSessionCalls } from '../rows/session-calls.ts'
import { lengthCode, SessionRows } from '../rows/session-rows.ts'
import { type FieldPiece, fieldPieces } from '../text/field-pieces.ts'
import { withPattern } from './find-by-scan.ts'
import { fieldsOfRow } from './hits/hit-fields.ts'

export interface FoundInMessage extends Snippet {
  /** Place among the given messages. */
  index: number
  field: SearchField
}

const SESSION = 1

/** What a search finds in some messages of one session: the same as the index would, but in the whole of every text. What `matcher` throws ends it. */
export function findInRows(
  sessionKey: string,
  { messages, failed }: { messages: readonly Message[]; failed: ReadonlySet<string> },
  request: ResolvedQuery,
  matcher: TextMatcher | null,
): FoundInMessage[] {
  const isPattern = request.mode !== 'words' && request.pattern.trim() !== ''
  const tree = isPattern ? withPattern(request) : request.tree
  if (tree === null || (isPattern && matcher === null)) return []
  const pieces = messages.map(fieldPieces)
  const { table, calls } = toTable(messages, pieces, failed)
  const masks = evaluateTree(tree, {
    table,
    findText: (text, fields) =>
      textRows(pieces, isPattern && matcher !== null ? matcher : wordsMatcher([text]), fields),
    findFilter: (filter) =>
      filterRows(filter, {
        table,
        sessionNumbers: (keys) => (keys.includes(sessionKey) ? [SESSION] : []),
        calls: (kind) => {
          const names = new NameTable()
          names.put(SESSION, calls[kind])
          return names
        },
      }),
  })
  return messages.flatMap((_, index) =>
    masks[index] === 0
      ? []
      : fieldsOfRow(masks, table, index).map((field) => {
          const ofField = (pieces[index] ?? []).filter((piece) => piece.field === field)
          const piece = ofField.find(({ text }) => matcher?.isIn(text)) ?? ofField[0]
          return {
            index,
            field,
            ...(piece === undefined || matcher === null ? NOTHING : cutSnippet(piece.text, matcher)),
          }
        }),
  )
}

const NOTHING: Snippet = { snippet: '', ranges: [] }

function toTable(messages: readonly Message[], pieces: FieldPiece[][], failed: ReadonlySet<string>) {
  const rows = new SessionRows(messages.length)
  let timeMs = 0
  for (const [slot, message] of messages.entries()) {
    const its = pieces[slot] ?? []
    const { flags, tokens, cost, mainField } = messageFacts(
      message,
      its,
      failed.has(message.key) ? ROW_FLAGS.error : 0,
    )
    timeMs = Date.parse(message.timestamp ?? '') || timeMs
    rows.rows[slot] = slot
    rows.places[slot] = slot
    rows.timesMs[slot] = timeMs
    rows.flags[slot] = flags
    rows.tokens[slot] = tokens
    rows.costs[slot] = cost
    rows.mainFields[slot] = SEARCH_FIELDS.indexOf(mainField)
    for (const { field, text } of its)
      rows.lengths[slot * SEARCH_FIELDS.length + SEARCH_FIELDS.indexOf(field)] = lengthCode(text.length)
  }
  const calls = toSessionCalls(
    messages.map((message, slot) => [slot, messageFacts(message, pieces[slot] ?? [], 0).calls]),
  )
  return { table: new RowTable([[SESSION, rows]]), calls }
}

function textRows(
  pieces: FieldPiece[][],
  matcher: { isIn(text: string): boolean },
  fields: number,
): RowMasks {
  return Uint32Array.from(pieces, (its) => {
    const bits = its.reduce((found, { field, text }) => {
      const bit = fieldBits([field])
      return (fields & bit) !== 0 && (found & bit) === 0 && matcher.isIn(text) ? found | bit : found
    }, 0)
    return bits === 0 ? 0 : HOLDS | bits
  })
}
