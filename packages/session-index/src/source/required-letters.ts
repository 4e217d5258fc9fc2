import { foldTextOnly } from '@gemini-dash/api/fold-text'
import { FOLDED_ONE_BY_ONE } from './raw-letters.ts'

/** Runs of letters that a text has to hold to hold a match: all of one of these lists. null: nothing can be said. */
export function requiredLetters(mode: 'substring' | 'regex', pattern: string): string[][] | null {
  const alternatives = mode === 'substring' ? [[pattern]] : literalRuns(pattern)
  if (alternatives === null) return null
  const letters = alternatives.map((runs) => {
    const findable = new Set(runs.flatMap((run) => findableRuns(foldTextOnly(run))))
    return [...findable].sort((a, b) => b.length - a.length)
  })
  return letters.some((runs) => runs.length === 0) ? null : letters
}

/** The runs of letters in a folded text that are long enough to be looked for in the bytes of a file. */
export function findableRuns(folded: string): string[] {
  const runs: string[] = []
  let run = ''
  for (const character of [...folded, '']) {
    if (FOLDED_ONE_BY_ONE.test(character)) run += character
    else {
      if (run.length >= MIN_LETTERS || HAN.test(run)) runs.push(run)
      run = ''
    }
  }
  return runs
}

const MIN_LETTERS = 3
const HAN = /\p{Script=Han}/u

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
