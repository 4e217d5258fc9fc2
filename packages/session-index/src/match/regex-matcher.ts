import { RE2JS } from 're2js'
import type { TextMatcher, TextRange } from './text-matcher.ts'

/**
 * Finds what a regular expression describes (RE2 syntax: linear time, no look-around or back-references). As everywhere
 * in a search, case does not matter, unless the expression says so: `(?-i)`. An expression that cannot be read says why.
 *
 * @param check called again and again while a long text is looked at; what it throws ends that
 */
export function regexMatcher(expression: string, check?: () => void): TextMatcher | { problem: string } {
  const compiled = compile(expression)
  if (typeof compiled === 'string') return { problem: compiled }
  const ranges = (text: string, limit: number): TextRange[] => {
    const found: TextRange[] = []
    const matcher = compiled.matcher(watched(text, check))
    while (found.length < limit && matcher.find()) {
      if (matcher.end() > matcher.start()) found.push([matcher.start(), matcher.end()])
    }
    return found
  }
  return {
    ranges,
    // Whether there is a match is known in a tenth of the time that it takes to know where.
    isIn: (text) => compiled.test(watched(text, check)) && ranges(text, 1).length > 0,
  }
}

/** Why an expression cannot be read; null if it can. */
export function patternProblem(expression: string): string | null {
  const compiled = compile(expression)
  return typeof compiled === 'string' ? compiled : null
}

function compile(expression: string): RE2JS | string {
  try {
    return RE2JS.compile(expression, RE2JS.MULTILINE | RE2JS.CASE_INSENSITIVE)
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    if (/Perl syntax: `\(\?<?[=!]/.test(message)) return 'look-around is not supported'
    if (/escape sequence: `\\[1-9]/.test(message)) return 'back-references are not supported'
    return message.replace(/^.*?: /, '').replace('(?m)(?i)', '')
  }
}

/** A shorter text is looked at without a break. */
const WATCHED_LENGTH = 1_024

/** The text as the engine takes it. It accepts an object of String, and asks it for single characters. */
function watched(text: string, check: (() => void) | undefined): string {
  if (check === undefined || text.length < WATCHED_LENGTH) return text
  return new WatchedText(text, check) as unknown as string
}

class WatchedText extends String {
  readonly #text: string
  readonly #check: () => void
  #left = WATCHED_LENGTH

  constructor(text: string, check: () => void) {
    super(text)
    this.#text = text
    this.#check = check
  }

  override charCodeAt(at: number): number {
    if (--this.#left === 0) {
      this.#left = WATCHED_LENGTH
      this.#check()
    }
    return this.#text.charCodeAt(at)
  }

  override indexOf(wanted: string, from?: number): number {
    return this.#text.indexOf(wanted, from)
  }
}
