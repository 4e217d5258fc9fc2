import { handoverQuerySchema } from '@gemini-dash/api'
import { formatCount, formatPlural } from '@gemini-dash/api/figures'
import { readQuery, withAnswer } from '../environment/answer-question.ts'
import { escapeControls } from '../print/escape-controls.ts'
import { jsonLine } from '../print/json-line.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { RunCommand } from '../terminal/commands.ts'
import { chosenSession } from './show.ts'

export const handover: RunCommand = async (input) => {
  const { flags, positionals, terminal } = input
  const [keyOrId] = positionals
  if (keyOrId === undefined) throw new CliError(2, 'Which session?', 'Usage: gemini-dash handover KEY')
  const { budget, redact } = flags
  const query = readQuery(handoverQuerySchema, { budget, redact })

  await withAnswer(input, { command: 'handover', keyOrId, ...query }, async (answer) => {
    const key = chosenSession(keyOrId, answer.resolution)
    if (answer.handover === null) throw new CliError(1, `The files of session ${key} have just been deleted.`)
    const { text, tokens, leftOut } = answer.handover
    if (flags.json) return terminal.write(jsonLine(answer.handover))
    await terminal.write(escapeControls(text))
    if (text === '') terminal.note(`Nothing of the brief fits into ${formatPlural(query.budget, 'token')}.`)
    const counts = Object.entries(leftOut).filter(([, count]) => count > 0)
    const missing = counts.map(([what, count]) => `${what} ${formatCount(count)}`).join(', ')
    terminal.note(
      `At most ${formatPlural(tokens, 'token')}; left out: ${missing === '' ? 'nothing' : missing}`,
    )
  })
}
