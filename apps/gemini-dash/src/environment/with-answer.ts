import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { createAccess } from '../access/access.ts'
import { buildId } from '../serve/build-id.ts'
import { askServer } from '../serve/running/ask-server.ts'
import { announcedServers, type RunningServer } from '../serve/running/running-servers.ts'
import {
  type AskedOf,
  answerCommand,
  type CommandAnswers,
  type CommandQuestion,
} from '../store/command-question.ts'
import type { Store } from '../store/store.ts'
import { ownZone } from '../store/times/time-zone.ts'
import type { CommandInput } from '../terminal/commands.ts'
import { chooseExistingHomes } from './choose-homes.ts'
import { lookForProjects } from './look-for-projects.ts'
import { openStore } from './open-store.ts'
import { ownFolder } from './own-folders.ts'

const PROGRESS_DELAY_MS = 500

/**
 * For commands that end: the answer comes from a server that runs with the same cache, homes and build, which has everything
 * read already; where there is none, or it has other things to do, the command finds it for itself.
 */
export async function withAnswer<Name extends CommandQuestion['command']>(
  input: CommandInput,
  question: AskedOf<Name>,
  tell: (answer: CommandAnswers[Name]) => Promise<void>,
): Promise<void> {
  const answer = await askRunningServer(input, question)
  input.terminal.clearProgress()
  if (answer !== null) return tell(answer as CommandAnswers[Name])
  await withStore(input, [question], async (store) => tell(await answerCommand(store, question)))
}

/** null: no server runs with the same cache, homes and build, or it has other things to do. */
export async function askRunningServer(
  { flags, terminal }: CommandInput,
  question: CommandQuestion,
): Promise<unknown> {
  if (flags['no-cache'] || flags['find-projects']) return null
  const dataFolder = await ownFolder('data', flags)
  const server = dataFolder === null ? null : await runningServer(flags, dataFolder)
  if (server === null || dataFolder === null) return null
  return askServer(server, inOwnZone(question), createAccess(dataFolder), ({ index }) => {
    if (index.state === 'building')
      terminal.progress(`Reading sessions: ${index.filesDone} of ${index.filesTotal} files`)
  }).catch(() => null)
}

/** That of this build, for the same homes and with the same cache; null: none runs. */
export async function runningServer(
  flags: CommandInput['flags'],
  dataFolder: string,
): Promise<RunningServer | null> {
  const cacheDirectory = await ownFolder('cache', flags)
  if (!existsSync(dataFolder)) return null
  const servers = announcedServers(dataFolder, chooseExistingHomes(flags))
  return (
    servers.find(
      (each) =>
        each.build === buildId() && each.cacheDirectory === cacheDirectory && each.userHome === homedir(),
    ) ?? null
  )
}

/** The server may have been started in another one. */
function inOwnZone(question: CommandQuestion): CommandQuestion {
  if (!('query' in question)) return question
  return {
    ...question,
    query: { ...question.query, tz: question.query.tz ?? ownZone() },
  } as CommandQuestion
}

/** A store of this process: what the answers to these questions are made of is waited for, and told of where that takes a while. */
export async function withStore(
  { flags, terminal }: CommandInput,
  questions: readonly CommandQuestion[],
  answer: (store: Store) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now()
  const onProgress = (done: number, total: number) => {
    if (performance.now() - startedAt > PROGRESS_DELAY_MS)
      terminal.progress(`Reading sessions: ${done} of ${total} files`)
  }
  const homes = chooseExistingHomes(flags)
  const { store, open, readFor } = await openStore({ homes, flags, terminal, isWatching: false, onProgress })
  try {
    await open()
    for (const question of questions) await readFor(question)
    if (flags['find-projects']) await lookForProjects(store, terminal)
    terminal.clearProgress()
    await answer(store)
  } finally {
    await store.close()
  }
}
