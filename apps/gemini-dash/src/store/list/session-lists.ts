import type { SessionList, SessionQuery } from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'
import { listPage } from './list-sessions.ts'
import { resolveList } from './resolve-list.ts'

type Listed = Omit<SessionList, 'coverage'>

interface SessionListSources {
  /** null: rows of everything stand. */
  first: (query: SessionQuery) => Promise<Listed | null>
  summaries: () => SessionSummary[]
  findProjects: (wanted: string) => ReadonlySet<string>
  keysInHour: (hour: string, query: SessionQuery) => ReadonlySet<string>
}

/** Lists of sessions: while rows come to be from names, afterwards from the rows. */
export class SessionLists {
  readonly #sources: SessionListSources

  constructor(sources: SessionListSources) {
    this.#sources = sources
  }

  async answer(query: SessionQuery): Promise<Listed> {
    return (await this.#sources.first(query)) ?? this.#list(query)
  }

  /** Of an hour of the week, only the calls tell. */
  #list(query: SessionQuery): Listed {
    const { summaries, findProjects, keysInHour } = this.#sources
    const keys = query.hour === undefined ? null : keysInHour(query.hour, query)
    const listed = summaries().filter(({ key }) => keys?.has(key) ?? true)
    return listPage(listed, resolveList(query, findProjects))
  }
}
