import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { chooseHomes } from '../environment/choose-homes.ts'
import { asNotes } from '../environment/open-warnings.ts'
import { ownFolder } from '../environment/own-folder.ts'
import { refuseHome } from '../export/export-name.ts'
import { takeInMarks, writeMarks } from '../own-data/mark-transfer.ts'
import { type OwnMarks, openMarks } from '../own-data/open-marks.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { jsonLine } from '../print/json-line.ts'
import { CliError } from '../terminal/cli-error.ts'
import { type CommandInput, MARK_ACTIONS, type RunCommand } from '../terminal/commands.ts'

const USAGE = `Usage: gemini-dash marks ${MARK_ACTIONS.join('|')} FILE`

/** Stars, notes, tags, titles and views, exported to and imported from one file. */
export const marks: RunCommand = async (input) => {
  const [action = '', file] = input.positionals
  const work = Object.hasOwn(ACTIONS, action) ? ACTIONS[action as keyof typeof ACTIONS] : undefined
  if (work === undefined) throw new CliError(2, `There is no "marks ${action}".`, USAGE)
  if (file === undefined) throw new CliError(2, 'Which file?', USAGE)
  await work(input, resolve(file), await openOwnMarks(input))
}

const ACTIONS: Record<
  (typeof MARK_ACTIONS)[number],
  (input: CommandInput, file: string, marks: OwnMarks) => Promise<void>
> = {
  export: async ({ flags, terminal }, file, marks) => {
    refuseHome(file, chooseHomes(flags), 'Choose a file somewhere else.')
    tryTo(`${file} could not be written`, () =>
      writeFileSync(file, writeMarks(marks), { flag: 'wx', mode: 0o600 }),
    )
    const exported = { file, entries: marks.store.entries().length, views: marks.views.read().length }
    await terminal.write(
      flags.json
        ? jsonLine(exported)
        : `Exported stars, notes and tags of ${marks.store.all().size} sessions and ${exported.views} views to ${escapeLine(file)}.\n`,
    )
  },
  import: async ({ flags, terminal }, file, marks) => {
    const text = tryTo(`${file} could not be read`, () => readFileSync(file, 'utf8'))
    const taken = tryTo(`${file} could not be imported`, () => takeInMarks(marks, text))
    await terminal.write(
      flags.json
        ? jsonLine({ file, ...taken })
        : `Imported ${taken.entries} new entries and ${taken.views} new views from ${escapeLine(file)}.\n`,
    )
  },
}

async function openOwnMarks({ flags, terminal }: CommandInput): Promise<OwnMarks> {
  const folder = await ownFolder('data', flags)
  if (folder === null)
    throw new CliError(
      1,
      'There is no data folder for stars, notes and tags.',
      'Choose one with --data-dir DIR.',
    )
  return openMarks(folder, asNotes(terminal))
}

function tryTo<Result>(failing: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    const reason = error instanceof Error ? error.message : String(error)
    throw new CliError(
      1,
      isThere ? `${failing}: it already exists.` : `${failing}: ${reason}.`,
      isThere ? 'Choose another file; nothing is overwritten.' : null,
    )
  }
}
