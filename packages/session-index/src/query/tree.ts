import type { SearchField } from '@gemini-dash/api'
import { foldText } from '@gemini-dash/api/fold-text'
import type { SessionProgram } from 'gemini-sessions'
import { tokenize } from '../text.ts'

/**
 * Conditions for one row of the index: a message, or a session's title. All conditions of a tree apply to the same row. A filter on a
 * session matches all rows of that session.
 */
export type QueryTree<Filter = QueryFilter> =
  | { kind: 'and'; of: QueryTree<Filter>[] }
  | { kind: 'or'; of: QueryTree<Filter>[] }
  | { kind: 'not'; of: QueryTree<Filter> }
  | QueryText
  | Filter

/** Consecutive words: one word, the parts of an identifier, or a quoted phrase. Folded and split like the index. */
export interface QueryText {
  kind: 'text'
  words: string[]
  /** The last word may continue: `prefix*`. */
  isPrefix: boolean
}

export type QueryFilter = SessionFilter | ToolFilter | RowFilter

/** Session properties known only to the store. */
export type SessionFilter =
  | { kind: 'project'; name: string }
  | { kind: 'model'; pattern: string }
  | { kind: 'session'; idPrefix: string }
  | { kind: 'is'; what: 'live' | 'subagent' | 'starred' }
  | { kind: 'source'; program: SessionProgram }
  /** The user's tags and notes: one of its tags, part of a note. */
  | { kind: 'tag'; name: string }
  | { kind: 'note'; text: string }

/** A tool call by a typed name. The store resolves it to tools. */
export interface ToolFilter {
  kind: 'tool'
  pattern: string
}

/** Properties that the index knows for each row. */
export type RowFilter =
  | { kind: 'is'; what: 'error' | 'superseded' }
  /** With other conditions of an `and`: where its words are searched for. Alone: rows that have such text. */
  | { kind: 'in'; fields: SearchField[] }
  /** A call with this status. */
  | { kind: 'status'; status: string }
  /** A path touched by a call: a whole path, its end, or a glob. */
  | { kind: 'file'; pattern: string }
  | { kind: 'has'; what: 'diff' | 'image' | 'thoughts' | 'data' | 'saved' }
  // Of a message, or of the whole session if the row is its title.
  | { kind: 'tokens' | 'cost'; compare: '<' | '<=' | '=' | '>=' | '>'; value: number }
  /** Milliseconds since 1970. `before` is exclusive, `after` inclusive. */
  | { kind: 'before' | 'after'; timeMs: number }

/** The sessions that match a session filter. */
export interface SessionsLeaf {
  kind: 'sessions'
  keys: string[]
}

/** A call of one of the tools with exactly these names; `isFailed`: a failed one. */
export interface ToolsLeaf {
  kind: 'tools'
  names: string[]
  isFailed?: true
}

/** A prompt without an answer: a failure if its session is no longer being written, which the store knows. */
interface UnansweredLeaf {
  kind: 'unanswered'
}

/** A tree for the index, in which the store has resolved names to sessions and tools. */
export type IndexTree = QueryTree<IndexLeaf>

export type IndexLeaf = RowFilter | SessionsLeaf | ToolsLeaf | UnansweredLeaf

/** A filter as written in the query, for a chip that can remove it. */
export interface WrittenFilter {
  field: string
  value: string
  isNegated: boolean
  /** UTF-16 offsets into the query, `end` exclusive; including the sign and the field's name. */
  start: number
  end: number
}

export interface ParsedQuery {
  /** null: nothing to search for. */
  tree: QueryTree | null
  filters: WrittenFilter[]
  /** The query without its filters: the pattern of a substring or regex search. */
  text: string
  /** Notes for the user: what was read literally, and why. */
  notes: string[]
}

/** Joins the trees by AND or OR, in the simplest form; null if there are none. */
export function joinTrees(kind: 'and' | 'or', trees: QueryTree[]): QueryTree | null {
  const flat = trees.flatMap((tree) => (tree.kind === kind ? tree.of : [tree]))
  const different = [...new Map(flat.map((tree) => [JSON.stringify(tree), tree])).values()]
  const [only] = different
  if (only === undefined) return null
  return different.length === 1 ? only : { kind, of: different }
}

/** Negates, without double negation. */
export function negateTree(tree: QueryTree): QueryTree {
  return tree.kind === 'not' ? tree.of : { kind: 'not', of: tree }
}

/** The words that a hit must have, without the excluded ones. */
export function wantedTexts(tree: IndexTree): QueryText[] {
  switch (tree.kind) {
    case 'and':
    case 'or':
      return tree.of.flatMap(wantedTexts)
    case 'text':
      return [tree]
    default:
      return []
  }
}

/** A word of a query, as in the index, and its position. */
export interface QueryWord {
  word: string
  /** UTF-16 offsets into the query, `end` exclusive. */
  start: number
  end: number
}

/** The words that a query searches for, without those in its filters. */
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

/** The query with some words replaced. */
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

/** A query without one of its parts, and without operators and parentheses around only that part. */
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
