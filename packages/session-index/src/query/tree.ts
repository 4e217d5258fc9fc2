import type { SearchField } from '@gemini-dash/api'
import { foldText } from '@gemini-dash/api/fold-text'
import type { SessionProgram } from 'gemini-sessions'
import { tokenize } from '../text.ts'

/**
 * What a query asks of one row of the index: a message, or the row of a session's title. All conditions of a tree are about
 * the same row. A filter on a session is true of all rows of that session.
 */
export type QueryTree<Filter = QueryFilter> =
  | { kind: 'and'; of: QueryTree<Filter>[] }
  | { kind: 'or'; of: QueryTree<Filter>[] }
  | { kind: 'not'; of: QueryTree<Filter> }
  | QueryText
  | Filter

/** Words that follow each other: one word, the parts of an identifier, or what stood in quotes. Folded and split as the index is. */
export interface QueryText {
  kind: 'text'
  words: string[]
  /** The last word may go on: `prefix*`. */
  isPrefix: boolean
}

export type QueryFilter = SessionFilter | ToolFilter | RowFilter

/** What only the store knows of a session. */
export type SessionFilter =
  | { kind: 'project'; name: string }
  | { kind: 'model'; pattern: string }
  | { kind: 'session'; idPrefix: string }
  | { kind: 'is'; what: 'live' | 'subagent' | 'starred' }
  | { kind: 'source'; program: SessionProgram }
  /** What a person said of it: one of its tags, a part of a note. */
  | { kind: 'tag'; name: string }
  | { kind: 'note'; text: string }

/** A call of a tool by a name that a person typed. The store knows which tools that means. */
export interface ToolFilter {
  kind: 'tool'
  pattern: string
}

/** What the index knows of each of its rows. */
export type RowFilter =
  | { kind: 'is'; what: 'error' | 'superseded' }
  /** Beside other conditions of an `and`: where its words are looked for. Alone: rows that have such text. */
  | { kind: 'in'; fields: SearchField[] }
  /** A call that ended so. */
  | { kind: 'status'; status: string }
  /** A path that a call touched: a whole path, its end, or a glob. */
  | { kind: 'file'; pattern: string }
  | { kind: 'has'; what: 'diff' | 'image' | 'thoughts' | 'data' }
  // Of a message, or of the whole session where the row is its title.
  | { kind: 'tokens' | 'cost'; compare: '<' | '<=' | '=' | '>=' | '>'; value: number }
  /** Milliseconds since 1970. `before` is exclusive, `after` inclusive. */
  | { kind: 'before' | 'after'; timeMs: number }

/** The sessions that a filter of sessions means. */
export interface SessionsLeaf {
  kind: 'sessions'
  keys: string[]
}

/** A call of one of the tools that are named exactly so; `isFailed`: one that failed. */
export interface ToolsLeaf {
  kind: 'tools'
  names: string[]
  isFailed?: true
}

/** A prompt without an answer: it failed if its session is no longer written, which the store knows. */
interface UnansweredLeaf {
  kind: 'unanswered'
}

/** A tree as the index takes it: the store has replaced names by sessions and tools. */
export type IndexTree = QueryTree<IndexLeaf>

export type IndexLeaf = RowFilter | SessionsLeaf | ToolsLeaf | UnansweredLeaf

/** A filter as it stands in the query, for a chip that can take it away again. */
export interface WrittenFilter {
  field: string
  value: string
  isNegated: boolean
  /** UTF-16 offsets into the query, `end` exclusive; with the sign and the field's name. */
  start: number
  end: number
}

export interface ParsedQuery {
  /** null: nothing that could be looked for. */
  tree: QueryTree | null
  filters: WrittenFilter[]
  /** The query without its filters: the pattern of a substring or regular expression search. */
  text: string
  /** What a person should know: what was read literally, and why. */
  notes: string[]
}

/** The trees joined by AND or OR, in the simplest form; null: there are none. */
export function joinTrees(kind: 'and' | 'or', trees: QueryTree[]): QueryTree | null {
  const flat = trees.flatMap((tree) => (tree.kind === kind ? tree.of : [tree]))
  const different = [...new Map(flat.map((tree) => [JSON.stringify(tree), tree])).values()]
  const [only] = different
  if (only === undefined) return null
  return different.length === 1 ? only : { kind, of: different }
}

/** Without a double negation. */
export function negateTree(tree: QueryTree): QueryTree {
  return tree.kind === 'not' ? tree.of : { kind: 'not', of: tree }
}

/** The words that a hit has, not those that it must not have. */
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

/** A word of a query, as the index knows it, and where it stands. */
export interface QueryWord {
  word: string
  /** UTF-16 offsets into the query, `end` exclusive. */
  start: number
  end: number
}

/** The words that a query looks for; those of its filters are not among them. */
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

/** The query with other words in the place of some. */
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

/** A query without one of its pieces, and without what joined or enclosed only that. */
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
