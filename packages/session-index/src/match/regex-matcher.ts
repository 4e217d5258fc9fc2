import { composeText } from '@gemini-dash/api/fold-text'
import { RE2JS } from 're2js'
import type { TextMatcher, TextRange } from './text-matcher.ts'

/** A shorter text is looked at without a look at the clock. */
const WATCHED_LENGTH = 1_024
/** Characters between two looks: some milliseconds for the largest expressions. */
const CHARACTERS_A_LOOK = 1_024

/**
 * Finds what a regular expression describes (RE2 syntax: linear time, no look-around or back-references). As everywhere
 * in a search, case does not matter, unless the expression says so: `(?-i)`. An expression that cannot be read says why.
 *
 * @param check called again and again while a long text is looked at; what it throws ends that
 */
export function regexMatcher(
  expression: string,
  check: () => void = () => {},
): TextMatcher | { problem: string } {
  // What looks the same is the same: typed text is composed, names of files may not be.
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
    // Whether there is a match is known in a fraction of the time that it takes to know where.
    if (!compiled.test(input(text.normalize('NFC')))) return false
    mayBeEmpty ??= matchesNothing(expression)
    return !mayBeEmpty || ranges(text, 1).length > 0
  }
  return { ranges, isIn }
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

/** What may stand beside a match that is empty: each kind of character that `^`, `$` and `\b` tell apart. */
const NEIGHBOURS = ['', '\n', 'a', '-']

/** What looks at the characters beside it. */
const ASSERTION = /[\^$]|\\[bBAzZ]/

/** Could a match be empty? Such a match is no hit, so the places have to be known. */
function matchesNothing(expression: string): boolean {
  const neighbours = ASSERTION.test(expression) ? NEIGHBOURS : ['']
  return neighbours.some((before) =>
    neighbours.some((after) => {
      const between = compile(`\\A${before}(?:${expression})${after}\\z`)
      // It can be read alone, and not in a group: whatever that is, the places tell.
      return typeof between === 'string' || between.test(before + after)
    }),
  )
}

/** The text as the engine reads it, character by character. */
function watched(text: string, check: () => void): string {
  return new WatchedText(text, check) as unknown as string
}

/** The engine takes an object of String for a string, and asks it for characters alone. */
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
