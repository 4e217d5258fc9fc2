import type { LiveEvent, ProjectList, SessionList, UsageReport } from '@gemini-dash/api'
import {
  type Placed,
  patchList,
  patchProjects,
  patchUsage,
  type RowChange,
  toRowChange,
} from '@gemini-dash/api/patches'
import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import { dayOfTime } from '../../lib/figures/last-activity.ts'
import { timeZone } from '../../lib/figures/time-zone.ts'

/** More than come while one answer is on its way. */
const MOST_KEPT = 200

/** Rows that came with events, put into the answers that are there; what they leave uncertain is asked for again. */
export class RowChanges {
  readonly #client: QueryClient
  /** The last ones, for answers that were asked for before and come later. */
  #kept: RowChange[] = []
  /** Of those that are kept no more, the last. */
  #forgottenAt = 0

  constructor(client: QueryClient) {
    this.#client = client
    client.getQueryCache().subscribe(({ type, query, ...told }) => {
      if (type !== 'updated' || !('action' in told) || told.action.type !== 'success') return
      if (!told.action.manual && !this.#catchUp(query))
        void client.invalidateQueries({ queryKey: query.queryKey, exact: true })
    })
  }

  /** Hashes of the queries that have to be asked again though the row came; null: no row came. */
  take(at: number, event: LiveEvent): ReadonlySet<string> | null {
    const change = toRowChange(at, event)
    if (change === null) return null
    this.#kept.push(change)
    if (this.#kept.length > MOST_KEPT) this.#forgottenAt = this.#kept.shift()?.at ?? this.#forgottenAt
    const unsure = new Set<string>()
    for (const query of this.#client.getQueryCache().getAll()) {
      if (isPatched(query) && !this.#patch(query, [change])) unsure.add(query.queryHash)
    }
    return unsure
  }

  /** A change whose row was not put anywhere: what came before is asked for again. */
  miss(at: number): void {
    this.#kept = []
    this.#forgottenAt = at
  }

  /** Whether an answer that came just now has all changes in it that were told. */
  #catchUp(query: Query): boolean {
    if (!isPatched(query)) return true
    const at = positionOf(query.state.data)
    if (at === null) return true
    return at >= this.#forgottenAt && this.#patch(query, this.#kept)
  }

  #patch(query: Query, changes: readonly RowChange[]): boolean {
    // It is asked for again anyway, or was never answered.
    if (query.state.isInvalidated || query.state.data === undefined) return true
    let data: unknown = query.state.data
    for (const change of changes) {
      data = patched(query.queryKey, data, change)
      if (data === null) return false
    }
    if (data !== query.state.data)
      this.#client.setQueryData(query.queryKey, data, { updatedAt: query.state.dataUpdatedAt })
    return true
  }
}

const PATCHED = new Set<unknown>(['sessions', 'projects', 'usage'])

function isPatched({ queryKey: [topic] }: Query): boolean {
  return PATCHED.has(topic)
}

/** The change from which on an answer has to be told. */
function positionOf(data: unknown): number | null {
  const pages = isInfinite(data) ? data.pages : [data as { at?: number } | undefined]
  const positions = pages.map((page) => page?.at)
  return positions.every((at) => at !== undefined) ? Math.min(...positions) : null
}

function patched([topic, asked, zone]: readonly unknown[], data: unknown, change: RowChange): unknown {
  if (topic === 'projects') return patchProjects(data as ProjectList, change)
  // Whose days it tells is another one's than the reader's by now.
  if (zone !== timeZone()) return null
  if (topic === 'usage') {
    if (asked === 'budgets') return hasNoBudget(data) ? data : null
    if (typeof asked !== 'object' || asked === null) return null
    return patchUsage(data as UsageReport, asked, change, dayOfTime)
  }
  if (!isInfinite(data)) return null
  const pages = patchList(data.pages, asked as object, change, dayOfTime)
  return pages === null || pages === data.pages ? pages && data : { ...data, pages }
}

function hasNoBudget(data: unknown): boolean {
  return (data as { budgets: unknown[] }).budgets.length === 0
}

function isInfinite(data: unknown): data is InfiniteData<Placed<SessionList>> {
  return typeof data === 'object' && data !== null && 'pages' in data
}
