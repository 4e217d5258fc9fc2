import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { LiveEvent } from '@gemini-dash/api'
import { openSessionIndex } from '@gemini-dash/session-index'
import type { GeminiHome } from 'gemini-sessions/node'
import { followChanges } from './follow-changes.ts'
import { Library } from './library.ts'
import { LibraryStore } from './library-store.ts'
import { ReaderClient } from './reader/reader-client.ts'
import type { Store } from './store.ts'

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
  onProgress?: (filesDone: number, filesTotal: number) => void
}

/** Opens the index and takes a first look at the homes; indexing goes on behind. */
export async function createStore(options: StoreOptions): Promise<Store> {
  const { homes, workerUrls } = options
  const cacheDirectory =
    options.cacheDirectory === null ? null : indexDirectory(options.cacheDirectory, homes)
  const isFirstRun = cacheDirectory === null || !existsSync(cacheDirectory)
  const opening = openSessionIndex({
    directory: cacheDirectory,
    workerUrl: workerUrls.index,
  })
  const reader = new ReaderClient(workerUrls.reader)
  const listeners = new Set<(event: LiveEvent) => void>()
  const library = new Library({
    homes,
    index: opening,
    isFirstRun,
    reader,
    emit: (event) => {
      for (const listener of listeners) listener(event)
    },
    onProgress: options.onProgress ?? (() => {}),
  })
  await library.refresh()
  const index = await opening
  const stopFollowing = options.isWatching ? await followChanges(homes, library) : async () => {}
  return new LibraryStore({
    homes,
    library,
    index,
    reader,
    listeners,
    stopFollowing,
    version: options.version,
    isDemo: options.isDemo,
    cacheDirectory,
  })
}

/** One index a set of homes, so that two homes never share rows. */
function indexDirectory(cacheDirectory: string, homes: GeminiHome[]): string {
  const paths = homes.map(({ tmpPath }) => tmpPath).sort()
  const name = createHash('sha256').update(paths.join('\n')).digest('hex').slice(0, 16)
  return join(cacheDirectory, `index-${name}`)
}
