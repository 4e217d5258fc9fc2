import { QUOTES, unquote, WITHIN_QUOTES } from './filter/quoted.ts'
import { readFieldValue } from './filter/read-field-value.ts'
import { isQueryField } from './filter/read-filter.ts'

/** A piece of a query; offsets are UTF-16, `end` exclusive, with the sign. */
export interface QueryToken {
  kind: 'open' | 'close' | 'and' | 'or' | 'phrase' | 'word' | 'filter'
  isNegated: boolean
  start: number
  end: number
  /** What it says: without sign, and a phrase without its quotes. */
  text: string
  /** Of a filter: its name in lower case, and its values. */
  field: string
  values: string[]
}

export interface LexedQuery {
  tokens: QueryToken[]
  /** A quote without its partner stood somewhere and was taken as a blank. */
  hasLoneQuote: boolean
}

/** Deeper parentheses are taken literally. */
const MAX_DEPTH = 32

const BLANKS = /\s+/y
const OPEN = /-?\(/y
const PHRASE = new RegExp(`-?[${QUOTES}](${WITHIN_QUOTES})[${QUOTES}]\\*?`, 'uy')
const WORD = new RegExp(`[^\\s${QUOTES}]+`, 'uy')

/** Cuts a query into words, phrases, filters and what joins them. Every text can be cut. */
export function lexQuery(text: string): LexedQuery {
  return new Lexer(text).lex()
}

class Lexer {
  readonly #text: string
  readonly #tokens: QueryToken[] = []
  /** Parentheses that wait for their partner. */
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

  /** Takes the piece that begins here; returns where it ends. */
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
    const runEnd = filter?.end ?? at + (matchAt(WORD, this.#text, at)?.[0].length ?? 0)
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

/** A dash before a word takes it away; one alone, or two of them (`--force`), are text. */
function isSign(text: string, start: number): boolean {
  return /^-[^\s-]/.test(text.slice(start, start + 2))
}

/** How many of the parentheses at the end of a word close what was opened before it: `bar())` in `(foo bar())` has one. */
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
