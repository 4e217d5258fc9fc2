import { escapeControls, escapeJson } from '../print/escape-controls.ts'
import { ReaderFault } from '../store/reader/reader-fault.ts'
import { UnreadSession } from '../store/unread-session.ts'
import { VERSION } from '../version.ts'
import { CliError } from './cli-error.ts'
import { COMMANDS } from './commands.ts'
import { helpText } from './help-text.ts'
import { parseCommandLine } from './parse-command-line.ts'
import type { Terminal } from './terminal.ts'
import { openTerminal } from './terminal.ts'

const REPORT_HINT = 'This should not have happened: please report it with the line above.'

/** Runs one command and ends the process with its code: 0 done, else that of the `CliError`. */
export async function runCommandLine(args: string[]): Promise<void> {
  const terminal = openTerminal()
  const end = (error: unknown) => process.exit(tellFailure(error, terminal))
  process.on('unhandledRejection', end)
  process.on('uncaughtException', end)

  try {
    await run(args, terminal)
    process.exit(0)
  } catch (error) {
    end(error)
  }
}

async function run(args: string[], terminal: Terminal): Promise<void> {
  if (args.length === 1 && (args[0] === '-v' || args[0] === '--version'))
    return terminal.write(`${VERSION}\n`)
  const { name, flags, positionals } = parseCommandLine(args)
  if (flags.help) return terminal.write(helpText(name))
  const command = await COMMANDS[name].load()
  await command({ flags, positionals, terminal: flags.json ? forJson(terminal) : terminal })
}

/** What is printed for programs stays as it is; on a screen nothing in it may act. */
function forJson(terminal: Terminal): Terminal {
  if (terminal.columns === null) return terminal
  return { ...terminal, write: (text) => terminal.write(escapeJson(text)) }
}

function tellFailure(error: unknown, terminal: Terminal): number {
  if (error instanceof UnreadSession) {
    terminal.note(escapeControls(error.message))
    return 3
  }
  if (error instanceof CliError) {
    terminal.note(escapeControls(error.message))
    if (error.hint !== null) terminal.note(escapeControls(error.hint))
    return error.exitCode
  }
  if (error instanceof ReaderFault) {
    terminal.note(escapeControls(error.message))
    return 1
  }
  terminal.note(escapeControls(`gemini-dash cannot go on: ${describe(error)}`))
  terminal.note(REPORT_HINT)
  return 1
}

/** One line, with the place in our code, but no stack: that says nothing to whoever sits in front. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const place = /([\w.-]+\.(?:js|ts):\d+:\d+)/.exec(error.stack ?? '')?.[1]
  return `${error.message}${place === undefined ? '' : ` (${place})`}`
}
