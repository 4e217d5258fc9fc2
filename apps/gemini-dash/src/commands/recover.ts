import { type RecoverAnswer, recoverAnswerSchema } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { z } from 'zod'
import { createAccess } from '../access.ts'
import { runningServer, withAnswer } from '../environment/answer-question.ts'
import { chooseExistingHomes } from '../environment/choose-homes.ts'
import { openOwnFolder, openStore } from '../environment/open-store.ts'
import { HomeWriter } from '../home-writes/home-writer.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { jsonLine } from '../print/json-line.ts'
import { recoverSession } from '../recover/recover-session.ts'
import { changeByServer } from '../serve/ask-server.ts'
import type { StartedStore } from '../store/create-store.ts'
import { installedCli } from '../store/installed-cli.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { CommandInput, RunCommand } from '../terminal/commands.ts'
import type { Flags } from '../terminal/flags.ts'
import { nextCommand } from './next-command.ts'
import { chosenSession } from './show.ts'

/** Shows what would be written to restore a session to its home; with `--write`, writes it. */
export const recover: RunCommand = async (input) => {
  const { flags, positionals, terminal } = input
  const [word] = positionals
  if (word === undefined) throw new CliError(2, 'Which session?', 'Usage: gemini-dash recover KEY [--write]')
  const dataFolder = await openJournalFolder(input)
  if (flags.undo) return undo(input, dataFolder ?? '', word)
  const key = await keyOf(input, word)
  const path = apiPaths.recover(key, { write: String(flags.write === true) })
  const change = {
    byServer: { path, schema: recoverAnswerSchema },
    here: ({ recovering }: StartedStore) =>
      recoverSession({ recovering, dataFolder, nowMs: Date.now() }, key, flags.write === true),
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

/** Removes what `recover` or `move` wrote. */
export async function undo({ flags, terminal }: CommandInput, dataFolder: string, id: string): Promise<void> {
  const removal = await new HomeWriter(dataFolder).undo(id)
  if (removal === null) throw new CliError(1, escapeLine(`There is no write ${id} to undo.`))
  if (flags.json) await terminal.write(jsonLine(removal))
  if (removal.left.length > 0)
    throw new CliError(1, escapeLine(`Changed since then and not removed: ${removal.left.join(', ')}`))
  if (!flags.json) await terminal.write('The written files were removed.\n')
}

/** null: nothing can be stored there, and nothing is to be written. */
export async function openJournalFolder({ flags, terminal }: CommandInput): Promise<string | null> {
  if (flags.demo) throw new CliError(2, 'The sample sessions are read-only.')
  const isChanging = flags.write === true || flags.undo === true
  if (flags['no-cache'] && isChanging) throw new CliError(2, 'With --no-cache nothing is written.')
  const dataFolder = await openOwnFolder('data', flags, (sentence) => terminal.note(sentence))
  if (dataFolder === null && isChanging) throw new CliError(1, 'The data folder cannot be used.')
  // Before anything is read: leftovers of a killed process would count as existing files.
  if (dataFolder !== null) new HomeWriter(dataFolder).removeLeft()
  return dataFolder
}

/** The key of the session that the argument refers to. */
export async function keyOf(input: CommandInput, keyOrId: string): Promise<string> {
  let key = ''
  await withAnswer(
    input,
    { command: 'resume', keyOrId, shell: 'posix', cli: installedCli() },
    async ({ resolution }) => {
      key = chosenSession(keyOrId, resolution)
    },
  )
  return key
}

const failureSchema = z.object({ error: z.object({ message: z.string() }) })

interface HomeChange<Answer> {
  byServer: { path: string; schema: z.ZodType<Answer> }
  here: (opened: StartedStore) => Promise<Answer | null>
}

/**
 * Done by the server that runs with this cache and these homes, as it shows the result; otherwise in this process. Reports before closing.
 */
export async function changeHome<Answer>(
  { flags, terminal }: CommandInput,
  dataFolder: string | null,
  { byServer, here }: HomeChange<Answer>,
  tell: (answer: Answer | null) => Promise<void>,
): Promise<void> {
  const server = dataFolder === null ? null : await runningServer(flags, dataFolder)
  if (server !== null)
    return tell(changeThere(await changeByServer(server, byServer.path, createAccess(dataFolder)), byServer))
  const homes = chooseExistingHomes(flags)
  const opened = await openStore({ homes, flags, terminal, isWatching: false })
  try {
    await opened.begin('text')
    await opened.store.whenReady()
    await tell(await here(opened))
  } finally {
    await opened.store.close()
  }
}

/** @throws if the server failed */
function changeThere<Answer>(
  { status, answer }: { status: number; answer: unknown },
  { schema }: HomeChange<Answer>['byServer'],
): Answer {
  const changed = schema.safeParse(answer).data
  if (changed !== undefined) return changed
  const message = failureSchema.safeParse(answer).data?.error.message
  throw new CliError(
    1,
    message ?? `The running dashboard could not do this (${status}).`,
    'Stop it and try again.',
  )
}

function linesOf(
  { home, writes, notes, written, refused }: RecoverAnswer,
  key: string,
  flags: Flags,
): string[] {
  const isDone = written !== null
  return [
    `${isDone ? 'Written' : 'Would be written'} into ${home}:`,
    ...writes.map(({ path, sizeBytes }) => `  ${path} (${sizeBytes} bytes)`),
    ...notes,
    ...(isDone
      ? [
          `Resume it: ${nextCommand(flags, 'resume', key)}`,
          `Undo: ${nextCommand(flags, 'recover --undo', written)}`,
        ]
      : []),
    ...(isDone || refused.length > 0
      ? []
      : [`Nothing was written. To write it: ${nextCommand(flags, 'recover', key, '--write')}`]),
  ]
}
