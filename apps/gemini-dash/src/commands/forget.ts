import { createInterface } from 'node:readline/promises'
import { type ForgetAnswer, forgetAnswerSchema } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { createAccess } from '../access.ts'
import { runningServer, withAnswer } from '../environment/answer-question.ts'
import { chooseExistingHomes } from '../environment/choose-homes.ts'
import { openOwnFolder, openStore } from '../environment/open-store.ts'
import { asWarnings, openWarnings } from '../environment/open-warnings.ts'
import { forgetSession } from '../forget/forget-session.ts'
import { ArchiveControl } from '../keep/archive-control.ts'
import { openMarks } from '../own-data/open-marks.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { jsonLine } from '../print/json-line.ts'
import { changeByServer } from '../serve/ask-server.ts'
import { installedCli } from '../store/installed-cli.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { CommandInput, RunCommand } from '../terminal/commands.ts'
import { chosenSession } from './show.ts'

/** Erases a session from everything this program stores; files in a Gemini home stay. */
export const forget: RunCommand = async (input) => {
  const { flags, positionals, terminal } = input
  const [keyOrId] = positionals
  if (keyOrId === undefined) throw new CliError(2, 'Which session?', 'Usage: gemini-dash forget KEY')
  if (flags['no-cache'])
    throw new CliError(2, 'With --no-cache nothing is written, so nothing can be deleted.')
  if (flags.demo) throw new CliError(2, 'The sample sessions are read-only.')
  const dataFolder = await openOwnFolder('data', flags, (sentence) => terminal.note(sentence))
  if (dataFolder === null) throw new CliError(1, 'The data folder cannot be used.')
  let key = ''
  await withAnswer(
    input,
    { command: 'resume', keyOrId, shell: 'posix', cli: installedCli() },
    async (found) => {
      key = chosenSession(keyOrId, found.resolution)
    },
  )
  if (!flags.yes) await askTwice(key)
  // The process that holds the index on disk has to rebuild it.
  const answer =
    (await byServer(input, dataFolder, key)) ?? (await here(input, dataFolder, key).catch(tellWhy))
  if (answer === null) throw new CliError(1, 'This session no longer exists.')
  if (flags.json) return terminal.write(jsonLine(answer))
  await terminal.write(`${linesOf(answer).map(escapeLine).join('\n')}\n`)
}

async function here(
  { flags, terminal }: CommandInput,
  dataFolder: string,
  key: string,
): Promise<ForgetAnswer | null> {
  const homes = chooseExistingHomes(flags)
  const warnings = openWarnings(terminal)
  const tell = asWarnings(warnings)
  const { store: registry } = openMarks(dataFolder, tell)
  const { store, begin, forgetting } = await openStore({
    homes,
    flags,
    terminal,
    marks: registry,
    warnings,
    isWatching: false,
  })
  try {
    await begin('text')
    await store.whenReady()
    const archives = new ArchiveControl({ dataFolder, homes, tell })
    return await forgetSession({ store, forgetting, archives, marks: registry }, key)
  } finally {
    await store.close()
  }
}

/** A full disk, or a Node.js that is too old, is not an error of the program. */
function tellWhy(error: unknown): never {
  if (error instanceof CliError) throw error
  const reason = error instanceof Error ? error.message : String(error)
  throw new CliError(1, `Not everything could be deleted: ${reason}.`, 'The next start tries again.')
}

/** null if no server runs with this cache and these homes. @throws if a running server failed */
async function byServer(
  { flags }: CommandInput,
  dataFolder: string,
  key: string,
): Promise<ForgetAnswer | null> {
  const server = await runningServer(flags, dataFolder)
  if (server === null) return null
  const { status, answer } = await changeByServer(server, apiPaths.forget(key), createAccess(dataFolder))
  const forgotten = forgetAnswerSchema.safeParse(answer).data
  if (forgotten !== undefined) return forgotten
  throw new CliError(1, `The running dashboard could not delete it (${status}).`, 'Stop it and try again.')
}

async function askTwice(key: string): Promise<void> {
  const what = `This deletes session ${key} and its sub-agents from the archive, the index and your stars, notes and tags.`
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new CliError(
      2,
      escapeLine(what),
      'There is no terminal to confirm in. Use --yes to delete without asking.',
    )
  const question = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const first = await question.question(escapeLine(`${what} Continue? [y/N] `))
    if (!/^y(es)?$/i.test(first.trim())) throw new CliError(1, 'Nothing was deleted.')
    const second = await question.question('This can’t be undone. Type "forget" to continue: ')
    if (second.trim() !== 'forget') throw new CliError(1, 'Nothing was deleted.')
  } finally {
    question.close()
  }
}

function linesOf({ erased, stillThere }: ForgetAnswer): string[] {
  const kept = erased === 0 ? 'It was not in the archive' : `Deleted from the archive: ${erased} files`
  return [
    `${kept}. Its stars, notes, tags and index entries are deleted, and it is never archived again.`,
    ...(stillThere.length === 0
      ? []
      : ['Still in the Gemini folder, not changed:', ...stillThere.map((path) => `  ${path}`)]),
  ]
}
