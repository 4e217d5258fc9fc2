import type { KeepChange } from '@gemini-dash/api'
import { chooseExistingHomes, chooseHomes } from '../../environment/choose-homes.ts'
import { ownFolder } from '../../environment/own-folders.ts'
import { KeepDesk } from '../../keep/keep-desk.ts'
import type { KeepRun } from '../../keep/keep-home.ts'
import { escapeLine } from '../../print/escape-controls.ts'
import { jsonLine } from '../../print/json-line.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { type CommandInput, KEEP_ACTIONS, type RunCommand } from '../../terminal/commands.ts'
import type { Flags } from '../../terminal/flags.ts'
import { eraseKept } from './erase-kept.ts'
import { explainKeeping, printStatus } from './print-status.ts'
import { scheduleLines } from './schedule-lines.ts'

const USAGE = `Usage: gemini-dash keep ${KEEP_ACTIONS.join('|')}`

/** The archive of what Gemini CLI deletes. Opt-in: nothing of it is there until `keep on`. */
export const keep: RunCommand = async (input) => {
  const { flags, positionals } = input
  const [action = 'status'] = positionals
  const work = ACTIONS[action as keyof typeof ACTIONS]
  if (!Object.hasOwn(ACTIONS, action)) throw new CliError(2, `There is no "keep ${action}".`, USAGE)
  refuseStrayFlags(action, flags)
  await work(input)
}

const ACTIONS: Record<(typeof KEEP_ACTIONS)[number], (input: CommandInput) => Promise<void>> = {
  on: async (input) => {
    const desk = await openDesk(input, true)
    const change: KeepChange = { enabled: true, limits: readLimits(input.flags) }
    tryTo(() => desk.change(change))
    await tellRun(input, desk, explainKeeping)
  },
  off: async (input) => {
    const desk = await openDesk(input, true)
    if (input.flags.erase) return eraseKept(desk, input)
    tryTo(() => desk.change({ enabled: false }))
    await tell(input, desk, ({ sessions, folder }) =>
      sessions === 0
        ? ['Nothing is kept any more, and nothing was.']
        : [
            `Nothing more is kept. What the archive holds stays in ${folder}.`,
            '"gemini-dash keep off --erase" erases it.',
          ],
    )
  },
  status: async (input) => tell(input, await openDesk(input, false), printStatus),
  now: async (input) => {
    const desk = await openDesk(input, true)
    if (!desk.isOn())
      throw new CliError(1, 'Nothing is kept of these homes.', '"gemini-dash keep on" turns it on.')
    await tellRun(input, desk, printStatus)
  },
  schedule: async ({ flags, terminal }) => {
    const schedule = scheduleLines(flags)
    await terminal.write(flags.json ? jsonLine(schedule) : schedule.text)
  },
}

function refuseStrayFlags(action: string, flags: Flags): void {
  const belong: Partial<Record<keyof Flags, string>> = {
    erase: 'off',
    yes: 'off',
    'max-size': 'on',
    'max-age': 'on',
  }
  for (const [flag, owner] of Object.entries(belong))
    if (flags[flag as keyof Flags] !== undefined && action !== owner)
      throw new CliError(2, `--${flag} belongs to "keep ${owner}".`, USAGE)
  if (flags.yes && !flags.erase) throw new CliError(2, '--yes goes with --erase.', USAGE)
}

async function openDesk({ flags, terminal }: CommandInput, isWriting: boolean): Promise<KeepDesk> {
  if (isWriting && flags['no-cache'])
    throw new CliError(2, 'With --no-cache nothing is written, so nothing can be kept.')
  if (isWriting && flags.demo)
    throw new CliError(2, 'The sample sessions lie inside the package: there is nothing to keep of them.')
  const dataFolder = flags['no-cache'] ? null : await ownFolder('data', flags)
  if (isWriting && dataFolder === null)
    throw new CliError(1, 'There is no data folder to keep sessions in.', 'Name one with --data-dir DIR.')
  // What was kept outlives its home.
  const homes = isWriting && !flags.erase ? chooseExistingHomes(flags) : chooseHomes(flags)
  return new KeepDesk({ dataFolder, homes, tell: (message) => terminal.note(escapeLine(message)) })
}

/** `20GB`, `500MB`; `365d`; `none` takes the limit away. */
function readLimits(flags: Flags): NonNullable<KeepChange['limits']> {
  const [size, age] = [flags['max-size'], flags['max-age']]
  return {
    ...(size !== undefined && { maxBytes: readSize(size) }),
    ...(age !== undefined && { maxAgeDays: readDays(age) }),
  }
}

const UNITS: Readonly<Record<string, number>> = { MB: 1e6, GB: 1e9, TB: 1e12 }

function readSize(text: string): number | null {
  if (text === 'none') return null
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*(MB|GB|TB)$/i.exec(text) ?? []
  const bytes = Math.round(Number(number) * (UNITS[unit.toUpperCase()] ?? 0))
  if (bytes > 0) return bytes
  throw new CliError(2, `--max-size: "${text}" is not a size.`, 'Write 500MB, 20GB, or none for no limit.')
}

function readDays(text: string): number | null {
  if (text === 'none') return null
  const days = Number(/^(\d{1,6})d?$/.exec(text)?.[1] ?? 0)
  if (days > 0) return days
  throw new CliError(2, `--max-age: "${text}" is no number of days.`, 'Write 365d, or none for no limit.')
}

/** Looks at all files, and then tells; 1 where not everything could be kept, 3 where files could not be read. */
async function tellRun(
  input: CommandInput,
  desk: KeepDesk,
  linesOf: Parameters<typeof tell>[2],
): Promise<void> {
  const { terminal } = input
  const runs = await tryTo(() =>
    desk.run({
      onProgress: (done, total) => terminal.progress(`Keeping: ${done} of ${total} changed files`),
      onWait: () => terminal.progress('Another gemini-dash is keeping just now; waiting for it.'),
    }),
  )
  terminal.clearProgress()
  await tell(input, desk, linesOf)
  const { problem } = desk.status()
  if (problem !== null) throw new CliError(1, problem)
  const sum = (of: (run: KeepRun) => number) => runs.reduce((total, run) => total + of(run), 0)
  const tooOld = sum((run) => run.tooOld)
  if (tooOld > 0)
    terminal.note(`${tooOld} files were last written longer ago than --max-age says, and are not kept.`)
  const changing = sum((run) => run.changing)
  if (changing > 0) terminal.note(`${changing} files changed while they were read; the next look takes them.`)
  const unread = sum((run) => run.unread)
  if (unread > 0)
    throw new CliError(3, `${unread} files could not be read and are not kept.`, 'Check who may read them.')
}

async function tell(
  { flags, terminal }: CommandInput,
  desk: KeepDesk,
  linesOf: (status: ReturnType<KeepDesk['status']>) => string[],
): Promise<void> {
  const status = tryTo(() => desk.status())
  if (flags.json) return terminal.write(jsonLine(status))
  await terminal.write(`${linesOf(status).map(escapeLine).join('\n')}\n`)
}

/** What the system refuses is told in its words; it is no fault of the program. */
function tryTo<Result>(work: () => Result): Result {
  const fail = (error: unknown): never => {
    if (error instanceof CliError) throw error
    throw new CliError(
      1,
      `This could not be done: ${error instanceof Error ? error.message : String(error)}.`,
    )
  }
  try {
    const result = work()
    return result instanceof Promise ? (result.catch(fail) as Result) : result
  } catch (error) {
    return fail(error)
  }
}
