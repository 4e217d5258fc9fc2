import { foldTextOnly } from '@gemini-dash/session-index'
import { tellingLine, withoutFrame } from 'gemini-sessions'

/** An error as quoted by a user, prepared for matching against outputs. */
export interface ErrorText {
  /** The most informative line, as given: an output must contain it. */
  telling: string
  /** All lines that name a failure, normalized; an output must contain more than half of them. */
  failures: string[]
  /** All of its lines, normalized. */
  lines: string[]
}

/** How well an output matches an error. */
export interface ErrorMatch {
  /** Share of the lines that it contains: above 0, at most 1. */
  share: number
  /** All numbers are equal, too. */
  isExact: boolean
}

/** With fewer words a line is not distinctive. */
const LEAST_WORDS = 2
/** Limit for endless stacks. */
const MOST_LINES = 60
/** A different failure has only some lines in common. */
const LEAST_SHARE = 0.5

/** null: it has too few words to be distinctive. */
export function readErrorText(text: string): ErrorText | null {
  const plain = withoutFrame(text.replace(ANSI, '').trim())
  const written = plain
    .split(/\r?\n/)
    .filter((line) => wordsOf(line).length > 0 && !OF_ANY_FAILURE.test(line))
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
  const found = lines.find((line) => tidy(line).includes(named)) ?? written.at(-1)
  // a fallback to the last line means that no line names the error
  return found === lines.at(-1) ? (lines.find((line) => FAILURE.test(line)) ?? found) : found
}

/** Lines of the runner that started what failed. */
const OF_RUNNER =
  /^\s*(?:npm (?:error|ERR!)|error Command failed|\W*ELIFECYCLE|make(?:\[\d+\])?: \*\*\*|error: script |error: could not compile|Found \d+ errors?\b)/
/** How a run ended, whatever went wrong. */
const OF_ANY_FAILURE =
  /^\s*(?:Exit Code: -?\d+|exit(?:ed with)? (?:code|status):? -?\d+|(?:Test Files|Tests|Test Suites):? +\d+ \w+.*|=* ?\d+ (?:failed|passed|errors?)(?:, \d+ \w+)*(?: in [\d.]+ ?m?s)? ?=*)\s*$/i
/** Where an error came from, not what it is. */
const OF_STACK = /^\s*(?:at .+:\d+\)?|File ".+", line \d+.*)$/
/** Which test failed: another one can fail for the same reason. */
const OF_TEST = /^\s*(?:FAIL(?:ED|URE)?\b|[✗✖×●])/
/** `error during build:` can precede any error. */
const HEADING = /:\s*$/
const FAILURE =
  /error|exception|fail|fatal|panic|denied|refused|undefined|unexpected|unable|invalid|missing|cannot|could not|does not|not found|not recognized|no such/i

/** An error without a name of its own: the bare label `Error: ` of the CLI is not distinctive. */
function withoutLabel(line: string): string {
  return line.replace(/^\s*Error: /, 'error: ')
}

/** null: the output is about something else. Numbers may differ in all lines except the telling one. */
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

/** The line of an output with the error, byte for byte; null: several match. */
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

/** Removes what differs between terminals: colors, case, the width of gaps. */
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
