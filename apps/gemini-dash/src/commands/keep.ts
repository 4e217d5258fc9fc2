import { dirname, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { KeepChange, KeepStatus } from '@gemini-dash/api'
import { formatColumnTime, formatCount, formatPlural, formatSize } from '@gemini-dash/api/figures'
import { chooseExistingHomes, chooseHomes } from '../environment/choose-homes.ts'
import { asNotes } from '../environment/open-warnings.ts'
import { ownFolder } from '../environment/own-folder.ts'
import { describeAdded } from '../keep/add-opened.ts'
import { ArchiveControl, type HomeRepair, type NamedVersion } from '../keep/archive-control.ts'
import { describeDamage, describeLost } from '../keep/archive-state.ts'
import type { KeepRun } from '../keep/keep-home.ts'
import { reasonOf } from '../own-data/own-file.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { jsonLine } from '../print/json-line.ts'
import { CliError } from '../terminal/cli-error.ts'
import { type CommandInput, KEEP_ACTIONS, type RunCommand } from '../terminal/commands.ts'
import type { Flags } from '../terminal/flags.ts'

const USAGE = `Usage: gemini-dash keep ${KEEP_ACTIONS.join('|')}`

/** The archive of what Gemini CLI deletes. Opt-in: nothing is stored until `keep on`. */
export const keep: RunCommand = async (input) => {
  const { flags, positionals } = input
  const [action = 'status'] = positionals
  const work = ACTIONS[action as keyof typeof ACTIONS]
  if (!Object.hasOwn(ACTIONS, action)) throw new CliError(2, `There is no "keep ${action}".`, USAGE)
  refuseStrayFlags(action, flags)
  if (positionals.length > 1 && action !== 'add') throw new CliError(2, 'Too many words.', USAGE)
  await work(input)
}

const ACTIONS: Record<(typeof KEEP_ACTIONS)[number], (input: CommandInput) => Promise<void>> = {
  on: async (input) => {
    const control = await openControl(input, true)
    const change: KeepChange = { enabled: true, limits: readLimits(input.flags) }
    tryTo(() => control.change(change))
    await tellRun(input, control, explainKeeping)
  },
  off: async (input) => {
    const control = await openControl(input, true)
    if (input.flags.erase) return eraseKept(control, input)
    tryTo(() => control.change({ enabled: false }))
    await tell(input, control, ({ sessions, folder }) =>
      sessions === 0
        ? ['The archive is off. It was empty.']
        : [
            `The archive is off. Archived sessions stay in ${folder}.`,
            '"gemini-dash keep off --erase" deletes them.',
          ],
    )
  },
  status: async (input) => {
    const control = await openControl(input, false)
    const { damage } = await tell(input, control, printStatus)
    if (damage !== null) throw new CliError(1, damage.message, damage.advice)
  },
  now: async (input) => {
    const control = await openControl(input, true)
    const { quiet, session = null } = input.flags
    if (!control.isOn()) {
      if (quiet) return
      throw new CliError(
        1,
        'The archive is off for these Gemini folders.',
        '"gemini-dash keep on" turns it on.',
      )
    }
    await tellRun(input, control, printStatus, session === null ? null : resolve(session))
  },
  add: async (input) => {
    const { flags, terminal, positionals } = input
    const paths = positionals.slice(1)
    if (paths.length === 0) throw new CliError(2, 'Which files?', 'Usage: gemini-dash keep add PATH...')
    const control = await openControl(input, true)
    const { OpenedFolder } = await import('../opened/opened-folder.ts')
    const opened = new OpenedFolder()
    try {
      await opened.addPaths(paths)
      const added = await tryTo(() => control.addOpened(opened.path))
      const text = describeAdded(added)
      await terminal.write(flags.json ? jsonLine({ ...added, text }) : `${text}\n`)
    } finally {
      opened.remove()
    }
  },
  repair: async (input) => repairKept(await openControl(input, true), input),
}

function refuseStrayFlags(action: string, flags: Flags): void {
  const belong: Partial<Record<keyof Flags, string>> = {
    erase: 'off',
    yes: 'off',
    'max-size': 'on',
    'max-age': 'on',
    session: 'now',
    quiet: 'now',
  }
  for (const [flag, owner] of Object.entries(belong))
    if (flags[flag as keyof Flags] !== undefined && action !== owner)
      throw new CliError(2, `--${flag} belongs to "keep ${owner}".`, USAGE)
  if (flags.yes && !flags.erase) throw new CliError(2, '--yes goes with --erase.', USAGE)
}

async function openControl(
  { flags, terminal, positionals: [action] }: CommandInput,
  isWriting: boolean,
): Promise<ArchiveControl> {
  if (isWriting && flags['no-cache'])
    throw new CliError(2, 'With --no-cache nothing is written, so nothing can be archived.')
  if (isWriting && flags.demo) throw new CliError(2, 'The sample sessions can’t be archived.')
  const dataFolder = flags['no-cache'] ? null : await ownFolder('data', flags)
  if (isWriting && dataFolder === null)
    throw new CliError(1, 'There is no data folder for the archive.', 'Choose one with --data-dir DIR.')
  // Archived sessions outlive their home.
  const needsHome = isWriting && !flags.erase && action !== 'repair'
  const homes = needsHome ? chooseExistingHomes(flags) : chooseHomes(flags)
  return new ArchiveControl({ dataFolder, homes, tell: asNotes(terminal) })
}

/** `20GB`, `500MB`; `365d`; `none` removes the limit. */
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
  throw new CliError(2, `--max-age: "${text}" is not a number of days.`, 'Write 365d, or none for no limit.')
}

/** Scans all files, then reports; 1 if not everything could be archived, 3 if files could not be read. */
async function tellRun(
  input: CommandInput,
  control: ArchiveControl,
  linesOf: Parameters<typeof tell>[2],
  sessionFile: string | null = null,
): Promise<void> {
  const { terminal, flags } = input
  const runs = await tryTo(() =>
    control.run({
      sessionFile,
      onProgress: (done, total) => terminal.progress(`Archiving: ${done} of ${total} changed files`),
      onWait: () => terminal.progress('Another gemini-dash is writing to the archive. Waiting for it.'),
    }),
  )
  terminal.clearProgress()
  if (sessionFile !== null && runs.length === 0 && control.problem === null)
    throw new CliError(
      1,
      escapeLine(`${sessionFile} is not a session file of an archived Gemini folder.`),
      'Nothing was archived.',
    )
  if (!flags.quiet) await tell(input, control, linesOf)
  const problem = flags.quiet ? control.problem : control.status().problem
  if (problem !== null) throw new CliError(1, problem)
  const sum = (of: (run: KeepRun) => number) => runs.reduce((total, run) => total + of(run), 0)
  const tooOld = sum((run) => run.tooOld)
  if (tooOld > 0)
    terminal.note(`${tooOld} files were last written before the --max-age limit and are not archived.`)
  const changing = sum((run) => run.changing)
  if (changing > 0)
    terminal.note(`${changing} files changed while they were read. The next scan archives them.`)
  const unread = sum((run) => run.unread)
  if (unread > 0)
    throw new CliError(
      3,
      `${unread} files could not be read and are not archived.`,
      'Check their permissions.',
    )
}

async function tell(
  { flags, terminal }: CommandInput,
  control: ArchiveControl,
  linesOf: (status: ReturnType<ArchiveControl['status']>) => string[],
): Promise<KeepStatus> {
  const status = tryTo(() => control.status())
  await terminal.write(flags.json ? jsonLine(status) : `${linesOf(status).map(escapeLine).join('\n')}\n`)
  return status
}

/** Erases the archive of these homes after asking twice. First reports how much of it exists nowhere else. */
async function eraseKept(control: ArchiveControl, { flags, terminal }: CommandInput): Promise<void> {
  const { sessions, onlyHere, storedBytes, folder } = control.status()
  const what = `the archive of ${sessionCount(sessions)} in ${folder} (${formatSize(storedBytes)})`
  const loss =
    onlyHere === 0
      ? 'Everything is still in the Gemini folder.'
      : `It is the only copy of all or part of ${sessionCount(onlyHere)}.`
  if (storedBytes > 0 && !flags.yes) await askTwice(what, loss)
  else if (storedBytes > 0) terminal.note(escapeLine(loss))
  await control.erase(() => terminal.note('Another gemini-dash is writing to the archive. Waiting for it.'))
  if (flags.json) return terminal.write(jsonLine(control.status()))
  await terminal.write(
    `${storedBytes === 0 ? 'The archive was empty and is now off.' : escapeLine(`Deleted ${what}. The archive is off.`)}\n`,
  )
}

async function askTwice(what: string, loss: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new CliError(
      2,
      `This would delete ${what}. ${loss}`,
      'There is no terminal to confirm in. Use --yes to delete without asking.',
    )
  const question = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const first = await question.question(escapeLine(`Delete ${what}? ${loss} [y/N] `))
    if (!/^y(es)?$/i.test(first.trim())) throw new CliError(1, 'Nothing was deleted.')
    const second = await question.question('This can’t be undone. Type "erase" to continue: ')
    if (second.trim() !== 'erase') throw new CliError(1, 'Nothing was deleted.')
  } finally {
    question.close()
  }
}

/** Damaged and lost files listed individually; `--json` has all of them. */
const MOST_NAMED = 20

/** What was started, where the archive is, how to take it along and how to stop: two lines, and the result of the first scan. */
function explainKeeping(status: KeepStatus): string[] {
  const folder = status.folder ?? ''
  return [
    `From now on every version of every session's files is archived in ${folder}, readable only by you: at each start, while the dashboard runs, and by "gemini-dash keep now". Gemini CLI’s files are not changed.`,
    `To move it, copy ${dirname(folder)} ("gemini-dash keep status --json" lists its contents). "gemini-dash keep off" stops archiving and keeps the archive; --erase also deletes it.`,
    `${sizeLine(status)}.`,
  ]
}

function printStatus(status: KeepStatus): string[] {
  const { enabled, sessions, onlyHere, lastRun, limits, problem, folder, homes } = status
  const { damage, damagedFiles, lost, lostFiles } = status
  const kept = homes.filter((home) => home.kept)
  return [
    enabled
      ? 'The archive is on.'
      : kept.length > 0
        ? `The archive is on only for ${kept.map(({ path }) => path).join(', ')}; "gemini-dash keep on" turns it on for all.`
        : `The archive is off${sessions > 0 ? '; archived sessions stay' : ': "gemini-dash keep on" turns it on'}.`,
    ...(sessions > 0 ? [`${sizeLine(status)}.`] : []),
    ...(onlyHere > 0 ? [`${sessionCount(onlyHere)} or a part of one exists only here.`] : []),
    `Last scan: ${lastRun === null ? 'none yet' : formatColumnTime(lastRun)}.`,
    `Limits: ${limits.maxBytes === null ? 'any size' : formatSize(limits.maxBytes)}, ${limits.maxAgeDays === null ? 'any age' : `${formatCount(limits.maxAgeDays)} days`}.`,
    ...(folder === null ? [] : [`Where: ${folder}`]),
    ...(damage === null
      ? []
      : [damage.message, ...damage.places.map((place) => `  ${place}`), ...named(damagedFiles)]),
    ...(lost === null ? [] : [describeLost(lost), ...named(lostFiles)]),
    ...(problem === null ? [] : [problem]),
  ]
}

function named(files: KeepStatus['damagedFiles']): string[] {
  const rest = files.length - MOST_NAMED
  return [
    ...files
      .slice(0, MOST_NAMED)
      .map(({ home, path, firstSeen }) => `  ${home}/${path}  as of ${formatColumnTime(firstSeen)}`),
    ...(rest > 0 ? [`  ... and ${formatCount(rest)} more`] : []),
  ]
}

function sizeLine({ sessions, files, rawBytes, storedBytes, goneBytes }: KeepStatus): string {
  const kept = `${sessionCount(sessions)}, ${formatCount(files)} files: ${formatSize(rawBytes)} in ${formatSize(storedBytes - goneBytes)}`
  return goneBytes === 0
    ? kept
    : `${kept}, and ${formatSize(goneBytes)} of deleted files, unpacked for reading`
}

function sessionCount(count: number): string {
  return formatPlural(count, 'session')
}

/** Repairs the archives of these homes and reports what was found, what was restored and what is lost; 1 if there are new losses. */
async function repairKept(control: ArchiveControl, { flags, terminal }: CommandInput): Promise<void> {
  const repairs = await tryTo(() =>
    control.repair(() => terminal.progress('Another gemini-dash is writing to the archive. Waiting for it.')),
  )
  terminal.clearProgress()
  const lines = repairs.length === 0 ? ['These Gemini folders have no archive.'] : repairs.flatMap(linesOf)
  await terminal.write(flags.json ? jsonLine({ repairs }) : `${lines.map(escapeLine).join('\n')}\n`)
  const lost = repairs.reduce((sum, repair) => sum + repair.lost.length, 0)
  if (lost > 0)
    throw new CliError(
      1,
      `${formatPlural(lost, 'version')} of files ${lost === 1 ? 'is' : 'are'} lost.`,
      'To archive them again, restore the files to the Gemini folder from a backup.',
    )
}

function linesOf({ home, before, mended, lost }: HomeRepair): string[] {
  if (before === null && mended.length === 0) return [`${home}: the archive is intact. Nothing to repair.`]
  const found = before === null ? 'Data that was lost is available again.' : describeDamage(before).message
  return [
    `${home}: ${found}`,
    ...listed('Restored', mended),
    ...listed('Lost permanently', lost),
    'The rest of the archive is intact.',
  ]
}

function listed(what: string, versions: readonly NamedVersion[]): string[] {
  if (versions.length === 0) return []
  const rest = versions.length - MOST_NAMED
  return [
    `${what}: ${formatPlural(versions.length, 'version')} of files.`,
    ...versions
      .slice(0, MOST_NAMED)
      .map(({ path, firstSeen }) => `  ${path}  as of ${formatColumnTime(firstSeen)}`),
    ...(rest > 0 ? [`  ... and ${formatCount(rest)} more`] : []),
  ]
}

/** Errors of the system are reported in its own words; they are not errors of the program. */
function tryTo<Result>(work: () => Result): Result {
  const fail = (error: unknown): never => {
    if (error instanceof CliError) throw error
    throw new CliError(1, `This could not be done: ${reasonOf(error)}.`)
  }
  try {
    const result = work()
    return result instanceof Promise ? (result.catch(fail) as Result) : result
  } catch (error) {
    return fail(error)
  }
}
