import { escapeControls } from '../print/escape-controls.ts'
import { ReaderFault } from '../store/reader/lanes/reader-fault.ts'
import { CliError } from '../terminal/cli-error.ts'
import { placeInCode } from '../terminal/place-in-code.ts'
import type { Terminal } from '../terminal/terminal.ts'

const REPORT_HINT = 'This should not have happened: please report it with the line above.'

/** Says why a command ends without its answer, and answers the exit code. */
export function tellFailure(error: unknown, terminal: Terminal): number {
  // What reads sessions is loaded by those commands only that need it.
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
    terminal.note(escapeControls(`gemini-dash cannot go on: it may open no more files (${describe(error)}).`))
    terminal.note('Raise the limit of open files (ulimit -n 1024), and start it again.')
    return 1
  }
  terminal.note(escapeControls(`gemini-dash cannot go on: ${describe(error)}`))
  terminal.note(REPORT_HINT)
  return 1
}

function isOutOfFiles(error: unknown): boolean {
  return error instanceof Error && /\b(EMFILE|ENFILE)\b/.test(error.message)
}

/** One line, with the place in our code, but no stack: that says nothing to whoever sits in front. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const place = placeInCode(error)
  return `${error.message}${place === null ? '' : ` (${place})`}`
}
