import { foldTextOnly } from '../text/fold-text.ts'
import { longestRun } from './raw-pattern.ts'

/** Letters that a text has to hold to hold a match: one of these. null: nothing can be said. */
export function requiredLetters(mode: 'substring' | 'regex', pattern: string): string[] | null {
  const alternatives = mode === 'substring' ? [[pattern]] : literalRuns(pattern)
  if (alternatives === null) return null
  const letters = alternatives.map((runs) =>
    longest(runs.flatMap((run) => longestRun(foldTextOnly(run)) ?? [])),
  )
  return letters.includes(null) ? null : letters.flatMap((run) => run ?? [])
}

function longest(runs: string[]): string | null {
  return runs.reduce<string | null>(
    (best, run) => (best === null || run.length > best.length ? run : best),
    null,
  )
}

/**
 * For each alternative of a regular expression the texts that each match has in it, literally. Only what is certain:
 * groups and classes count as anything, and an escape that is not known makes all of it unknown.
 */
function literalRuns(expression: string): string[][] | null {
  const alternatives: string[][] = [['']]
  let depth = 0
  const runs = () => alternatives.at(-1) ?? []
  const endRun = () => void runs().push('')
  const dropLast = () => {
    const run = [...(runs().pop() ?? '')]
    runs().push(run.slice(0, -1).join(''), '')
  }
  for (let rest = expression; rest !== ''; ) {
    const [piece = '', knownEscape, quantifier] = PIECE.exec(rest) ?? []
    if (piece === '') return null
    rest = rest.slice(piece.length)
    if (piece === '(') depth += 1
    if (piece === ')') depth -= 1
    if (depth > 0 || piece === ')') endRun()
    else if (knownEscape !== undefined) endRun()
    else if (quantifier !== undefined) dropLast()
    else if (piece === '|') alternatives.push([''])
    else if (LITERAL.test(piece)) runs().push((runs().pop() ?? '') + piece)
    else endRun()
  }
  return alternatives
}

// A known escape; a class; what can make the piece before it vanish; any other character but a backslash or an open class.
const PIECE =
  /^(?:(\\[dDwWsSbBAzntrfv\p{P}\p{S}])|\[\^?\]?(?:\[:\^?\w+:\]|\\[^pPQxu]|[^\]\\])*\]|(\*|\?|\{\d+(?:,\d*)?\})|[^\\[])/u
const LITERAL = /^[\p{L}\p{N}]$/u
