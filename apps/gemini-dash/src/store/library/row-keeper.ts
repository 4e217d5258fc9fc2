import { pricesStamp } from '@gemini-dash/pricing/overrides'
import { type SessionIndex, stampOf } from '@gemini-dash/session-index'
import type { PriceBook } from '../../own-data/price-file.ts'
import type { Catalog, CatalogSession } from '../catalog/catalog.ts'
import type { WarningBook } from '../catalog/warning-book.ts'
import type { KeptEnds } from '../remembered/head-book.ts'
import type { RememberedGroup, RememberedRow } from '../remembered/remembered-list.ts'
import type { RowSnapshot } from '../remembered/row-snapshot.ts'
import type { Library } from './library.ts'
import { explainNotKept } from './library-warnings.ts'

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
    void options.library.indexing.whenComplete().then(() => this.keep())
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
    if (index?.isKept() !== true) return
    try {
      await snapshot.write({
        groups: library.rows(),
        ends: endsOf(library),
        scan: library.scan,
        prices: pricesStamp(prices.current()),
        describe: (places) => describeList(library.catalog, places),
      })
      this.#keptRevision = revision
      warnings.clear('rows-not-kept')
    } catch (error) {
      // With its folder the index is lost, too, and tells that: one cause, one warning.
      if (!index.isKept()) return
      // The next start reads the index instead; after a minute it is tried again.
      const reason = error instanceof Error ? error.message : String(error)
      warnings.warn({ code: 'rows-not-kept', ...explainNotKept('What sessions come to', reason) })
    }
  }
}

/** What was read of files that are not read whole, as it is to be remembered. */
function endsOf({ indexing, heads }: Library): KeptEnds[] {
  const groups = indexing.groups.notShown().filter(({ loose }) => loose === undefined)
  return heads.toKeep(groups.flatMap(({ files }) => files))
}

type Place = RememberedGroup['at']

/** What the next start's first list needs of the groups that were written, in their order. */
function describeList(catalog: Catalog, places: ReadonlyMap<string, Place>): RememberedGroup[] {
  const numbers = new Map([...places.keys()].map((id, index) => [id, index]))
  const sessionsOf = new Map<string, CatalogSession[]>()
  for (const session of catalog.sessions().values()) {
    sessionsOf.set(session.groupId, [...(sessionsOf.get(session.groupId) ?? []), session])
  }
  return [...places].map(([id, at]) => {
    const sessions = sessionsOf.get(id) ?? []
    const own = numbers.get(id)
    const subagents = sessions
      .flatMap(({ summary }) => descendantsOf(summary.subagentKeys, catalog))
      .flatMap(({ groupId }) => numbers.get(groupId) ?? [])
    return {
      at,
      files: (catalog.group(id)?.files ?? []).map(stampOf),
      rows: sessions.flatMap(({ summary }) => (summary.kind === 'main' ? toRow(summary) : [])),
      subagents: [...new Set(subagents)].filter((number) => number !== own),
    }
  })
}

function descendantsOf(keys: readonly string[], catalog: Catalog): CatalogSession[] {
  return keys.flatMap((key) => {
    const session = catalog.sessions().get(key)
    return session === undefined ? [] : [session, ...descendantsOf(session.summary.subagentKeys, catalog)]
  })
}

function toRow({
  key,
  startTime,
  endTime,
  models,
  usage,
  cost,
  subagentKeys,
  withSubagents,
  empty,
}: CatalogSession['summary']): RememberedRow {
  const row = { key, startTime, endTime, models, usage, cost }
  if (empty) return { ...row, empty }
  return subagentKeys.length === 0 ? row : { ...row, withSubagents }
}
