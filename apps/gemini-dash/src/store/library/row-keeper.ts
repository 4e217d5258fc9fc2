import { pricesStamp } from '@gemini-dash/pricing/overrides'
import type { SessionIndex } from '@gemini-dash/session-index'
import type { PriceBook } from '../../own-data/price-file.ts'
import type { WarningBook } from '../catalog/warning-book.ts'
import type { RowSnapshot } from '../remembered/row-snapshot.ts'
import { giveBackMemory } from '../rest/give-back-memory.ts'
import { describeList } from './describe-list.ts'
import { explainNotKept } from './explain-not-kept.ts'
import type { Library } from './library.ts'

export interface RowKeeperOptions {
  library: Library
  snapshot: RowSnapshot
  prices: PriceBook
  warnings: WarningBook
  /** null as long as nobody has opened it: then nothing was read that an earlier run did not know. */
  openedIndex: () => Promise<SessionIndex> | null
}

const KEEP_INTERVAL_MS = 60_000

/** Keeps the rows for the next start: when everything is read, each minute in which something changed, and at the end. */
export class RowKeeper {
  readonly #options: RowKeeperOptions
  readonly #timer: NodeJS.Timeout
  #keptRevision = 0
  #running: Promise<void> = Promise.resolve()

  constructor(options: RowKeeperOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.keep(), KEEP_INTERVAL_MS)
    this.#timer.unref()
    void options.library.indexing
      .whenComplete()
      .then(() => this.keep())
      .then(() => giveBackMemory())
  }

  keep(): Promise<void> {
    this.#running = this.#running.then(() => this.#keep())
    return this.#running
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.keep()
  }

  async #keep(): Promise<void> {
    const { library, snapshot, prices, warnings, openedIndex } = this.#options
    const { revision } = library.catalog
    if (revision === this.#keptRevision) return
    // Only who owns the folder on disk may write there.
    const index = await openedIndex()?.catch(() => null)
    if (index?.isKept !== true) return
    try {
      await snapshot.write({
        groups: library.rows(),
        scan: library.scan,
        prices: pricesStamp(prices.current()),
        describe: (places) => describeList(library.catalog, places),
      })
      this.#keptRevision = revision
      warnings.clear('rows-not-kept')
    } catch (error) {
      // The next start reads the index instead; after a minute it is tried again.
      const reason = error instanceof Error ? error.message : String(error)
      warnings.warn({ code: 'rows-not-kept', ...explainNotKept('What sessions come to', reason) })
    }
  }
}
