import { formatCount } from '@gemini-dash/api/figures'
import { openTrustedFolder } from '@gemini-dash/session-index'
import { type GeminiHome, readLastTimes, scanHomes } from 'gemini-sessions/node'
import type { FoundFolders } from '../folder-search.ts'
import { ForgetJournal } from '../forget/forget-journal.ts'
import { type ArchiveState, describeDamage, sumStates } from '../keep/archive-state.ts'
import { GoneFiles } from '../keep/gone-files.ts'
import { mayRead, openDataFolder } from '../own-data/data-folder.ts'
import { createMemoryList, type KeptList } from '../own-data/kept-list.ts'
import { KeyRegistry, openKeyFile } from '../own-data/key-registry.ts'
import { type MarkStore, openMarks } from '../own-data/open-marks.ts'
import type { TellProblem } from '../own-data/own-file.ts'
import {
  BudgetStore,
  HomeNames,
  LIST_PRICE_TABLE,
  openBudgetFile,
  openHomeNameFile,
  openPriceFile,
  openWordFile,
  type PriceTable,
  WordList,
} from '../own-data/price-file.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { type StartedStore, startStore } from '../store/create-store.ts'
import type { OpenedFiles } from '../store/doctor/own-state.ts'
import type { Store } from '../store/store.ts'
import type { WarningList } from '../store/warnings.ts'
import type { Terminal } from '../terminal/cli-error.ts'
import type { Flags } from '../terminal/flags.ts'
import { VERSION } from '../terminal/terminal.ts'
import { chooseHomes } from './choose-homes.ts'
import { asWarnings, openWarnings } from './open-warnings.ts'
import { type OwnFolder, ownFolder, programFiles } from './own-folder.ts'

interface OpenStoreOptions {
  homes: GeminiHome[]
  flags: Flags
  terminal: Terminal
  isWatching: boolean
  onProgress?: (done: number, total: number) => void
  /** Stars, notes and tags, if the caller has already opened them. */
  marks?: MarkStore
  /** The caller's list of warnings, if it adds its own. */
  warnings?: WarningList
  /** Files opened on the page. */
  opened?: OpenedFiles
  /** Restores what is missing in a home from its archive; the default does it here. */
  bringOut?: (home: GeminiHome) => Promise<void>
}

/** Starts opening the store of these homes, with the cache folder that the flags name. */
export async function openStore({
  homes,
  flags,
  terminal,
  bringOut,
  warnings = openWarnings(terminal),
  ...options
}: OpenStoreOptions): Promise<StartedStore> {
  const tell = asWarnings(warnings)
  await warnOfForeign(flags, warnings)
  const cacheDirectory = await openOwnFolder('cache', flags, (message) =>
    warnings.warn({ code: 'cache-not-kept', message }),
  )
  await finishForgotten(homes, cacheDirectory, { flags, terminal })
  return startStore({
    homes,
    cacheDirectory,
    warnings,
    workerUrls: { index: programFiles.indexWorker, reader: programFiles.readerWorker },
    version: VERSION,
    isDemo: flags.demo === true,
    opened: flags.file === undefined ? null : { files: flags.file, canClose: false },
    clock: await clockOf(flags),
    words: new WordList(await openList(openWordFile, flags, tell)),
    budgets: new BudgetStore(await openList(openBudgetFile, flags, tell)),
    homeNames: new HomeNames(await openList(openHomeNameFile, flags, tell)),
    keys: await openKeys(flags, tell),
    prices: await openPrices(flags, tell),
    kept: await openGone(homes, { flags, terminal, bringOut, warnings }),
    ...options,
    marks: options.marks ?? openMarks(await markFolder(flags), tell).store,
  })
}

/** Finishes an erasure that a killed process left incomplete, before anything is read. */
async function finishForgotten(
  homes: GeminiHome[],
  cacheFolder: string | null,
  { flags, terminal }: Pick<OpenStoreOptions, 'flags' | 'terminal'>,
): Promise<void> {
  const dataFolder = flags['no-cache'] || flags.demo ? null : await ownFolder('data', flags)
  const journal = dataFolder === null ? null : new ForgetJournal(dataFolder)
  if (dataFolder === null || journal?.exists() !== true) return
  const { finishForgetting } = await import('../forget/finish-forgetting.ts')
  const tell = (message: string) => terminal.note(escapeLine(message))
  await finishForgetting(journal, { dataFolder, cacheFolder, homes, tell })
}

const NOT_SHOWN = 'Some deleted sessions are archived but not shown: with --no-cache nothing is written.'

const NOT_SHOWN_ADVICE = 'They are still in the archive. The next scan tries again.'

interface GoneInput extends Pick<OpenStoreOptions, 'flags' | 'terminal' | 'bringOut'> {
  warnings: WarningList
}

/** Read-only with `--no-cache`: sessions missed since then are counted but not shown. */
async function openGone(
  homes: GeminiHome[],
  { flags, terminal, bringOut, warnings }: GoneInput,
): Promise<GoneFiles> {
  const dataFolder = flags.demo ? null : await ownFolder('data', flags)
  const reported = new Set<string>()
  /** With `--no-cache` nothing is written to disk. */
  const counted = new Map<string, ArchiveState>()
  const tell = (message: string) => {
    if (!reported.has(message)) terminal.note(escapeLine(message))
    reported.add(message)
  }
  const bringOutHere = async (home: GeminiHome) => {
    const { bringOutOf, countGone } = await import('../keep/bring-out.ts')
    if (flags['no-cache']) {
      const { missing, state } = await countGone(dataFolder ?? '', home)
      if (missing > 0) tell(NOT_SHOWN)
      counted.set(home.path, state)
    } else await bringOutOf(dataFolder ?? '', home)
  }
  return new GoneFiles({
    dataFolder,
    homes,
    bringOut: flags['no-cache'] ? bringOutHere : (bringOut ?? bringOutHere),
    onProblem: (reason) => {
      if (reason === null) return warnings.clear('kept-not-shown')
      const message = `Not all archived copies of deleted sessions are shown: ${reason}.`
      warnings.warn({ code: 'kept-not-shown', message, advice: NOT_SHOWN_ADVICE })
    },
    tellStates: (states) => {
      const { damage } = sumStates([...new Map([...states, ...counted]).values()])
      if (damage === null) warnings.clear('archive-damaged')
      else warnings.warn({ code: 'archive-damaged', ...describeDamage(damage) })
    },
  })
}

/** Refuses to show what another user could have written. */
async function warnOfForeign(flags: Flags, warnings: WarningList): Promise<void> {
  const folder = flags.demo ? null : await ownFolder('data', flags)
  if (folder === null || mayRead(folder) || warnings.has('data-not-kept')) return
  const message = `The data folder ${folder} is not used because another user could have written to it: stars, notes, names and prices are not shown. Choose another folder with --data-dir.`
  warnings.warn({ code: 'data-not-kept', message })
}

/** The folder is created only when there is something to keep. */
async function openList<Item>(
  open: (folder: string, tell: TellProblem) => KeptList<Item>,
  flags: Flags,
  tell: TellProblem,
): Promise<KeptList<Item>> {
  const folder = flags['no-cache'] ? null : await ownFolder('data', flags)
  if (folder === null) return createMemoryList()
  const list = open(folder, tell)
  // problems with the file are reported at the start, not on first use
  list.read()
  return list
}

/** null: marks last only for this run, as with the samples. */
export async function markFolder(flags: Flags): Promise<string | null> {
  return flags['no-cache'] || flags.demo ? null : ownFolder('data', flags)
}

/** Read-only with `--no-cache`. */
async function openKeys(flags: Flags, tell: TellProblem): Promise<KeyRegistry> {
  const folder = flags.demo ? null : await ownFolder('data', flags)
  return folder === null
    ? new KeyRegistry()
    : new KeyRegistry(openKeyFile(folder, tell, { isReadOnly: flags['no-cache'] === true }))
}

/** Read with `--no-cache` as well. */
async function openPrices(flags: Flags, tell: TellProblem): Promise<PriceTable> {
  const folder = await ownFolder('data', flags)
  return folder === null
    ? LIST_PRICE_TABLE
    : openPriceFile(folder, tell, { isReadOnly: flags['no-cache'] === true })
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Returns the time taken as now, in ms since 1970. */
type Clock = () => number

let ofSamples: Promise<Clock> | null = null

/**
 * The current time, or with `--demo` the day after the last record of the samples. That time does not advance, so everything relative to
 * now (ages, ranges, deletions, months) is always the same.
 */
export async function clockOf(flags: Flags): Promise<Clock> {
  if (flags.demo !== true) return () => Date.now()
  ofSamples ??= stopAfterLastRecord(flags)
  return ofSamples
}

async function stopAfterLastRecord(flags: Flags): Promise<Clock> {
  const { files } = await scanHomes(chooseHomes(flags))
  const times = [...(await readLastTimes(files)).values()].map((time) => Date.parse(time))
  const nowMs = times.length === 0 ? Date.now() : Math.max(...times) + DAY_MS
  return () => nowMs
}

/** What happens if the folder cannot be used. */
const WITHOUT: Record<OwnFolder, string> = {
  cache: '; continuing in memory',
  data: ': stars, notes, prices and all other changes are refused, and sign-ins end with this run',
}

/**
 * The folder for the index or for sign-ins, created for this user only. null with `--no-cache`, and where it is not writable or other users
 * could have written to it: the program then works in memory.
 */
export async function openOwnFolder(
  name: OwnFolder,
  flags: Flags,
  tellWhyNot: (sentence: string) => void,
): Promise<string | null> {
  if (flags['no-cache']) return null
  const folder = await ownFolder(name, flags)
  try {
    if (folder === null) throw new Error('the home folder of this user is not known')
    if (name === 'data') openDataFolder(folder)
    else openTrustedFolder(folder)
    return folder
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    tellWhyNot(
      `Nothing can be saved in the ${name} folder (${reason})${WITHOUT[name]}. Choose another folder with --${name}-dir.`,
    )
    return null
  }
}

/** `--find-projects`: searches the usual places for the folders of projects known only by a hash. */
export async function lookForProjects(
  store: Store,
  terminal: Terminal,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  if (store.projects().projects.every(({ path }) => path !== null)) {
    terminal.note('The folders of all projects are known. Nothing to search for.')
    return
  }
  terminal.progress('Searching for project folders')
  const result = await store.findFolders(signal)
  if (result.looked.end !== 'cancelled') terminal.note(sentenceOf(result))
}

function sentenceOf({ wanted, found, looked }: FoundFolders): string {
  const places = looked.places.length === 0 ? 'the home folder' : looked.places.join(', ')
  const end = looked.end === 'time' || looked.end === 'folders' ? ', then stopped' : ''
  const outcome =
    found.size === 0
      ? `none belongs to the ${formatCount(wanted)} projects without a known path`
      : `found the folder of ${formatCount(found.size)} of ${formatCount(wanted)} projects without a known path`
  return `Searched ${formatCount(looked.folders)} folders below ${places}${end}: ${outcome}.`
}
