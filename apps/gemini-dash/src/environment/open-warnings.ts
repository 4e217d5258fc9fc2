import type { TellProblem } from '../own-data/own-file.ts'
import { escapeControls, escapeLine } from '../print/escape-controls.ts'
import { ReaderFault } from '../store/reader/reader-fault.ts'
import { WarningList } from '../store/warnings.ts'
import { CliError, placeInCode, type Terminal } from '../terminal/cli-error.ts'

const DAMAGE_ADVICE =
  'If something is missing, check the file that was set aside. If you changed nothing, check the disk.'

/** Warnings about missing features; each is also printed in the terminal. */
export function openWarnings(terminal: Terminal): WarningList {
  return new WarningList(({ message, advice }) =>
    terminal.note(escapeLine(advice === null ? message : `${message} ${advice}`)),
  )
}

/** Turns problems with the data folder into warnings, one per file or folder. */
export function asWarnings(warnings: WarningList): TellProblem {
  let reported = new Map<string, string>()
  return (problem, about, code) => {
    const key = code + about
    if (problem !== null && reported.get(key) === problem) return
    reported = new Map([...reported, [key, problem ?? '']])
    // a new message about the same file is reported, too
    warnings.clear(code, about)
    const advice = code === 'data-damaged' ? DAMAGE_ADVICE : null
    if (problem !== null) warnings.warn({ code, about, message: problem, advice })
  }
}

/** For commands that end: one line each, once. */
export function asNotes(terminal: Terminal): TellProblem {
  const reported = new Set<string>()
  return (problem) => {
    if (problem !== null && !reported.has(problem)) terminal.note(escapeLine(problem))
    reported.add(problem ?? '')
  }
}

const REPORT_HINT = 'This is a bug. Please report it with the line above.'

/** Prints why a command failed and returns the exit code. */
export function tellFailure(error: unknown, terminal: Terminal): number {
  // The module that reads sessions is loaded only by commands that need it.
  if (error instanceof Error && error.name === 'UnreadSession') {
    terminal.note(escapeControls(error.message))
    return 3
  }
  if (error instanceof CliError) {
    terminal.note(escapeControls(error.message))
    if (error.hint !== null) terminal.note(escapeControls(error.hint))
    return error.exitCode
  }
  const isExpected = error instanceof Error && ['IndexFault', 'NotWritten'].includes(error.name)
  if (error instanceof ReaderFault || isExpected) {
    terminal.note(escapeControls(error.message))
    return 1
  }
  if (isOutOfFiles(error)) {
    terminal.note(
      escapeControls(`gemini-dash cannot continue: too many files are open (${describe(error)}).`),
    )
    terminal.note('Raise the limit of open files (ulimit -n 1024) and start it again.')
    return 1
  }
  terminal.note(escapeControls(`gemini-dash cannot continue: ${describe(error)}`))
  terminal.note(REPORT_HINT)
  return 1
}

function isOutOfFiles(error: unknown): boolean {
  return error instanceof Error && /\b(EMFILE|ENFILE)\b/.test(error.message)
}

/** One line with the position in our code but no stack, which would not help the user. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const place = placeInCode(error)
  return `${error.message}${place === null ? '' : ` (${place})`}`
}
