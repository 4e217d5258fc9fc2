import type { SessionList, SessionQuery } from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'
import { findHome } from './home-labels.ts'
import { cutPage, orderSessions } from './list-sessions.ts'
import { type OrderedSessions, toList } from './list-totals.ts'
import { type ResolvedList, resolveList } from './resolve-list.ts'

type Listed = Omit<SessionList, 'coverage'>

interface SessionListSources {
  library: {
    /** `revision` grows with every change of a row. */
    catalog: { readonly revision: number; sessions: () => unknown; projects: () => unknown }
    /** null: rows of everything stand. */
    firstList: { answer: (query: SessionQuery, rows: () => SessionSummary[]) => Promise<Listed | null> }
  }
  shown: {
    summaries: () => SessionSummary[]
    findProjects: (wanted: string) => ReadonlySet<string>
  }
  homes: readonly { path: string }[]
  homeNames: { all: () => ReadonlyMap<string, string> }
  usage: { sessionsInHour: (hour: string, query: SessionQuery) => ReadonlySet<string> }
}

interface Ordered {
  resolved: ResolvedList
  sessions: OrderedSessions<SessionSummary>
}

/** Under so many filters and orders at the same time. */
const MOST_ORDERS = 8

/**
 * Lists of sessions: while rows come to be from names, afterwards from the rows. As long as no row changes, order and totals
 * of a list are worked out once for all of its pages.
 */
export class SessionLists {
  readonly #sources: SessionListSources
  readonly #orders = new Map<string, Ordered>()
  /** Of what the orders are. */
  #state: readonly unknown[] = []

  constructor(sources: SessionListSources) {
    this.#sources = sources
  }

  async answer(query: SessionQuery): Promise<Listed> {
    const { library, shown } = this.#sources
    const early = await library.firstList.answer(query, () => shown.summaries())
    if (early !== null) return early
    const { resolved, sessions } = this.#ordered(query)
    const { cursor, limit, days } = query
    const found = cutPage(sessions, { ...resolved, cursor, limit, days })
    return { sessions: found.page, ...toList(found) }
  }

  #ordered(query: SessionQuery): Ordered {
    const { library, homeNames } = this.#sources
    const { catalog } = library
    const state = [catalog.sessions(), catalog.projects(), catalog.revision, homeNames.all()]
    const isKept = state.every((part, index) => part === this.#state[index])
    if (!isKept || this.#orders.size >= MOST_ORDERS) this.#orders.clear()
    this.#state = state
    const { cursor: _cursor, limit: _limit, days: _days, ...asked } = query
    const name = JSON.stringify(asked)
    const ordered = this.#orders.get(name) ?? this.#order(query)
    this.#orders.set(name, ordered)
    return ordered
  }

  /** Of an hour of the week only the calls tell, of a home only the files. */
  #order(query: SessionQuery): Ordered {
    const { shown, usage, homes, homeNames } = this.#sources
    const paths = homes.map(({ path }) => path)
    const home = query.home === undefined ? null : findHome(query.home, paths, homeNames.all())
    const all = shown.summaries()
    const keys = query.hour === undefined ? null : usage.sessionsInHour(query.hour, query)
    const listed = all.filter(
      ({ key, files }) =>
        (keys?.has(key) ?? true) && (home === null || files.some((file) => file.home === home)),
    )
    const resolved = resolveList(query, (wanted) => shown.findProjects(wanted))
    return { resolved, sessions: { ...orderSessions(listed, resolved), all } }
  }
}
