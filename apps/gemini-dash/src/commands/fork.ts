import { type ForkAnswer, forkAnswerSchema, forkQuerySchema } from '@gemini-dash/api'
import { formatPlural } from '@gemini-dash/api/figures'
import { apiPaths } from '@gemini-dash/api/paths'
import { forkSession } from '../fork.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { jsonLine } from '../print/json-line.ts'
import type { StartedStore } from '../store/create-store.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { RunCommand } from '../terminal/commands.ts'
import type { Flags } from '../terminal/flags.ts'
import { nextCommand } from './next-command.ts'
import { changeHome, keyOf, openJournalFolder, undo } from './recover.ts'

const USAGE = 'Usage: gemini-dash fork KEY --at TURN [--write]'

/** Shows what would be written to continue from an earlier turn; with `--write`, writes it. */
export const fork: RunCommand = async (input) => {
  const { flags, positionals, terminal } = input
  const [word] = positionals
  if (flags.undo && word === undefined)
    throw new CliError(2, 'Undo what?', 'Usage: gemini-dash fork --undo ID')
  if (word === undefined) throw new CliError(2, 'Which session?', USAGE)
  if (flags.undo) return undo(input, (await openJournalFolder(input)) ?? '', word)
  if (flags.at === undefined) throw new CliError(2, 'From which turn?', USAGE)
  const { at } = forkQuerySchema.safeParse({ at: flags.at }).data ?? {}
  if (at === undefined)
    throw new CliError(2, `--at: ${JSON.stringify(flags.at)} is not a turn number.`, USAGE)
  const dataFolder = await openJournalFolder(input)
  const key = await keyOf(input, word)
  const isWriting = flags.write === true
  const change = {
    byServer: {
      path: apiPaths.fork(key, { at: String(at), write: String(isWriting) }),
      schema: forkAnswerSchema,
    },
    here: ({ recovering }: StartedStore) =>
      forkSession({ recovering, dataFolder, nowMs: Date.now() }, { key, at, isWriting }),
  }
  await changeHome(input, dataFolder, change, async (answer) => {
    if (answer === null) throw new CliError(1, 'This session no longer exists.')
    if (flags.json) await terminal.write(jsonLine(answer))
    else if (answer.writes.length > 0)
      await terminal.write(`${linesOf(answer, key, flags).map(escapeLine).join('\n')}\n`)
    if (answer.refused.length === 0) return
    throw new CliError(1, escapeLine(answer.refused.map(({ message }) => message).join(' ')))
  })
}

function linesOf(
  { home, writes, notes, written, refused, at, messages, sessionId }: ForkAnswer,
  key: string,
  flags: Flags,
): string[] {
  const isDone = written !== null
  return [
    `A new session of the ${formatPlural(messages, 'message')} before turn ${at}.`,
    `${isDone ? 'Written' : 'Would be written'} into ${home}:`,
    ...writes.map(({ path, sizeBytes }) => `  ${path} (${sizeBytes} bytes)`),
    ...notes,
    ...(isDone
      ? [
          `Resume it: ${nextCommand(flags, 'resume', sessionId ?? '')}`,
          `Undo: ${nextCommand(flags, 'fork --undo', written)}`,
        ]
      : []),
    ...(isDone || refused.length > 0
      ? []
      : [`Nothing was written. To write it: ${nextCommand(flags, 'fork', key, `--at ${at} --write`)}`]),
  ]
}
