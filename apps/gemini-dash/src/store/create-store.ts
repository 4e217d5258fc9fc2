import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { LiveEvent } from '@gemini-dash/api'
import { pricesStamp } from '@gemini-dash/pricing/overrides'
import type { IndexedGroup, SessionIndex } from '@gemini-dash/session-index'
import type { GeminiHome } from 'gemini-sessions/node'
import { BudgetBook } from '../own-data/budget-book.ts'
import { HomeNames } from '../own-data/home-names.ts'
import { createMemoryList } from '../own-data/kept-list.ts'
import { KeyBook } from '../own-data/key-book.ts'
import { MarkBook } from '../own-data/marks/mark-book.ts'
import { createMemoryMarkLog } from '../own-data/marks/mark-log.ts'
import { LIST_PRICE_BOOK, type PriceBook } from '../own-data/price-file.ts'
import { WordBook } from '../own-data/word-book.ts'
import { OwnCache } from './cache/own-cache.ts'
import { WarningBook } from './catalog/warning-book.ts'
import { RowNews } from './changes/row-news.ts'
import type { CommandQuestion } from './command-question.ts'
import { Forgetting, type ForgettingParts } from './forgetting.ts'
import { IndexOpening } from './index-opening.ts'
import type { IndexingScope } from './indexing/indexing-options.ts'
import { Library } from './library/library.ts'
import { type KeptFiles, NOTHING_KEPT } from './library/library-options.ts'
import { explainNotKept } from './library/library-warnings.ts'
import { RowKeeper } from './library/row-keeper.ts'
import { LibraryStore } from './library-store.ts'
import { readNeeded } from './read-needed.ts'
import { ReaderClient } from './reader/lanes/reader-client.ts'
import { SkeletonFiles } from './reader/skeleton/skeleton-files.ts'
import { type IdleTime, SkeletonKeeper } from './reader/skeleton/skeleton-keeper.ts'
import { Recovering } from './recovering.ts'
import { RowSnapshot } from './remembered/row-snapshot.ts'
import { ThreadRest } from './rest/thread-rest.ts'
import type { Store } from './store.ts'
import { StoreRun } from './store-run.ts'

export interface StoreOptions {
  homes: GeminiHome[]
  /** Where the index is kept; null writes nothing at all. */
  cacheDirectory: string | null
  /** The built worker files. */
  workerUrls: { index: URL; reader: URL }
  /** Follow changes on disk, or only say what is there now. */
  isWatching: boolean
  version: string
  isDemo: boolean
  /** What is taken for now, in ms since 1970; without it the time. */
  clock?: () => number
  /** What was kept of files that are gone; without it they are gone. */
  kept?: KeptFiles
  /** What the user says of projects; without it nothing outlives the run. */
  words?: WordBook
  /** What the user says of sessions; without it nothing outlives the run. */
  marks?: MarkBook
  /** Which session each key means; without it nothing outlives the run. */
  keys?: KeyBook
  /** What the user calls their homes; without it nothing outlives the run. */
  homeNames?: HomeNames
  /** What the user says of prices; without it list prices hold. */
  prices?: PriceBook
  /** What a month may cost; without it nothing outlives the run. */
  budgets?: BudgetBook
  /** Told of what the program goes on without; without it nobody but the answers tells. */
  warnings?: WarningBook
  /** The folder that `~` means, and below which folders of projects are looked for. */
  userHome?: string
  onProgress?: (filesDone: number, filesTotal: number) => void
  /** When large sessions are prepared to be opened; without it, when nothing else is to be done. */
  idleTime?: IdleTime
}

export interface StartedStore {
  store: Store
  /** Resolves when a first list can be asked for, and nothing else yet. */
  looked: Promise<void>
  /** Has every session get its row; the store may be asked everything then. */
  open: () => Promise<void>
  /** Starts what takes long: the index with its threads, and the watcher. Nothing of it is needed for a first list. */
  begin: (scope: IndexingScope) => Promise<void>
  /** For a command that ends, when the store is open: has everything read of which its answer is made. */
  readFor: (question: CommandQuestion) => Promise<void>
  /** Something that nothing tells of is different on disk now. */
  lookAgain: () => void
  /** Takes sessions out of everything that was made of their files. */
  forgetting: Forgetting
  /** Tells what sessions could be made whole of. */
  recovering: Recovering
  /** What was made of session files. */
  cache: OwnCache
  /** As the store uses them. */
  homeNames: HomeNames
  prices: PriceBook
  warnings: WarningBook
}

export async function createStore(options: StoreOptions): Promise<Store> {
  const { store, begin } = startStore(options)
  await begin('text')
  return store
}

/** Begins to look at the homes. The store may be handed on at once, but asked only when it has looked. */
export function startStore(options: StoreOptions): StartedStore {
  const { homes, workerUrls, version, isDemo, isWatching, userHome = homedir() } = options
  const clock = options.clock ?? (() => Date.now())
  const cacheDirectory = indexDirectory(options.cacheDirectory, homes)
  const marks = options.marks ?? new MarkBook(createMemoryMarkLog())
  const keys = options.keys ?? new KeyBook()
  const warnings = options.warnings ?? new WarningBook()
  const kept = options.kept ?? NOTHING_KEPT
  const openings = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const opening = new IndexOpening({
    directory: cacheDirectory,
    workerUrl: workerUrls.index,
    isWatching,
    openings,
    warnings,
    library: () => library,
  })
  const hasIndex = cacheDirectory !== null && existsSync(cacheDirectory)
  const snapshot = new RowSnapshot(cacheDirectory)
  const prices = options.prices ?? LIST_PRICE_BOOK
  const homeNames = options.homeNames ?? new HomeNames(createMemoryList())
  const skeletonDirectory = cacheDirectory === null ? null : join(cacheDirectory, 'opened')
  const reader = new ReaderClient(workerUrls.reader, {
    skeletonDirectory,
    openings,
    tellProblem: (problem) => {
      if (problem !== null) skeletons?.noteRefusal()
      tellNotKept(warnings, opening, problem)
    },
  })
  const listeners = new Set<(event: LiveEvent) => void>()
  let news: RowNews | undefined
  const emit = (event: LiveEvent) => {
    const told = news?.tell(event) ?? event
    for (const listener of listeners) listener(told)
  }
  warnings.onChange(() => emit({ kind: 'warnings' }))
  const library = new Library({
    homes,
    kept,
    openIndex: opening.open,
    rememberedList: () => snapshot.openList(pricesStamp(prices.current())),
    rememberedScan: () => snapshot.readScan(),
    rememberedEnds: () => snapshot.readEnds(),
    remembered: async () => (await snapshot.read()) ?? (hasIndex ? rowsOfIndex(opening.open) : new Map()),
    words: options.words ?? new WordBook(createMemoryList()),
    marks,
    keys,
    prices,
    userHome,
    isWatching,
    ...{ isDemo, clock },
    warnings,
    emit,
    onProgress: options.onProgress ?? (() => {}),
  })
  const { opened: openedIndex, open: openIndex } = opening
  const keeper = new RowKeeper({ library, snapshot, prices, warnings, openedIndex })
  const files = skeletonDirectory === null ? null : new SkeletonFiles(skeletonDirectory)
  const { idleTime } = options
  const skeletons = files && new SkeletonKeeper({ library, reader, files, openedIndex, idleTime })
  const rest = new ThreadRest(openedIndex, reader)
  const looked = library.look()
  const run = new StoreRun({ homes, isWatching, library, opening, skeletons, rest, reader, keeper })
  const open = () => looked.then(() => library.refresh())
  const begin = (scope: IndexingScope) => looked.then(() => run.begin(scope, () => store.rehearse()))
  const parts = {
    homes,
    homeNames,
    library,
    marks,
    prices,
    budgets: options.budgets ?? new BudgetBook(createMemoryList()),
    openIndex,
    reader,
    listeners,
    rest,
    warnings,
    close: () => run.close(),
    ...{ version, isDemo, clock, cacheDirectory },
  }
  const store = new LibraryStore(parts)
  news = new RowNews(library, { rowOf: store.rowOf, isHeard: () => rest.hasOpenPages })
  const readFor = (question: CommandQuestion) => readNeeded({ library, store, begin, clock }, question)
  const lookAgain = () => void library.refresh().catch(() => {})
  const caches = { library, kept, keeper, keys, openIndex, skeletons: files, directory: cacheDirectory }
  return { store, looked, open, begin, readFor, lookAgain, ...desksOf(caches), homeNames, prices, warnings }
}

/** What takes sessions out of all that was made of them, makes them whole, or has all of it made anew. */
function desksOf(caches: ForgettingParts): Pick<StartedStore, 'forgetting' | 'recovering' | 'cache'> {
  return {
    forgetting: new Forgetting(caches),
    recovering: new Recovering(caches.library),
    cache: new OwnCache(caches),
  }
}

function tellNotKept(warnings: WarningBook, opening: IndexOpening, problem: string | null): void {
  // One cause, one warning: with its folder the index is lost, too.
  opening.look()
  if (problem === null || warnings.has('cache-not-kept')) warnings.clear('opened-not-kept')
  else
    warnings.warn({
      code: 'opened-not-kept',
      ...explainNotKept('What was made of opened sessions', problem),
    })
}

/** Where an index was built, but its rows were not kept beside it. */
async function rowsOfIndex(openIndex: () => Promise<SessionIndex>): Promise<Map<string, IndexedGroup>> {
  // What cannot be loaded is read again.
  const groups = await openIndex()
    .then((index) => index.load(null))
    .catch(() => [])
  return new Map(groups.map((group) => [group.id, group]))
}

/** One index a set of homes, so that two homes never share rows. */
function indexDirectory(cacheDirectory: string | null, homes: GeminiHome[]): string | null {
  if (cacheDirectory === null) return null
  const paths = homes.map(({ tmpPath }) => tmpPath).sort()
  const name = createHash('sha256').update(paths.join('\n')).digest('hex').slice(0, 16)
  return join(cacheDirectory, `index-${name}`)
}
