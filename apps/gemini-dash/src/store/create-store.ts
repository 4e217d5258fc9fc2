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

export interface StartedStore {
  store: Store
  /** Resolves when the first look at the homes is taken: every session has a row. Indexing goes on behind. */
  opened: Promise<void>
}

export async function createStore(options: StoreOptions): Promise<Store> {
  const { store, opened } = startStore(options)
  await opened
  return store
}

/** Begins to open the index and to look at the homes. The store may be handed on at once, but asked only when opened. */
export function startStore(options: StoreOptions): StartedStore {
  const { homes, workerUrls, version, isDemo } = options
  const cacheDirectory =
    options.cacheDirectory === null ? null : indexDirectory(options.cacheDirectory, homes)
  const isFirstRun = cacheDirectory === null || !existsSync(cacheDirectory)
  const index = openSessionIndex({ directory: cacheDirectory, workerUrl: workerUrls.index })
  const reader = new ReaderClient(workerUrls.reader)
  const listeners = new Set<(event: LiveEvent) => void>()
  const library = new Library({
    homes,
    index,
    isFirstRun,
    reader,
    emit: (event) => {
      for (const listener of listeners) listener(event)
    },
    onProgress: options.onProgress ?? (() => {}),
  })
  const opened = library.refresh()
  const following = opened.then(
    () => (options.isWatching ? followChanges(homes, library) : null),
    // A store that could not be opened is told of by `opened`.
    () => null,
  )
  const stopFollowing = async () => (await following)?.()
  const parts = { homes, library, index, reader, listeners, stopFollowing, version, isDemo, cacheDirectory }
  return { store: new LibraryStore(parts), opened }
}

/** One index a set of homes, so that two homes never share rows. */
function indexDirectory(cacheDirectory: string, homes: GeminiHome[]): string {
  const paths = homes.map(({ tmpPath }) => tmpPath).sort()
  const name = createHash('sha256').update(paths.join('\n')).digest('hex').slice(0, 16)
  return join(cacheDirectory, `index-${name}`)
}
