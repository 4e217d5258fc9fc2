import { type OpenedFile, OpenedFolder } from '../opened/opened-folder.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { CommandInput, CommandName, RunCommand } from '../terminal/commands.ts'

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs a command on copies of the named files, in a temporary Gemini folder that is removed afterwards. */
export async function runOnOpened(
  name: CommandName,
  input: CommandInput,
  command: RunCommand,
): Promise<void> {
  const { flags, positionals } = input
  const isServer = name === 'open' || name === 'serve'
  const paths = isServer ? positionals : (flags.file ?? [])
  if (paths.length === 0 || paths.includes(''))
    throw new CliError(2, 'Which files?', 'Usage: gemini-dash open PATH...')
  const other = (['home', 'demo', 'find-projects'] as const).find((flag) => flags[flag] !== undefined)
  if (other !== undefined)
    throw new CliError(2, `Opened files can’t be combined with --${other}.`, `Remove --${other}.`)
  const folder = new OpenedFolder()
  removeAtSignals(folder)
  try {
    const opened = await folder.addPaths(paths)
    await command({
      ...input,
      flags: { ...flags, file: paths, home: [folder.path], 'no-cache': true },
      positionals: isServer ? [] : chosenKeys(name, input, opened),
    })
  } finally {
    folder.remove()
  }
}

/** If one session is opened, it is the one that is meant; an export means all of them. */
function chosenKeys(
  name: CommandName,
  { flags, positionals }: CommandInput,
  opened: readonly OpenedFile[],
): string[] {
  const isOfOne = name === 'show' || name === 'handover' || name === 'resume'
  const isOfAll = name === 'export' && flags.project === undefined && flags.query === undefined
  if (positionals.length > 0 || !(isOfOne || isOfAll)) return positionals
  const main = opened.filter(({ isSubagent }) => !isSubagent)
  const ids = [...new Set((main.length > 0 ? main : opened).map(({ sessionId }) => sessionId))]
  if (isOfOne && ids.length > 1)
    throw new CliError(
      2,
      `${ids.length} sessions were opened. Which one?`,
      `gemini-dash list --file lists them; name one: gemini-dash ${name} KEY --file PATH`,
    )
  return ids
}

/** A process ended by a signal runs no `finally`. */
function removeAtSignals(folder: OpenedFolder): void {
  for (const signal of ENDING)
    process.once(signal, () => {
      folder.remove()
      // no other listener: end as the signal would have
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
    })
}
