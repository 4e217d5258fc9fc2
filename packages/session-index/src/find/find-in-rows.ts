import type { SearchField } from '@gemini-dash/api'
import { SEARCH_FIELDS } from '@gemini-dash/api/search-fields'
import type { Message } from 'gemini-sessions'
import type { ResolvedQuery } from '../contract.ts'
import { fieldBits, fieldsOfBits, NO_MASK, type RowCondition, treeMask } from '../evaluate.ts'
import { cutSnippet, type Snippet, wordsMatcher } from '../match/query-matcher.ts'
import type { TextMatcher } from '../match/text-matcher.ts'
import { messageFacts, pathPattern, ROW_FLAGS, type RowFacts, wildcardPattern } from '../rows.ts'
import { type FieldPiece, fieldPieces } from '../text.ts'
import { withPattern } from './find-by-scan.ts'
import { hitBits } from './hits.ts'

export interface FoundInMessage extends Snippet {
  /** Index among the given messages. */
  index: number
  field: SearchField
}

/**
 * Searches some messages of one session: the same result as from the index, but in the whole of every text. Errors thrown by
 * `matcher` end it.
 */
export function findInRows(
  sessionKey: string,
  { messages, failed }: { messages: readonly Message[]; failed: ReadonlySet<string> },
  request: ResolvedQuery,
  matcher: TextMatcher | null,
): FoundInMessage[] {
  const isPattern = request.mode !== 'words' && request.pattern.trim() !== ''
  const tree = isPattern ? withPattern(request) : request.tree
  if (tree === null || (isPattern && matcher === null)) return []
  let timeMs = 0
  const rows = messages.map((message): MessageRow => {
    const pieces = fieldPieces(message)
    timeMs = Date.parse(message.timestamp ?? '') || timeMs
    const facts = messageFacts(message, pieces, failed.has(message.key) ? ROW_FLAGS.error : 0)
    return { pieces, timeMs, facts }
  })
  const maskOf = treeMask(tree, {
    fields: (index) => fieldBits(rows[index]?.pieces.map(({ field }) => field) ?? []),
    text: (text) => {
      const ofText = isPattern && matcher !== null ? matcher : wordsMatcher([text])
      return (index) => bitsWith(rows[index]?.pieces ?? [], ofText)
    },
    holds: (filter) => {
      const holds = rowCondition(filter, sessionKey)
      return (index) => {
        const row = rows[index]
        return row !== undefined && holds(row)
      }
    },
  })
  return rows.flatMap(({ pieces, facts }, index) => {
    const mask = maskOf(index)
    if (mask === NO_MASK) return []
    return fieldsOfBits(hitBits(mask, SEARCH_FIELDS.indexOf(facts.mainField))).map((field) => {
      const ofField = pieces.filter((piece) => piece.field === field)
      const piece = ofField.find(({ text }) => matcher?.isIn(text)) ?? ofField[0]
      return {
        index,
        field,
        ...(piece === undefined || matcher === null ? NOTHING : cutSnippet(piece.text, matcher)),
      }
    })
  })
}

/** The data of a message that queries use. */
interface MessageRow {
  pieces: FieldPiece[]
  timeMs: number
  facts: RowFacts
}

const NOTHING: Snippet = { snippet: '', ranges: [] }

function bitsWith(pieces: FieldPiece[], matcher: { isIn(text: string): boolean }): number {
  return pieces.reduce((found, { field, text }) => {
    const bit = fieldBits([field])
    return (found & bit) === 0 && matcher.isIn(text) ? found | bit : found
  }, 0)
}

function rowCondition(filter: RowCondition, sessionKey: string): (row: MessageRow) => boolean {
  switch (filter.kind) {
    case 'is':
    case 'has':
      return ({ facts }) => (facts.flags & ROW_FLAGS[filter.what]) !== 0
    case 'unanswered':
      return ({ facts }) => (facts.flags & ROW_FLAGS.unanswered) !== 0
    case 'tokens':
      return ({ facts }) => isCompared(facts.tokens, filter)
    case 'cost':
      return ({ facts }) => isCompared(facts.cost, filter)
    case 'before':
      return ({ timeMs }) => timeMs < filter.timeMs
    case 'after':
      return ({ timeMs }) => timeMs >= filter.timeMs
    case 'sessions':
      return () => filter.keys.includes(sessionKey)
    case 'tools':
      return ({ facts }) =>
        facts.calls.some(({ tool, failed }) => filter.names.includes(tool) && (failed || !filter.isFailed))
    case 'status': {
      const isWanted = wildcardPattern(filter.status)
      return ({ facts }) => facts.calls.some(({ status }) => isWanted(status))
    }
    default: {
      const isWanted = pathPattern(filter.pattern)
      return ({ facts }) => facts.calls.some(({ paths }) => paths.some(isWanted))
    }
  }
}

/** Unknown values (NaN) match no comparison. */
function isCompared(
  known: number,
  { compare, value }: { compare: '<' | '<=' | '=' | '>=' | '>'; value: number },
): boolean {
  switch (compare) {
    case '<':
      return known < value
    case '<=':
      return known <= value
    case '=':
      return known === value
    case '>=':
      return known >= value
    case '>':
      return known > value
  }
}
