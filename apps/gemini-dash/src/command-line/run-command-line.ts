import { escapeJson } from '../print/escape-controls.ts'
import { VERSION } from '../version.ts'
import { COMMANDS } from './commands.ts'
import { helpText } from './help-text.ts'
import { parseCommandLine } from './parse-command-line.ts'
import { tellFailure } from './tell-failure.ts'
import type { Terminal } from './terminal.ts'
import { openTerminal } from './terminal.ts'

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
