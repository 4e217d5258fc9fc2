import { cutFilters } from './filter/cut-filters.ts'
import type { DateContext } from './filter/read-date.ts'
import { readFieldValue } from './filter/read-field-value.ts'
import { readFilter } from './filter/read-filter.ts'
import { lexQuery, type QueryToken } from './lex-query.ts'
import { QueryNotes } from './query-notes.ts'
import { readWords } from './read-words.ts'
import { joinTrees, negateTree } from './tree/join-trees.ts'
import type { ParsedQuery, QueryTree, WrittenFilter } from './tree/query-tree.ts'

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
