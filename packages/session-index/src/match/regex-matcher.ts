import { composeText } from '@gemini-dash/api/fold-text'
import { RE2JS } from 're2js'
import type { TextMatcher, TextRange } from './text-matcher.ts'

/** Shorter texts are searched without time checks. */
const WATCHED_LENGTH = 1_024
/** Characters between two time checks: some milliseconds for the largest expressions. */
const CHARACTERS_A_LOOK = 1_024

/**
 * Matches a regular expression (RE2 syntax: linear time, no look-around or back-references). As in every search, case is ignored, unless
 * the expression says otherwise: `(?-i)`. Returns the reason if it cannot be parsed.
 *
 * @param check called repeatedly during a long text; its errors end the search
 */
export function regexMatcher(
  expression: string,
  check: () => void = () => {},
): TextMatcher | { problem: string } {
  // What looks the same should match: typed text is composed, file names may not be.
  const compiled = compile(expression.normalize('NFC'))
  if (typeof compiled === 'string') return { problem: compiled }
  const input = (text: string) => (text.length < WATCHED_LENGTH ? text : watched(text, check))
  const ranges = (text: string, limit: number): TextRange[] => {
    const found: TextRange[] = []
    const composed = composeText(text)
    const matcher = compiled.matcher(input(composed.text))
    while (found.length < limit && matcher.find()) {
      if (matcher.end() > matcher.start())
        found.push([composed.startInOriginal(matcher.start()), composed.endInOriginal(matcher.end())])
    }
    return found
  }
  let mayBeEmpty: boolean | null = null
  const isIn = (text: string) => {
    // Testing for a match takes a fraction of the time of finding its position.
    if (!compiled.test(input(text.normalize('NFC')))) return false
    mayBeEmpty ??= matchesNothing(expression)
    return !mayBeEmpty || ranges(text, 1).length > 0
  }
  return { ranges, isIn }
}

/** Why an expression cannot be parsed; null if it can. */
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

/** Possible neighbors of an empty match: each type of character that `^`, `$` and `\b` distinguish. */
const NEIGHBOURS = ['', '\n', 'a', '-']

/** Assertions about neighboring characters. */
const ASSERTION = /[\^$]|\\[bBAzZ]/

/** Whether a match can be empty. Empty matches are not hits, so the positions have to be found. */
function matchesNothing(expression: string): boolean {
  const neighbours = ASSERTION.test(expression) ? NEIGHBOURS : ['']
  return neighbours.some((before) =>
    neighbours.some((after) => {
      const between = compile(`\\A${before}(?:${expression})${after}\\z`)
      // It parses alone but not in a group: fall back to the positions.
      return typeof between === 'string' || between.test(before + after)
    }),
  )
}

/** The text as the engine reads it, one character at a time. */
function watched(text: string, check: () => void): string {
  return new WatchedText(text, check) as unknown as string
}

/** The engine accepts a String object as a string, and only reads its characters. */
class WatchedText extends String {
  readonly #text: string
  readonly #check: () => void
  #left = CHARACTERS_A_LOOK

  constructor(text: string, check: () => void) {
    super(text)
    this.#text = text
    this.#check = check
  }

  override charCodeAt(at: number): number {
    if (--this.#left === 0) {
      this.#left = CHARACTERS_A_LOOK
      this.#check()
    }
    return this.#text.charCodeAt(at)
  }

  override indexOf(wanted: string, from?: number): number {
    return this.#text.indexOf(wanted, from)
  }
}
