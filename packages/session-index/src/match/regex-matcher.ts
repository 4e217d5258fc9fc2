import { RE2JS } from 're2js'
import type { TextMatcher, TextRange } from './text-matcher.ts'

/**
 * Finds what a regular expression describes (RE2 syntax: linear time, no look-around or
 * back-references; `(?i)` ignores case). Null if the expression cannot be read.
 */
export function regexMatcher(expression: string): TextMatcher | null {
  const compiled = compile(expression)
  if (compiled === null) return null
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

function compile(expression: string): RE2JS | null {
  try {
    return RE2JS.compile(expression, RE2JS.MULTILINE)
  } catch {
    return null
  }
}
