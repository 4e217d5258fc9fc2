import { foldTextOnly } from '@gemini-dash/api/fold-text'
import type { DateContext } from '@gemini-dash/api/read-date'
import { tokenize } from '../text/tokenize.ts'
import { readFieldValue } from './filter/read-field-value.ts'
import { isQueryField, readFilter } from './filter/read-filter.ts'
import { lexQuery, type QueryToken } from './lex-query.ts'
import type { ParsedQuery, QueryText, QueryTree, WrittenFilter } from './tree/query-tree.ts'
import { joinTrees, negateTree } from './tree/query-tree.ts'

const WORD = /\S+/g

export interface QueryContext extends DateContext {
  mode: 'words' | 'substring' | 'regex'
}

export const MAX_QUERY_WORDS = 32

/** Reads what a person typed. Every text is a query: what cannot be read as meant is looked for literally, and a note says so. */
export function parseQuery(text: string, context: QueryContext): ParsedQuery {
  return context.mode === 'words' ? new WordsParser(text, context).parse() : cutFilters(text, context)
}

class WordsParser {
  readonly #query: string
  readonly #context: DateContext
  readonly #tokens: QueryToken[]
  readonly #notes = new QueryNotes()
  readonly #filters: WrittenFilter[] = []
  readonly #words = new Set<string>()
  #at = 0

  constructor(query: string, context: DateContext) {
    this.#query = query
    this.#context = context
    const { tokens, hasLoneQuote } = lexQuery(query)
    this.#tokens = tokens
    if (hasLoneQuote) this.#notes.add('A quote without its partner was left out.')
  }

  parse(): ParsedQuery {
    const tree = this.#alternatives()
    const { text } = cutFilters(this.#query, this.#context)
    return { tree, filters: this.#filters, text, notes: this.#notes.list(tree === null) }
  }

  /** Up to the end, or the parenthesis that closes. */
  #alternatives(): QueryTree | null {
    const alternatives: QueryTree[] = []
    let together: QueryTree[] = []
    let hasOperand = false
    for (; this.#tokens[this.#at] !== undefined; this.#at++) {
      const token = this.#tokens[this.#at]
      if (token === undefined || token.kind === 'close') break
      if (token.kind === 'or' || token.kind === 'and') {
        if (hasOperand && this.#isOperand(this.#tokens[this.#at + 1])) {
          if (token.kind === 'and') continue
          const done = joinTrees('and', together)
          if (done !== null) alternatives.push(done)
          together = []
          continue
        }
        this.#notes.add(`“${token.text}” has nothing to join, so it was read as a word.`)
      }
      hasOperand = true
      const tree = this.#operand(token)
      if (tree !== null) together.push(token.isNegated ? negateTree(tree) : tree)
    }
    const last = joinTrees('and', together)
    return joinTrees('or', last === null ? alternatives : [...alternatives, last])
  }

  #isOperand(token: QueryToken | undefined): boolean {
    return token !== undefined && token.kind !== 'or' && token.kind !== 'and' && token.kind !== 'close'
  }

  #operand(token: QueryToken): QueryTree | null {
    if (token.kind === 'open') {
      this.#at += 1
      return this.#alternatives()
    }
    if (token.kind === 'filter') return this.#filter(token)
    const isPrefix = token.kind === 'phrase' && this.#query[token.end - 1] === '*'
    if (token.kind === 'word') this.#noteUnknownField(token)
    if (token.text === 'NOT' && this.#isOperand(this.#tokens[this.#at + 1]))
      this.#notes.add('“NOT” was read as a word: a dash leaves something out, as in -word.')
    return this.#text(token, token.text, isPrefix)
  }

  #filter(token: QueryToken): QueryTree | null {
    const read = readFilter(token.field, token.values, this.#context)
    if (read === undefined || 'problem' in read) {
      const why = read === undefined ? 'there is no such filter' : read.problem
      this.#notes.add(`“${token.text}” was searched for literally: ${why}.`)
      return this.#text(token, token.text, false)
    }
    const { field, values, isNegated, start, end } = token
    this.#filters.push({ field, value: values.join(','), isNegated, start, end })
    return read.tree
  }

  /** Addresses, paths and times of day have colons too; they are meant as they stand. */
  #noteUnknownField({ start, end, text }: QueryToken): void {
    const written = readFieldValue(this.#query.slice(0, end), start)
    if (written === null || written.field.length < 2) return
    if (/^[\p{L}\p{N}"“„«*~.-]/u.test(this.#query.slice(written.valueStart, end)))
      this.#notes.add(`“${text}” was searched for literally: there is no filter “${written.field}:”.`)
  }

  #text(token: QueryToken, written: string, isPrefix: boolean): QueryTree | null {
    const read = readWords(written, isPrefix || (token.kind !== 'phrase' && written.endsWith('*')))
    if (read === null) {
      this.#notes.leaveOut(written)
      return null
    }
    const id = JSON.stringify(read)
    if (!this.#words.has(id) && this.#words.size >= MAX_QUERY_WORDS) {
      this.#notes.add(`Only the first ${MAX_QUERY_WORDS} words were searched for.`)
      return null
    }
    this.#words.add(id)
    if (token.isNegated) {
      const { start, end } = token
      this.#filters.push({ field: 'text', value: written, isNegated: true, start, end })
    }
    return read
  }
}

/** A written text as the index knows it; null if it has no letter or digit. `mayGoOn`: its last word may be the beginning of one. */
function readWords(written: string, mayGoOn: boolean): QueryText | null {
  const folded = foldTextOnly(mayGoOn ? written.replace(/\*$/, '') : written)
  const tokens = tokenize(folded)
  if (tokens.length === 0) return null
  // In `get_*` a word has ended before the star, so nothing of it is left to go on.
  const isPrefix = mayGoOn && tokens.at(-1)?.end === folded.length
  return { kind: 'text', words: tokens.map((token) => token.text), isPrefix }
}

/** What a person should know of how a query was read. */
class QueryNotes {
  readonly #notes = new Set<string>()
  readonly #leftOut = new Set<string>()

  add(note: string): void {
    this.#notes.add(note)
  }

  /** Nothing in it is a word for the index. */
  leaveOut(written: string): void {
    if (written.trim() !== '') this.#leftOut.add(written.trim())
  }

  list(isEmpty: boolean): string[] {
    if (isEmpty) {
      return [
        'Nothing to search for: type a word or a number, or search for a substring instead.',
        ...this.#notes,
      ]
    }
    if (this.#leftOut.size === 0) return [...this.#notes]
    const list = [...this.#leftOut].map((written) => `“${written}”`).join(', ')
    return [
      `Left out, as it has no letters or digits: ${list}. An exact text search finds it.`,
      ...this.#notes,
    ]
  }
}

/** Takes the filters out of a query; what is left is a pattern, exactly as it was typed. */
function cutFilters(query: string, context: DateContext): ParsedQuery {
  const trees: QueryTree[] = []
  const filters: WrittenFilter[] = []
  const notes = new Set<string>()
  let text = ''
  let at = 0
  WORD.lastIndex = 0
  for (let word = WORD.exec(query); word !== null; word = WORD.exec(query)) {
    const written = readFieldValue(query, word.index)
    if (written === null || !isQueryField(written.field)) continue
    const { field, values, isNegated, end } = written
    const read = readFilter(field, values, context)
    if (read === undefined) continue
    if ('problem' in read) {
      notes.add(`“${query.slice(word.index, end)}” was searched for literally: ${read.problem}.`)
      continue
    }
    trees.push(isNegated ? negateTree(read.tree) : read.tree)
    filters.push({ field, value: values.join(','), isNegated, start: word.index, end })
    text = join(text, query.slice(at, word.index))
    at = end
    WORD.lastIndex = end
  }
  text = filters.length === 0 ? query : join(text, query.slice(at))
  return { tree: joinTrees('and', trees), filters, text, notes: [...notes] }
}

/** Two pieces between which a filter stood. */
function join(before: string, after: string): string {
  if (before.trim() === '') return after.trimStart()
  const rest = after.trim()
  return rest === '' ? before.trimEnd() : `${before.trimEnd()} ${rest}`
}
