import { RE2JS } from 're2js'
import type { TextMatcher, TextRange } from './text-matcher.ts'

/**
 * Finds what a regular expression describes (RE2 syntax: linear time, no look-around or back-references). As everywhere
 * in a search, case does not matter, unless the expression says so: `(?-i)`. An expression that cannot be read says why.
 */
export function regexMatcher(expression: string): TextMatcher | { problem: string } {
  const compiled = compile(expression)
  if (typeof compiled === 'string') return { problem: compiled }
  const ranges = (text: string, limit: number): TextRange[] => {
    const found: TextRange[] = []
    const matcher = compiled.matcher(text)
    while (found.length < limit && matcher.find()) {
      if (matcher.end() > matcher.start()) found.push([matcher.start(), matcher.end()])
    }
    return found
  }
  return { ranges, isIn: (text) => ranges(text, 1).length > 0 }
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
