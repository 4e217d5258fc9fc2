import { setTimeout } from 'node:timers/promises'
import type { GeminiHome } from 'gemini-sessions/node'
import type { IndexOpening } from './index-opening.ts'
import type { IndexingScope } from './indexing/indexing-options.ts'
import type { Library } from './library/library.ts'
import type { RowKeeper } from './library/row-keeper.ts'
import type { ReaderClient } from './reader/lanes/reader-client.ts'
import type { SkeletonKeeper } from './reader/skeleton/skeleton-keeper.ts'
import type { ThreadRest } from './rest/thread-rest.ts'

interface Parts {
  homes: GeminiHome[]
  isWatching: boolean
  library: Library
  opening: IndexOpening
  skeletons: SkeletonKeeper | null
  rest: ThreadRest
  reader: ReaderClient
  keeper: RowKeeper
}

const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 30_000

/** What goes on while a store is open: its index is filled, its homes are followed, its threads rest. */
export class StoreRun {
  readonly #parts: Parts
  #isClosed = false
  #following: Promise<() => Promise<void>> | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async begin(scope: IndexingScope, rehearse: () => Promise<void>): Promise<void> {
    const { homes, isWatching, library, opening, skeletons, rest, reader } = this.#parts
    // Its threads start while heads are read here; what fails now fails again where it is waited for.
    opening.open().catch(() => {})
    await this.#beginIndexing(scope)
    if (!isWatching || this.#isClosed) return
    // Its watcher is loaded when there is time.
    this.#following ??= import('./changes/follow-changes.ts').then(({ followChanges }) =>
      followChanges(homes, library),
    )
    skeletons?.begin()
    rest.begin()
    void library.indexing.whenComplete().then(() => {
      if (this.#isClosed) return
      reader.wake()
      void rehearse()
    })
  }

  async close(): Promise<void> {
    const { library, opening, skeletons, rest, reader, keeper } = this.#parts
    this.#isClosed = true
    skeletons?.close()
    rest.close()
    await (await this.#following)?.()
    library.close()
    await keeper.close()
    await Promise.all([reader.close(), opening.opened()?.then((opened) => opened.close())])
  }

  /** A server waits for the index, however often its threads fail to start; a command that ends says why it has no answer. */
  async #beginIndexing(scope: IndexingScope): Promise<void> {
    for (let pauseMs = FIRST_RETRY_MS; !this.#isClosed; pauseMs = Math.min(2 * pauseMs, LONGEST_RETRY_MS)) {
      try {
        await this.#parts.library.beginIndexing(scope)
        return
      } catch (error) {
        if (!this.#parts.isWatching) throw error
        await setTimeout(pauseMs, undefined, { ref: false })
      }
    }
  }
}
