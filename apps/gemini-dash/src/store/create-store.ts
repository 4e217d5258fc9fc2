import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { LiveEvent } from '@gemini-dash/api'
import { IndexFault, type LongFrom, openSessionIndex, type SessionIndex } from '@gemini-dash/session-index'
import type { GeminiHome } from 'gemini-sessions/node'
import { createMemoryList } from '../own-data/kept-list.ts'
import { KeyRegistry } from '../own-data/key-registry.ts'
import { createMemoryMarkLog } from '../own-data/mark-log.ts'
import { MarkStore } from '../own-data/open-marks.ts'
import {
  BudgetStore,
  HomeNames,
  LIST_PRICE_TABLE,
  type PriceTable,
  WordList,
} from '../own-data/price-file.ts'
import { OwnCache, removeIndexes } from './cache.ts'
import type { CommandQuestion } from './command-question.ts'
import type { OpenedFiles } from './doctor/own-state.ts'
import { isSoonRead, readNeeded } from './read-needed.ts'
import { ReaderClient } from './reader/reader-client.ts'
import { Recovering } from './recovering.ts'
import { Store } from './store.ts'
import { groupBytes } from './sync/group-scan.ts'
import type { IndexingScope } from './sync/indexing.ts'
import { familyOf } from './sync/rows.ts'
import { type KeptFiles, NOTHING_KEPT, Sync } from './sync/sync.ts'
import { ThreadRest } from './thread-rest.ts'
import { WarningList } from './warnings.ts'

interface StoreOptions {
  homes: GeminiHome[]
  /** Folder of the index; null writes nothing at all. */
  cacheDirectory: string | null
  /** The built worker files. */
  workerUrls: { index: URL; reader: URL }
  /** Follow changes on disk, or only read the current state. */
  isWatching: boolean
  version: string
  isDemo: boolean
  /** Files opened in place of a home. Null or omitted: the homes are this user's. */
  opened?: OpenedFiles | null
  /** The current time in ms since 1970; defaults to the system clock. */
  clock?: () => number
  /** Archived copies of deleted files; omitted: they are not shown. */
  kept?: KeptFiles
  /** The user's names and folders of projects; omitted: nothing outlives the process. */
  words?: WordList
  /** Stars, notes and tags; omitted: nothing outlives the process. */
  marks?: MarkStore
  /** Which session each key refers to; omitted: nothing outlives the process. */
  keys?: KeyRegistry
  /** The user's names for their homes; omitted: nothing outlives the process. */
  homeNames?: HomeNames
  /** The user's prices; omitted: list prices apply. */
  prices?: PriceTable
  /** Monthly budgets; omitted: nothing outlives the process. */
  budgets?: BudgetStore
  /** Receives warnings about missing features; omitted: only the answers report them. */
  warnings?: WarningList
  /** The folder that `~` stands for, and below which project folders are searched. */
  userHome?: string
  onProgress?: (filesDone: number, filesTotal: number) => void
  /** The size from which a session counts as long: more of it is stored, and answered from there. */
  longFrom?: LongFrom
}

export interface StartedStore {
  store: Store
  /** Resolves when a first list can be requested, but nothing else yet. */
  looked: Promise<void>
  /** Creates the row of every session; afterwards every question can be answered. */
  open: () => Promise<void>
  /** Starts the slow parts: the index with its threads, and the watcher. A first list needs none of them. */
  begin: (scope: IndexingScope) => Promise<void>
  /** For a command that ends, once the store is open: reads everything its answer depends on. */
  readFor: (question: CommandQuestion) => Promise<void>
  /** Little enough is unread that reading everything is quick. */
  isSoonRead: () => boolean
  /** Call when something has changed on disk that causes no event. Resolves when answers include it, or cannot. */
  lookAgain: () => Promise<void>
  /** Removes sessions from everything derived from their files. */
  forgetting: Forgetting
  /** Finds what sessions could be restored from. */
  recovering: Recovering
  /** The data derived from session files. */
  cache: OwnCache
  /** The instances that the store uses. */
  homeNames: HomeNames
  prices: PriceTable
}

export async function createStore(options: StoreOptions): Promise<Store> {
  const { store, begin } = startStore(options)
  await begin('text')
  return store
}

/** Starts scanning the homes. The store can be passed on at once, but only queried after the scan. */
export function startStore(options: StoreOptions): StartedStore {
  const { homes, workerUrls, version, isDemo, isWatching, userHome = homedir() } = options
  const clock = options.clock ?? (() => Date.now())
  const cacheDirectory = indexDirectory(options.cacheDirectory, homes)
  const marks = options.marks ?? new MarkStore(createMemoryMarkLog())
  const keys = options.keys ?? new KeyRegistry()
  const warnings = options.warnings ?? new WarningList()
  const kept = options.kept ?? NOTHING_KEPT
  const openings = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const opening = new IndexOpening({
    directory: cacheDirectory,
    workerUrl: workerUrls.index,
    isWatching,
    openings,
    longFrom: options.longFrom,
    warnings,
    sync: () => sync,
  })
  const hasIndex = cacheDirectory !== null && existsSync(cacheDirectory)
  const prices = options.prices ?? LIST_PRICE_TABLE
  const homeNames = options.homeNames ?? new HomeNames(createMemoryList())
  const reader = new ReaderClient(workerUrls.reader, {
    openings,
    askIndex: async (asked) => (await (await opening.opened()?.catch(() => null))?.ask(asked)) ?? null,
    asksOfAll: options.longFrom !== undefined,
  })
  const listeners = new Set<(event: LiveEvent) => void>()
  const emit = (event: LiveEvent) => {
    for (const listener of listeners) listener(event)
  }
  warnings.onChange(() => emit({ kind: 'warnings' }))
  const sync = new Sync({
    homes,
    kept,
    openIndex: opening.open,
    hasIndex,
    words: options.words ?? new WordList(createMemoryList()),
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
  const rest = new ThreadRest(openedIndex, reader)
  const run = new StoreRun({ homes, isWatching, sync, opening, rest, reader })
  const looked = sync.look().then(() => run.openEarly())
  const open = () => looked.then(() => sync.refresh())
  const begin = (scope: IndexingScope) => looked.then(() => run.begin(scope, () => store.warmUp()))
  const parts = {
    homes,
    homeNames,
    sync,
    marks,
    prices,
    budgets: options.budgets ?? new BudgetStore(createMemoryList()),
    openIndex,
    reader,
    listeners,
    rest,
    warnings,
    close: () => run.close(),
    ...{ version, isDemo, opened: options.opened ?? null, clock, cacheDirectory },
  }
  const store = new Store(parts)
  const readFor = (question: CommandQuestion) => readNeeded({ sync, store, begin, clock }, question)
  const lookAgain = () => sync.catchUp().catch(() => {})
  const caches = { sync, kept, keys, openIndex, directory: cacheDirectory }
  const isSoon = () => isSoonRead(sync)
  return {
    store,
    looked,
    open,
    begin,
    readFor,
    isSoonRead: isSoon,
    lookAgain,
    ...desksOf(caches),
    homeNames,
    prices,
  }
}

/** What removes sessions from derived data, describes how to restore them, or clears the derived data. */
function desksOf(caches: ForgettingParts): Pick<StartedStore, 'forgetting' | 'recovering' | 'cache'> {
  return {
    forgetting: new Forgetting(caches),
    recovering: new Recovering(caches.sync),
    cache: new OwnCache(caches),
  }
}

/** One index per set of homes, so that two sets never share rows. */
function indexDirectory(cacheDirectory: string | null, homes: GeminiHome[]): string | null {
  if (cacheDirectory === null) return null
  const paths = homes.map(({ tmpPath }) => tmpPath).sort()
  const name = createHash('sha256').update(paths.join('\n')).digest('hex').slice(0, 16)
  return join(cacheDirectory, `index-${name}`)
}

const LONGEST_LOOK_MS = 3_000

interface ForgettingParts {
  sync: Sync
  kept: KeptFiles
  openIndex: () => Promise<SessionIndex>
  keys: KeyRegistry
  /** null: nothing is stored on disk. */
  /** Folder of the index; null: it is in memory. */
  directory: string | null
}

/** Everything that identifies a session and its sub-agents. */
interface ForgottenSession {
  /** Keys under which marks may be stored. */
  keys: ReadonlySet<string>
  groupIds: string[]
  /** Only those that no other session has. */
  sessionIds: string[]
  files: { home: string; path: string; isKept: boolean }[]
}

/** Finds everything about a session, and removes it from everything derived from its files. */
export class Forgetting {
  readonly #parts: ForgettingParts

  constructor(parts: ForgettingParts) {
    this.#parts = parts
  }

  /** null: no such session. */
  describe(key: string): ForgottenSession | null {
    const sessions = this.#parts.sync.rows.sessions()
    const family = familyOf(key, sessions)
    if (family.length === 0) return null
    const own = new Set(family)
    const shared = new Set(
      [...sessions.values()].flatMap((each) => (own.has(each) ? [] : [each.summary.sessionId])),
    )
    return {
      keys: new Set(family.flatMap(({ summary, record }) => [summary.key, ...record.ownKeys])),
      groupIds: [...new Set(family.map(({ groupId }) => groupId))],
      sessionIds: [...new Set(family.map(({ summary }) => summary.sessionId))].filter(
        (id) => !shared.has(id),
      ),
      files: family.flatMap(({ summary }) =>
        summary.files.map(({ home, path, kept }) => ({ home, path, isKept: kept !== undefined })),
      ),
    }
  }

  /**
   * Must be called before anything is answered: excludes what another process has forgotten since. Does not wait for a scan that takes
   * longer, for example because much is read for the first time.
   */
  async catchUp(): Promise<void> {
    const { sync, kept } = this.#parts
    if (!kept.hasChanged()) return
    const looked = sync.refresh().catch(() => {})
    await Promise.race([looked, setTimeout(LONGEST_LOOK_MS, null, { ref: false })])
  }

  /** Must be called once it exists nowhere else: rebuilds index and rows without it. */
  async erase({ groupIds, keys: erased }: ForgottenSession): Promise<void> {
    const { sync, openIndex, keys, directory } = this.#parts
    keys.forget(erased)
    await sync.refresh()
    await (await openIndex()).forget(groupIds)
    // other homes may have read the same files; an index in use learns of it from its own scan
    if (directory !== null) removeIndexes(dirname(directory), basename(directory))
  }

  /** The folder of all indexes; null: this store's index is in memory. */
  get cacheFolder(): string | null {
    const { directory } = this.#parts
    return directory && dirname(directory)
  }
}

interface IndexOpeningOptions {
  /** null: nothing is stored. */
  directory: string | null
  workerUrl: URL
  isWatching: boolean
  /** Sessions that are being opened: see `openSessionIndex`. */
  openings: Int32Array
  longFrom: LongFrom | undefined
  warnings: WarningList
  /** Opens the index, and receives its events. */
  sync: () => Sync
}

const CACHE_ADVICE =
  'Results are the same, but the next start reads again what was not saved. Choose another folder with --cache-dir.'

const ONE_THREAD_BYTES = 8 * 1024 ** 2

/** The index of a store: opened when first needed, and again after a failure. */
class IndexOpening {
  readonly #options: IndexOpeningOptions
  #opened: Promise<SessionIndex> | null = null
  #index: SessionIndex | null = null

  constructor(options: IndexOpeningOptions) {
    this.#options = options
  }

  readonly opened = (): Promise<SessionIndex> | null => this.#opened

  /** Makes the index check that its folder still exists: a loss is reported before this returns. */
  look(): void {
    this.#index?.isKept()
  }

  readonly open = (): Promise<SessionIndex> => {
    const { warnings } = this.#options
    this.#opened ??= openSessionIndex(this.#indexOptions()).then(
      (opened) => {
        warnings.clear('worker-restarted')
        this.#index = opened
        return opened
      },
      (error: unknown) => {
        // The next caller tries again.
        this.#opened = null
        throw error
      },
    )
    return this.#opened
  }

  /** Before it is needed: on a first start there is something to read, and threads start while heads are read here. */
  openEarly(): void {
    const { directory, sync } = this.#options
    if (directory !== null && sync().scan.files.length > 0) this.open().catch(() => {})
  }

  /** A short-lived index with little to read is faster with one thread than with two, which take time to start. */
  #shards(): { shards?: number } {
    const { directory, isWatching, sync } = this.#options
    if (directory !== null || isWatching) return {}
    const bytes = sync()
      .rows.groups()
      .reduce((sum, group) => sum + groupBytes(group), 0)
    return bytes <= ONE_THREAD_BYTES ? { shards: 1 } : {}
  }

  #indexOptions(): Parameters<typeof openSessionIndex>[0] {
    const { directory, workerUrl, isWatching, openings, longFrom, warnings, sync } = this.#options
    return {
      directory,
      workerUrl,
      openings,
      longFrom,
      ...this.#shards(),
      onDown: (problem) => {
        if (problem === null) warnings.clear('worker-restarted')
        // The error of a command that ends reports it.
        else if (!isWatching) sync().indexing.giveUp(new IndexFault(problem))
        else warnings.warn({ code: 'worker-restarted', message: problem })
      },
      onLost: (groupIds) => sync().indexing.lose(groupIds),
      onUnread: (groupId, files) => {
        const { rows, unread } = sync()
        // the index may still be searching in groups that the last scan found gone
        if (rows.group(groupId) !== undefined) unread.note(groupId, files)
      },
      onProblem: (message) => {
        if (message === null) return warnings.clear('cache-not-kept')
        warnings.warn({ code: 'cache-not-kept', message, advice: CACHE_ADVICE })
      },
    }
  }
}

interface Parts {
  homes: GeminiHome[]
  isWatching: boolean
  sync: Sync
  opening: IndexOpening
  rest: ThreadRest
  reader: ReaderClient
}

const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 30_000

/** What runs while a store is open: its index is filled, its homes are watched, its idle threads are ended. */
class StoreRun {
  readonly #parts: Parts
  #isClosed = false
  #following: Promise<() => Promise<void>> | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** If the store was closed during the scan, nobody would close its index. */
  openEarly(): void {
    if (!this.#isClosed) this.#parts.opening.openEarly()
  }

  async begin(scope: IndexingScope, warmUp: () => Promise<void>): Promise<void> {
    if (this.#isClosed) return
    const { homes, isWatching, sync, opening, rest, reader } = this.#parts
    // Its threads start while heads are read here; an error here will occur again where it is awaited.
    opening.open().catch(() => {})
    await this.#beginIndexing(scope)
    if (!isWatching || this.#isClosed) return
    // The watcher is loaded once there is time.
    this.#following ??= import('./sync/follow-changes.ts').then(({ followChanges }) =>
      followChanges(homes, sync),
    )
    rest.begin()
    void sync.indexing.whenComplete().then(() => {
      if (this.#isClosed) return
      reader.wake()
      void warmUp()
    })
  }

  async close(): Promise<void> {
    const { isWatching, sync, opening, rest, reader } = this.#parts
    this.#isClosed = true
    rest.close()
    await (await this.#following)?.()
    const index = await opening.opened()?.catch(() => null)
    if (!isWatching && index?.isKept() === true) await sync.noteUnread(index).catch(() => {})
    sync.close()
    await Promise.all([reader.close(), index?.close()])
  }

  /** A server retries, however often its threads fail to start; a command that ends reports why it has no answer. */
  async #beginIndexing(scope: IndexingScope): Promise<void> {
    for (let pauseMs = FIRST_RETRY_MS; !this.#isClosed; pauseMs = Math.min(2 * pauseMs, LONGEST_RETRY_MS)) {
      try {
        await this.#parts.sync.beginIndexing(scope)
        return
      } catch (error) {
        if (!this.#parts.isWatching) throw error
        await setTimeout(pauseMs, undefined, { ref: false })
      }
    }
  }
}
