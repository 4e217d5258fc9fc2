import { CliError } from '../terminal/cli-error.ts'
import type { RunCommand } from '../terminal/commands.ts'
import { COMPLETION_SHELLS, completionScript } from '../terminal/completion-script.ts'

export const completion: RunCommand = async ({ positionals: [wanted], terminal }) => {
  const shell = COMPLETION_SHELLS.find((each) => each === wanted)
  if (shell === undefined) {
    throw new CliError(
      2,
      wanted === undefined ? 'Completion for which shell?' : `There is no completion for "${wanted}".`,
      `Write: gemini-dash completion ${COMPLETION_SHELLS.join('|')}. The first lines of the script say where it goes.`,
    )
  }
  await terminal.write(completionScript(shell))
}
