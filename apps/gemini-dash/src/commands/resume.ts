import { resumeQuerySchema, type Shell } from '@gemini-dash/api'
import { readQuery } from '../environment/read-query.ts'
import { withAnswer } from '../environment/with-answer.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { jsonLine } from '../print/json-line.ts'
import { installedCli } from '../store/cli/installed-cli.ts'
import { ownShell } from '../store/resume/quote-for-shell.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { RunCommand } from '../terminal/commands.ts'
import { chosenSession } from './show.ts'

export const resume: RunCommand = async (input) => {
  const { flags, positionals, terminal } = input
  const [keyOrId] = positionals
  if (keyOrId === undefined) throw new CliError(2, 'Which session?', 'Usage: gemini-dash resume KEY')
  const shell: Shell = readQuery(resumeQuerySchema, { shell: flags.shell }).shell ?? ownShell()

  await withAnswer(input, { command: 'resume', keyOrId, shell, cli: installedCli() }, async (answer) => {
    const key = chosenSession(keyOrId, answer.resolution)
    const { plan } = answer
    if (plan === null) throw new CliError(1, `The files of session ${key} have just been deleted.`)
    if (flags.json) return terminal.write(jsonLine(plan))
    if (plan.command === null) throw new CliError(1, plan.notes.map(escapeLine).join(' '))
    // The shell reads it, so it stands alone; what unseen characters it holds are quoted by their numbers.
    await terminal.write(`${plan.command}\n`)
    for (const note of plan.notes) terminal.note(escapeLine(note))
  })
}
