import type { SessionList, SessionQuery } from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'
import { listPage } from './list-sessions.ts'
import { resolveList } from './resolve-list.ts'

type Listed = Omit<SessionList, 'coverage'>

interface SessionListSources {
  /** null: rows of everything stand. */
  first: { answer: (query: SessionQuery, rows: () => SessionSummary[]) => Promise<Listed | null> }
  shown: {
    summaries: () => SessionSummary[]
    findProjects: (wanted: string) => ReadonlySet<string>
  }
  usage: { sessionsInHour: (hour: string, query: SessionQuery) => ReadonlySet<string> }
}

/** Lists of sessions: while rows come to be from names, afterwards from the rows. */
export class SessionLists {
  readonly #sources: SessionListSources

  constructor(sources: SessionListSources) {
    this.#sources = sources
  }

  async answer(query: SessionQuery): Promise<Listed> {
    const { first, shown } = this.#sources
    return (await first.answer(query, () => shown.summaries())) ?? this.#list(query)
  }

  /** Of an hour of the week, only the calls tell. */
  #list(query: SessionQuery): Listed {
    const { shown, usage } = this.#sources
    const keys = query.hour === undefined ? null : usage.sessionsInHour(query.hour, query)
    const listed = shown.summaries().filter(({ key }) => keys?.has(key) ?? true)
    const resolved = resolveList(query, (wanted) => shown.findProjects(wanted))
    return listPage(listed, resolved)
  }
}
