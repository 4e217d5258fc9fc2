import { foldTextOnly } from '@gemini-dash/session-index'
import { tellingLine, withoutFrame } from 'gemini-sessions'

/** An error as somebody quotes it, ready to be found in outputs. */
export interface ErrorText {
  /** Its line that says most, as it was given: the one that an output has to hold. */
  telling: string
  /** All that name a failure, tidied; an output holds more than half of them. */
  failures: string[]
  /** All of its lines, tidied. */
  lines: string[]
}

/** How well an output holds an error. */
export interface ErrorMatch {
  /** Of the lines that were asked for, those that it holds: above 0, at most 1. */
  share: number
  /** It is the same in all numbers, too. */
  isExact: boolean
}

/** Fewer words say nothing. */
const LEAST_WORDS = 2
/** Of a stack that goes on and on. */
const MOST_LINES = 60
/** Of another failure only some lines are the same. */
const LEAST_SHARE = 0.5

/** null: it has too few words to be told from others. */
export function readErrorText(text: string): ErrorText | null {
  const plain = withoutFrame(text.replace(ANSI, '').trim())
  const written = plain.split(/\r?\n/).filter((line) => wordsOf(line).length > 0)
  const own = written.filter((line) => !OF_RUNNER.test(line))
  const telling = lineThatTells(own.length > 0 ? own : written)
  if (telling === undefined || wordsOf(telling).length < LEAST_WORDS) return null
  const failures = own.filter((line) => FAILURE.test(line) && !OF_STACK.test(line) && !OF_TEST.test(line))
  return {
    telling,
    failures: failures.slice(0, MOST_LINES).map(tidy),
    lines: written.slice(0, MOST_LINES).map(tidy),
  }
}

function lineThatTells(written: readonly string[]): string | undefined {
  const lines = written.filter((line) => !OF_STACK.test(line) && !HEADING.test(line))
  const named = tidy((tellingLine(lines.map(withoutLabel).join('\n')) ?? '').replace(/…$/, ''))
  const told = lines.find((line) => tidy(line).includes(named)) ?? written.at(-1)
  // the last line stands for an output that names no error
  return told === lines.at(-1) ? (lines.find((line) => FAILURE.test(line)) ?? told) : told
}

/** Who started what failed says so in lines of its own. */
const OF_RUNNER =
  /^\s*(?:npm (?:error|ERR!)|error Command failed|\W*ELIFECYCLE|make(?:\[\d+\])?: \*\*\*|error: script |error: could not compile|Found \d+ errors?\b)/
/** Where an error came from, not what it is. */
const OF_STACK = /^\s*(?:at .+:\d+\)?|File ".+", line \d+.*)$/
/** Which test failed: another one can fail for the same reason. */
const OF_TEST = /^\s*(?:FAIL(?:ED|URE)?\b|[✗✖×●])/
/** `error during build:` stands above any of them. */
const HEADING = /:\s*$/
const FAILURE =
  /error|exception|fail|fatal|panic|denied|refused|undefined|unexpected|unable|invalid|missing|cannot|could not|does not|not found|not recognized|no such/i

/** An error without a name of its own: as a label of the CLI `Error: ` would say nothing. */
function withoutLabel(line: string): string {
  return line.replace(/^\s*Error: /, 'error: ')
}

/** null: the output is of something else. Numbers of the lines beside the telling one may differ. */
export function matchError({ telling, failures, lines }: ErrorText, output: string): ErrorMatch | null {
  const text = tidy(output)
  const loose = withoutNumbers(text)
  const isExact = holds(text, tidy(telling))
  if (!isExact && !holds(loose, withoutNumbers(tidy(telling)))) return null
  const isHeld = (line: string) => holds(loose, withoutNumbers(line))
  if (failures.length > 0 && failures.filter(isHeld).length * 2 <= failures.length) return null
  const share = lines.filter(isHeld).length / lines.length
  return share < LEAST_SHARE ? null : { share, isExact }
}

/** The line of an output in which the error is told, byte for byte; null: it is told in several. */
export function lineOfError({ telling }: ErrorText, output: string): string | null {
  const wanted = withoutNumbers(tidy(telling))
  const line = output.split(/\r?\n/).find((each) => holds(withoutNumbers(tidy(each)), wanted))
  return line?.trim() ?? null
}

/** The words of a line in pieces without numbers, which differ from run to run. */
export function piecesWithoutNumbers(line: string): string[] {
  return line.split(/[\p{L}\p{N}]*\p{N}[\p{L}\p{N}]*/u).filter((piece) => wordsOf(piece).length > 0)
}

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}]+/gu) ?? []
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals are told with
const ANSI = /\u001b\[[0-9;?]*[A-Za-z]/g

/** Without what an output differs in from one terminal to the next: colors, case, the width of gaps. */
function tidy(text: string): string {
  return foldTextOnly(text.replace(ANSI, '')).replace(/\s+/g, ' ').trim()
}

function withoutNumbers(text: string): string {
  return text.replace(/\d+(?:[.:]\d+)*/g, '0')
}

/** As whole words: `to be 3` is not in `to be 30`. */
function holds(text: string, part: string): boolean {
  if (part === '') return true
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1))
    if (!isInWord(text, at) && !isInWord(text, at + part.length)) return true
  return false
}

function isInWord(text: string, at: number): boolean {
  return WORD_CHARACTER.test(text[at - 1] ?? '') && WORD_CHARACTER.test(text[at] ?? '')
}

const WORD_CHARACTER = /[\p{L}\p{N}_]/u
