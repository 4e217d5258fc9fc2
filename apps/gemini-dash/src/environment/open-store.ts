import type { GeminiHome } from 'gemini-sessions/node'
import { ForgetJournal } from '../forget/forget-journal.ts'
import { GoneFiles } from '../keep/gone/gone-files.ts'
import { openKeepSettings } from '../keep/keep-settings.ts'
import { BudgetBook } from '../own-data/budget-book.ts'
import { openBudgetFile } from '../own-data/budget-file.ts'
import { ForgottenBook } from '../own-data/forgotten.ts'
import { HomeNames, openHomeNameFile } from '../own-data/home-names.ts'
import { createMemoryList, type KeptList } from '../own-data/kept-list.ts'
import { KeyBook, openKeyFile } from '../own-data/key-book.ts'
import type { MarkBook } from '../own-data/marks/mark-book.ts'
import { openMarks } from '../own-data/marks/open-marks.ts'
import type { TellDataProblem } from '../own-data/own-file.ts'
import { LIST_PRICE_BOOK, openPriceFile, type PriceBook } from '../own-data/price-file.ts'
import { WordBook } from '../own-data/word-book.ts'
import { openWordFile } from '../own-data/word-file.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { WarningBook } from '../store/catalog/warning-book.ts'
import { type StartedStore, startStore } from '../store/create-store.ts'
import type { Flags } from '../terminal/flags.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { VERSION } from '../terminal/version.ts'
import { clockOf } from './clock-of.ts'
import { openOwnFolder, ownFolder } from './own-folders.ts'
import { programFiles } from './program-files.ts'

export interface OpenStoreOptions {
  homes: GeminiHome[]
  flags: Flags
  terminal: Terminal
  isWatching: boolean
  onProgress?: (done: number, total: number) => void
  /** What the user says of sessions, where somebody has opened it already. */
  marks?: MarkBook
  /** What the program goes on without, where somebody tells of more. */
  warnings?: WarningBook
  /** Brings what is missing in a home out of its archive; without it that is done here. */
  bringOut?: (home: GeminiHome) => Promise<void>
}

/** Begins to open the store of these homes, with the cache folder that the flags name. */
export async function openStore({
  homes,
  flags,
  terminal,
  bringOut,
  warnings = openWarnings(terminal),
  ...options
}: OpenStoreOptions): Promise<StartedStore> {
  const tell = asWarnings(warnings)
  const cacheDirectory = await openOwnFolder('cache', flags, (message) =>
    warnings.warn({ code: 'cache-not-kept', message }),
  )
  await finishForgotten(homes, cacheDirectory, { flags, terminal })
  await lookAtKept(flags, tell)
  return startStore({
    homes,
    cacheDirectory,
    warnings,
    workerUrls: { index: programFiles.indexWorker, reader: programFiles.readerWorker },
    version: VERSION,
    isDemo: flags.demo === true,
    clock: await clockOf(flags),
    words: new WordBook(await openList(openWordFile, flags, tell)),
    budgets: new BudgetBook(await openList(openBudgetFile, flags, tell)),
    homeNames: new HomeNames(await openList(openHomeNameFile, flags, tell)),
    keys: await openKeys(flags, tell),
    prices: await openPrices(flags, tell),
    kept: await openGone(homes, { flags, terminal, bringOut, warnings }),
    ...options,
    marks: options.marks ?? openMarks(await markFolder(flags), tell).book,
  })
}

/** What the program goes on without; each is said to the person in front, too. */
export function openWarnings(terminal: Terminal): WarningBook {
  return new WarningBook(({ message, advice }) =>
    terminal.note(escapeLine(advice === null ? message : `${message} ${advice}`)),
  )
}

/** What is wrong with files of the data folder becomes warnings, one for each file. */
export function asWarnings(warnings: WarningBook): TellDataProblem {
  return (message, about, code) =>
    message === null ? warnings.clear(code, about) : warnings.warn({ code, message }, about)
}

/** What is wrong with files that only the archive needs is told at the start, whoever needs them later. */
async function lookAtKept(flags: Flags, tell: TellDataProblem): Promise<void> {
  await openList(openKeepSettings, flags, tell)
  const folder = flags['no-cache'] ? null : await ownFolder('data', flags)
  if (folder !== null) new ForgottenBook(folder, tell).has('')
}

/** What a process that was killed was forgetting is gone before anything is read. */
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

const NOT_SHOWN =
  'Some sessions were deleted since, and are kept: they are not shown, as with --no-cache nothing is written.'

const NOT_SHOWN_ADVICE = 'The archive still has it; the next look tries again.'

type GoneInput = Pick<OpenStoreOptions, 'flags' | 'terminal' | 'bringOut'> & { warnings: WarningBook }

/** Only read with `--no-cache`: what was missed since is named, and not shown. */
async function openGone(
  homes: GeminiHome[],
  { flags, terminal, bringOut, warnings }: GoneInput,
): Promise<GoneFiles> {
  const dataFolder = flags.demo ? null : await ownFolder('data', flags)
  const told = new Set<string>()
  const tell = (message: string) => {
    if (!told.has(message)) terminal.note(escapeLine(message))
    told.add(message)
  }
  const bringOutHere = async (home: GeminiHome) => {
    const { bringOutOf, countGone } = await import('../keep/gone/bring-out.ts')
    if (!flags['no-cache']) await bringOutOf(dataFolder ?? '', home)
    else if ((await countGone(dataFolder ?? '', home)) > 0) tell(NOT_SHOWN)
  }
  return new GoneFiles({
    dataFolder,
    homes,
    bringOut: flags['no-cache'] ? bringOutHere : (bringOut ?? bringOutHere),
    onProblem: (reason) => {
      if (reason === null) return warnings.clear('kept-not-shown')
      const message = `Not all that was kept of deleted sessions is shown: ${reason}.`
      warnings.warn({ code: 'kept-not-shown', message, advice: NOT_SHOWN_ADVICE })
    },
  })
}

/** The folder is made when there is something to keep. */
async function openList<Item>(
  open: (folder: string, tell: TellDataProblem) => KeptList<Item>,
  flags: Flags,
  tell: TellDataProblem,
): Promise<KeptList<Item>> {
  const folder = flags['no-cache'] ? null : await ownFolder('data', flags)
  if (folder === null) return createMemoryList()
  const list = open(folder, tell)
  // what is wrong with it is told at the start, not when somebody asks for it
  list.read()
  return list
}

/** null: marks are for this run only, as those of the samples are. */
export async function markFolder(flags: Flags): Promise<string | null> {
  return flags['no-cache'] || flags.demo ? null : ownFolder('data', flags)
}

/** Only read with `--no-cache`. */
async function openKeys(flags: Flags, tell: TellDataProblem): Promise<KeyBook> {
  const folder = flags.demo ? null : await ownFolder('data', flags)
  return folder === null
    ? new KeyBook()
    : new KeyBook(openKeyFile(folder, tell, { isReadOnly: flags['no-cache'] === true }))
}

/** Also with `--no-cache`, and then only read. */
async function openPrices(flags: Flags, tell: TellDataProblem): Promise<PriceBook> {
  const folder = await ownFolder('data', flags)
  return folder === null
    ? LIST_PRICE_BOOK
    : openPriceFile(folder, tell, { isReadOnly: flags['no-cache'] === true })
}
