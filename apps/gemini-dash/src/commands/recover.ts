import { type RecoverAnswer, recoverAnswerSchema } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { createAccess } from '../access/access.ts'
import { chooseExistingHomes } from '../environment/choose-homes.ts'
import { openStore } from '../environment/open-store.ts'
import { openOwnFolder } from '../environment/own-folders.ts'
import { runningServer, withAnswer } from '../environment/with-answer.ts'
import { HomeWriter } from '../home-writes/home-writer.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { jsonLine } from '../print/json-line.ts'
import { recoverSession } from '../recover/recover-session.ts'
import { changeByServer } from '../serve/running/ask-server.ts'
import { installedCli } from '../store/resume/installed-cli.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { CommandInput, RunCommand } from '../terminal/commands.ts'
import { chosenSession } from './show.ts'

/** Tells what would be written to bring a session back into its home; with `--write` it is. */
export const recover: RunCommand = async (input) => {
  const { flags, positionals, terminal } = input
  const [word] = positionals
  if (word === undefined) throw new CliError(2, 'Which session?', 'Usage: gemini-dash recover KEY [--write]')
  if (flags.demo) throw new CliError(2, 'The sample sessions lie inside the package.')
  const isChanging = flags.write === true || flags.undo === true
  if (flags['no-cache'] && isChanging) throw new CliError(2, 'With --no-cache nothing is written.')
  const dataFolder = await openOwnFolder('data', flags, (sentence) => terminal.note(sentence))
  if (dataFolder === null && isChanging) throw new CliError(1, 'The data folder cannot be used.')
  if (flags.undo) return undo(input, dataFolder ?? '', word)
  let key = ''
  await withAnswer(
    input,
    { command: 'resume', keyOrId: word, shell: 'posix', cli: installedCli() },
    async ({ resolution }) => {
      key = chosenSession(word, resolution)
    },
  )
  const answer = (await byServer(input, dataFolder, key)) ?? (await here(input, dataFolder, key))
  if (answer === null) throw new CliError(1, 'There is no such session any more.')
  if (flags.json) await terminal.write(jsonLine(answer))
  else if (answer.writes.length > 0)
    await terminal.write(`${linesOf(answer, key).map(escapeLine).join('\n')}\n`)
  if (answer.refused.length === 0) return
  throw new CliError(1, escapeLine(answer.refused.map(({ message }) => message).join(' ')))
}

async function undo({ flags, terminal }: CommandInput, dataFolder: string, id: string): Promise<void> {
  const removal = await new HomeWriter(dataFolder).undo(id)
  if (removal === null) throw new CliError(1, escapeLine(`Nothing that was written as ${id} is there.`))
  if (flags.json) await terminal.write(jsonLine(removal))
  if (removal.left.length > 0)
    throw new CliError(1, escapeLine(`It was changed since, and is left alone: ${removal.left.join(', ')}`))
  if (!flags.json) await terminal.write('What was written is removed again.\n')
}

async function here(
  { flags, terminal }: CommandInput,
  dataFolder: string | null,
  key: string,
): Promise<RecoverAnswer | null> {
  const homes = chooseExistingHomes(flags)
  const { store, begin, recovering } = await openStore({ homes, flags, terminal, isWatching: false })
  try {
    await begin('text')
    await store.whenReady()
    return await recoverSession({ recovering, dataFolder, nowMs: Date.now() }, key, flags.write === true)
  } finally {
    await store.close()
  }
}

/** null: none runs with this cache and these homes. @throws why a server that runs could not */
async function byServer(
  { flags }: CommandInput,
  dataFolder: string | null,
  key: string,
): Promise<RecoverAnswer | null> {
  const server = dataFolder === null ? null : await runningServer(flags, dataFolder)
  if (server === null) return null
  const path = apiPaths.recover(key, { write: String(flags.write === true) })
  const { status, answer } = await changeByServer(server, path, createAccess(dataFolder))
  const recovered = recoverAnswerSchema.safeParse(answer).data
  if (recovered !== undefined) return recovered
  throw new CliError(1, `The dashboard that runs could not do it (${status}).`, 'End it, and try again.')
}

function linesOf({ home, writes, notes, written, refused }: RecoverAnswer, key: string): string[] {
  const isDone = written !== null
  return [
    `${isDone ? 'Written' : 'Would be written'} into ${home}:`,
    ...writes.map(({ path, sizeBytes }) => `  ${path} (${sizeBytes} bytes)`),
    ...notes,
    ...(isDone
      ? [`Go on with it: gemini-dash resume ${key}`, `Remove it again: gemini-dash recover --undo ${written}`]
      : []),
    ...(isDone || refused.length > 0
      ? []
      : [`Nothing was written. To write it: gemini-dash recover ${key} --write`]),
  ]
}
