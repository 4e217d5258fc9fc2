import { tellFailure } from '../environment/tell-failure.ts'
import { ignoreRelativeFolders } from '../environment/user-folders.ts'
import { escapeJson } from '../print/escape-controls.ts'
import type { CommandName, RunCommand } from '../terminal/commands.ts'
import { openTerminal, type Terminal } from '../terminal/terminal.ts'
import { parseCommandLine } from './parse-command-line.ts'

/** Each command's program, which is read only where the command runs. */
const PROGRAMS: Record<CommandName, () => Promise<RunCommand>> = {
  serve: async () => (await import('./serving/serve-in-thread.ts')).serveInThread,
  list: async () => (await import('../commands/list.ts')).list,
  show: async () => (await import('../commands/show.ts')).show,
  handover: async () => (await import('../commands/handover.ts')).handover,
  export: async () => (await import('../commands/export/export.ts')).exportSessions,
  mcp: async () => (await import('../mcp/mcp.ts')).mcp,
  resume: async () => (await import('../commands/resume.ts')).resume,
  search: async () => (await import('../commands/search.ts')).search,
  usage: async () => (await import('../commands/usage.ts')).usage,
  doctor: async () => (await import('../commands/doctor.ts')).doctor,
  marks: async () => (await import('../commands/marks.ts')).marks,
  forget: async () => (await import('../commands/forget.ts')).forget,
  recover: async () => (await import('../commands/homes/recover.ts')).recover,
  move: async () => (await import('../commands/homes/move.ts')).move,
  keep: async () => (await import('../commands/keep/keep.ts')).keep,
  testbed: async () => (await import('../commands/testbed.ts')).testbed,
  url: async () => (await import('../commands/url.ts')).url,
  completion: async () => (await import('../commands/completion.ts')).completion,
}

/** Wider lines of help are hard to read. */
const MAX_HELP_COLUMNS = 100

/** Runs one command and ends the process with its code: 0 done, else that of the `CliError`. */
export async function runCommandLine(args: string[]): Promise<void> {
  ignoreRelativeFolders(process.env)
  const terminal = openTerminal()
  const end = (error: unknown) => process.exit(tellFailure(error, terminal))
  process.on('unhandledRejection', end)
  process.on('uncaughtException', end)
  // What it waits for will never come. Node.js would end it with 0, and without a word.
  process.on('beforeExit', () => end(new Error('nothing is left that could bring its answer')))

  try {
    await run(args, terminal)
    process.exit(0)
  } catch (error) {
    end(error)
  }
}

async function run(args: string[], terminal: Terminal): Promise<void> {
  const columns = Math.min(terminal.columns ?? MAX_HELP_COLUMNS, MAX_HELP_COLUMNS)
  const line = parseCommandLine(args, columns)
  if (line.kind === 'print') return terminal.write(line.text)
  const { name, flags, positionals } = line
  const command = await loadCommand(name)
  await command({ flags, positionals, terminal: flags.json ? forJson(terminal) : terminal })
}

/** What is printed for programs stays as it is; on a screen nothing in it may act. */
function forJson(terminal: Terminal): Terminal {
  if (terminal.columns === null) return terminal
  return { ...terminal, write: (text) => terminal.write(typeof text === 'string' ? escapeJson(text) : text) }
}

function loadCommand(name: CommandName): Promise<RunCommand> {
  return PROGRAMS[name]()
}
