import { foldTextOnly } from '@gemini-dash/api/fold-text'
import type { DateContext } from '@gemini-dash/api/read-date'
import { tokenize } from '../text.ts'
import {
  inQuotes,
  isQueryField,
  needsQuotes,
  QUOTES,
  readFieldValue,
  readFilter,
  unquote,
  WITHIN_QUOTES,
} from './filter.ts'
import {
  joinTrees,
  negateTree,
  type ParsedQuery,
  type QueryText,
  type QueryTree,
  type WrittenFilter,
} from './tree.ts'

const WORD = /\S+/g

export interface QueryContext extends DateContext {
  mode: 'words' | 'substring' | 'regex'
}

export const MAX_QUERY_WORDS = 32

/** Parses a typed query. Every text is a query: what cannot be parsed is searched for literally, and a note says so. */
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

  /** Up to the end, or the closing parenthesis. */
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

  /** Addresses, paths and times also contain colons, and are meant literally. */
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

/** A text as a phrase for the index; null if it has no letter or digit. */
export function phraseOf(text: string): QueryText | null {
  return readWords(text, false)
}

/** A text as tokenized by the index; null if it has no letter or digit. `mayGoOn`: its last word may be a prefix. */
function readWords(written: string, mayGoOn: boolean): QueryText | null {
  const folded = foldTextOnly(mayGoOn ? written.replace(/\*$/, '') : written)
  const tokens = tokenize(folded)
  if (tokens.length === 0) return null
  // In `get_*` the word has ended before the star, so it cannot be a prefix.
  const isPrefix = mayGoOn && tokens.at(-1)?.end === folded.length
  return { kind: 'text', words: tokens.map((token) => token.text), isPrefix }
}

/** What to tell the user about how a query was read. */
class QueryNotes {
  readonly #notes = new Set<string>()
  readonly #leftOut = new Set<string>()

  add(note: string): void {
    this.#notes.add(note)
  }

  /** It contains no word for the index. */
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

/** Removes the filters from a query; the rest is a pattern, exactly as typed. */
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

/** Joins two pieces that had a filter between them. */
function join(before: string, after: string): string {
  if (before.trim() === '') return after.trimStart()
  const rest = after.trim()
  return rest === '' ? before.trimEnd() : `${before.trimEnd()} ${rest}`
}

/** A token of a query; offsets are UTF-16, `end` exclusive, including the sign. */
interface QueryToken {
  kind: 'open' | 'close' | 'and' | 'or' | 'phrase' | 'word' | 'filter'
  isNegated: boolean
  start: number
  end: number
  /** Its text: without sign, and a phrase without its quotes. */
  text: string
  /** For a filter: its name in lower case, and its values. */
  field: string
  values: string[]
}

interface LexedQuery {
  tokens: QueryToken[]
  /** An unpaired quote was read as a space. */
  hasLoneQuote: boolean
}

/** Deeper parentheses are taken literally. */
const MAX_DEPTH = 32

const BLANKS = /\s+/y
const OPEN = /-?\(/y
const PHRASE = new RegExp(`-?[${QUOTES}](${WITHIN_QUOTES})[${QUOTES}]\\*?`, 'uy')
const QUERY_WORD = new RegExp(`[^\\s${QUOTES}]+`, 'uy')

/** Splits a query into words, phrases, filters and operators. Every text can be split. */
function lexQuery(text: string): LexedQuery {
  return new Lexer(text).lex()
}

class Lexer {
  readonly #text: string
  readonly #tokens: QueryToken[] = []
  /** Unclosed parentheses. */
  readonly #open: QueryToken[] = []
  #hasLoneQuote = false

  constructor(text: string) {
    this.#text = text
  }

  lex(): LexedQuery {
    for (let at = 0; at < this.#text.length; ) at = this.#next(at)
    for (const token of this.#open) token.kind = 'word'
    return { tokens: this.#tokens, hasLoneQuote: this.#hasLoneQuote }
  }

  /** Reads the token at this position; returns its end. */
  #next(at: number): number {
    const blanks = matchAt(BLANKS, this.#text, at)
    if (blanks !== null) return at + blanks[0].length
    const opening = this.#open.length < MAX_DEPTH ? matchAt(OPEN, this.#text, at) : null
    if (opening !== null) {
      const end = at + opening[0].length
      this.#open.push(this.#add('open', at, end))
      return end
    }
    const phrase = matchAt(PHRASE, this.#text, at)
    if (phrase !== null) {
      const end = at + phrase[0].length
      this.#add('phrase', at, end, { text: unquote(phrase[1] ?? '') })
      return end
    }
    return this.#filterOrWord(at)
  }

  #filterOrWord(at: number): number {
    const written = readFieldValue(this.#text, at)
    const filter = written !== null && isQueryField(written.field) ? written : null
    const runEnd = filter?.end ?? at + (matchAt(QUERY_WORD, this.#text, at)?.[0].length ?? 0)
    if (runEnd === at) {
      this.#hasLoneQuote = true
      return at + 1
    }
    const end = runEnd - closingParentheses(this.#text.slice(at, runEnd), this.#open.length)
    if (filter !== null && end > filter.valueStart) {
      const { field, values } = readFieldValue(this.#text.slice(0, end), at) ?? filter
      this.#add('filter', at, end, { field, values })
    } else if (end > at) {
      const run = this.#text.slice(at, end)
      this.#add(run === 'OR' ? 'or' : run === 'AND' ? 'and' : 'word', at, end)
    }
    for (let close = end; close < runEnd; close++) {
      this.#add('close', close, close + 1)
      this.#open.pop()
    }
    return runEnd
  }

  #add(kind: QueryToken['kind'], start: number, end: number, rest: Partial<QueryToken> = {}): QueryToken {
    const isNegated = isSign(this.#text, start)
    const text = this.#text.slice(start + (isNegated ? 1 : 0), end)
    const token = { kind, isNegated, start, end, text, field: '', values: [], ...rest }
    this.#tokens.push(token)
    return token
  }
}

/** A dash before a word excludes it; a single one, or two (`--force`), are text. */
function isSign(text: string, start: number): boolean {
  return /^-[^\s-]/.test(text.slice(start, start + 2))
}

/** How many of the parentheses at the end of a word close earlier ones: `bar())` in `(foo bar())` has one. */
function closingParentheses(run: string, depth: number): number {
  const plain = run.replace(QUOTED, (quoted) => '.'.repeat(quoted.length))
  const excess = plain.split(')').length - plain.split('(').length
  const atEnd = /\)*$/.exec(plain)?.[0].length ?? 0
  return Math.max(0, Math.min(excess, atEnd, depth))
}

const QUOTED = new RegExp(`[${QUOTES}]${WITHIN_QUOTES}[${QUOTES}]`, 'gu')

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** What can be completed at the caret. */
interface Completion {
  /** The filter whose value is being typed; null: a word, or the name of a filter. */
  field: string | null
  /** The text typed so far, without quotes and sign. */
  typed: string
  /** The range that a completion replaces (UTF-16 offsets, `end` exclusive). */
  start: number
  end: number
}

/** The word or value at the caret; null between words and inside a phrase. */
export function findCompletion(query: string, at: number): Completion | null {
  const token = lexQuery(query).tokens.find(({ start, end }) => start < at && at <= end)
  if (token === undefined) return null
  const { start, end, isNegated } = token
  const written = readFieldValue(query.slice(0, end), start)
  if (written !== null && isQueryField(written.field) && at >= written.valueStart)
    return completeValue(query, at, { field: written.field, valueStart: written.valueStart, end })
  if (token.kind === 'phrase' || token.kind === 'close' || token.kind === 'open') return null
  const wordStart = start + (isNegated ? 1 : 0)
  return { field: null, typed: query.slice(wordStart, at), start: wordStart, end }
}

/** The value at the caret, if there are several. */
function completeValue(
  query: string,
  at: number,
  { field, valueStart, end }: { field: string; valueStart: number; end: number },
): Completion {
  const before = query.slice(valueStart, at)
  const start = valueStart + before.lastIndexOf(',') + 1
  const nextComma = query.slice(at, end).indexOf(',')
  return {
    field,
    typed: unquote(query.slice(start, at)),
    start,
    end: nextComma === -1 ? end : at + nextComma,
  }
}

/** A value in query syntax. */
export function writeValue(value: string): string {
  return needsQuotes(value) ? inQuotes(value) : value
}

/** An operator of the query language, as described in help and suggestions. */
interface QueryOperator {
  name: string
  /** A typical use, for help. */
  example: string
  hint: string
  /** Its values, if they are few and fixed. */
  values: readonly string[]
}

/** All operators, in the order they are suggested. */
export const QUERY_OPERATORS: readonly QueryOperator[] = [
  {
    name: 'project',
    example: 'project:webshop',
    hint: 'in this project: name, path or a part of one',
    values: [],
  },
  {
    name: 'model',
    example: 'model:2.5-pro',
    hint: 'in sessions that used this model: name or a part; * is anything',
    values: [],
  },
  {
    name: 'tool',
    example: 'tool:Shell',
    hint: 'with a call of this tool: either of its names or a part; * is anything',
    values: [],
  },
  {
    name: 'in',
    example: 'in:prompt,answer',
    hint: 'said here: you, the model, its thoughts, a tool',
    values: ['prompt', 'answer', 'thought', 'tool-args', 'tool-output', 'notice', 'attachment', 'title'],
  },
  {
    name: 'is',
    example: 'is:error',
    hint: 'failed: a call, a request, a prompt without an answer; a live session, one with a star, a sub-agent’s, rewound',
    values: ['error', 'live', 'starred', 'subagent', 'superseded'],
  },
  {
    name: 'status',
    example: 'status:cancelled',
    hint: 'with a call that ended so',
    values: ['success', 'error', 'cancelled', 'unanswered'],
  },
  {
    name: 'source',
    example: 'source:antigravity-cli',
    hint: 'in sessions that this program recorded',
    values: ['gemini-cli', 'antigravity-cli'],
  },
  { name: 'file', example: 'file:src/*.ts', hint: 'with a call that touched this path', values: [] },
  {
    name: 'has',
    example: 'has:diff',
    hint: 'with a diff, a picture, thoughts, base64 data, or an output in a separate file',
    values: ['diff', 'image', 'thoughts', 'data', 'saved'],
  },
  { name: 'tokens', example: 'tokens:>50k', hint: 'calls of so many tokens', values: [] },
  { name: 'cost', example: 'cost:>0.10', hint: 'calls that cost so many dollars', values: [] },
  { name: 'after', example: 'after:-7d', hint: 'said at or after this day or time', values: [] },
  { name: 'before', example: 'before:2026-01-31', hint: 'said before this day or time', values: [] },
  {
    name: 'tag',
    example: 'tag:proxy',
    hint: 'in sessions that you gave this tag; * is anything',
    values: [],
  },
  {
    name: 'note',
    example: 'note:idea',
    hint: 'in sessions whose notes, or those of their messages, hold this',
    values: [],
  },
  {
    name: 'session',
    example: 'session:477739d0',
    hint: 'in this session: its id, or how that begins',
    values: [],
  },
]
