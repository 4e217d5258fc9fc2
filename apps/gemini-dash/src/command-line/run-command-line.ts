import { escapeControls } from '../print/escape-controls.ts'
import { VERSION } from '../version.ts'
import { CliError } from './cli-error.ts'
import { COMMANDS } from './commands.ts'
import { helpText } from './help-text.ts'
import { parseCommandLine } from './parse-command-line.ts'
import type { Terminal } from './terminal.ts'
import { openTerminal } from './terminal.ts'

const REPORT_HINT = 'This should not have happened: please report it with the lines above.'

/** Runs one command and ends the process with its code: 0 done, 1 failed, 2 wrong usage. */
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
  await command({ flags, positionals, terminal })
}

function tellFailure(error: unknown, terminal: Terminal): number {
  if (error instanceof CliError) {
    terminal.note(escapeControls(error.message))
    if (error.hint !== null) terminal.note(escapeControls(error.hint))
    return error.exitCode
  }
  terminal.note(escapeControls(error instanceof Error ? (error.stack ?? error.message) : String(error)))
  terminal.note(REPORT_HINT)
  return 1
}
