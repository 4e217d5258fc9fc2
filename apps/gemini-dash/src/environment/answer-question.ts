import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { zoneField } from '@gemini-dash/api'
import { readDate } from '@gemini-dash/api/read-date'
import { z } from 'zod'
import { createAccess } from '../access.ts'
import { askServer } from '../serve/ask-server.ts'
import { buildId } from '../serve/build-id.ts'
import { announcedServers, type RunningServer } from '../serve/running-servers.ts'
import {
  type AskedOf,
  answerCommand,
  type CommandAnswers,
  type CommandQuestion,
} from '../store/command-question.ts'
import type { Store } from '../store/store.ts'
import { ownZone } from '../store/times.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { CommandInput } from '../terminal/commands.ts'
import type { Flags } from '../terminal/flags.ts'
import { chooseExistingHomes } from './choose-homes.ts'
import { lookForProjects, openStore } from './open-store.ts'
import { ownFolder } from './own-folder.ts'

const PROGRESS_DELAY_MS = 500

/**
 * For commands that end: a running server with the same cache, homes and build answers, as it has already read everything. If there is none
 * or it is busy, the command computes the answer itself.
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

/** A query whose cursor must come from an earlier answer; the API's begins anew at any other. */
export function withCheckedCursor<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  isCursor: (cursor: string) => boolean,
) {
  const cursor = z.string().refine(isCursor, 'is not the nextCursor of an earlier answer').optional()
  return schema.extend({ cursor })
}

/** null if no server runs with the same cache, homes and build, or if it is busy. */
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

/** The server of this build, for the same homes and with the same cache; null if none runs. */
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

/** The server may have been started in another time zone. */
function inOwnZone(question: CommandQuestion): CommandQuestion {
  if (!('query' in question)) return question
  return {
    ...question,
    query: { ...question.query, tz: question.query.tz ?? ownZone() },
  } as CommandQuestion
}

/** A store in this process. Waits for the data these questions need, and reports progress if that takes a while. */
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

/** Parses flags as the API query they represent; errors are phrased in terms of the command line. */
export function readQuery<Schema extends z.ZodType>(
  schema: Schema,
  values: Partial<Record<string, string | number>>,
): z.infer<Schema> {
  const result = schema.safeParse(values)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const name = String(issue?.path[0] ?? '')
  const value = JSON.stringify(values[name] ?? '')
  if (issue?.code === 'invalid_value')
    throw new CliError(2, `--${name}: ${value} is not one of ${issue.values.join(', ')}.`)
  throw new CliError(2, `--${name}: ${value} ${issue?.message ?? 'is not valid'}.`)
}

/**
 * `--from` and `--to` as points in time; also accepts the dates that a search accepts (`7d`, `yesterday`, `monday`).
 * @param sign prefix of the names where they are not flags
 */
export function readSpan(
  { from, to, tz }: Pick<Flags, 'from' | 'to' | 'tz'>,
  nowMs: number,
  sign = '--',
): { from?: string; to?: string } {
  const { tz: zone = ownZone() } = readQuery(z.object({ tz: zoneField.optional() }), { tz })
  const context = { zone, nowMs }
  return {
    ...(from === undefined ? {} : { from: momentOf(`${sign}from`, from, context) }),
    ...(to === undefined ? {} : { to: momentOf(`${sign}to`, to, context) }),
  }
}

/** A date stays a date: the query interprets it in its own time zone. */
function momentOf(name: string, text: string, context: { zone: string; nowMs: number }): string {
  if (/^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text))) return text
  const timeMs = readDate(text, context)
  if (timeMs !== null) return new Date(timeMs).toISOString()
  throw new CliError(
    2,
    `${name}: "${text}" is not a date or time.`,
    'Write a day (2026-01-31), a time (2026-01-31T18:00), the last days (7d, 3m), the last hours (12h) or a word (today, yesterday, monday).',
  )
}

/** `--limit`, or null without it. The API clamps an invalid limit, but a person who typed one should be told. */
export function readLimit({ limit }: Flags): number | null {
  if (limit === undefined) return null
  if (!/^\d{1,9}$/.test(limit)) throw new CliError(2, `--limit: "${limit}" is not a whole number.`)
  return Number(limit)
}
