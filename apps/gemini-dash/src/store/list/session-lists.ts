import type { SessionList, SessionQuery } from '@gemini-dash/api'
import type { FirstList } from '../remembered/first-list.ts'
import type { ShownSessions } from '../shown-sessions.ts'
import type { UsageQuestions } from '../usage/usage-questions.ts'
import { listPage } from './list-sessions.ts'
import { resolveList } from './resolve-list.ts'

interface SessionListSources {
  firstList: Pick<FirstList, 'answer'>
  shown: ShownSessions
  usage: UsageQuestions
}

/** Lists of sessions: while rows come to be from names, afterwards from the rows. */
export class SessionLists {
  readonly #sources: SessionListSources

  constructor(sources: SessionListSources) {
    this.#sources = sources
  }

  async answer(query: SessionQuery): Promise<Omit<SessionList, 'coverage'>> {
    const { firstList, shown } = this.#sources
    return (await firstList.answer(query, () => shown.summaries())) ?? this.#list(query)
  }

  /** Of an hour of the week, only the calls tell. */
  #list(query: SessionQuery): Omit<SessionList, 'coverage'> {
    const { shown, usage } = this.#sources
    const keys = query.hour === undefined ? null : usage.sessionsInHour(query.hour, query)
    const listed = shown.summaries().filter(({ key }) => keys?.has(key) ?? true)
    return listPage(
      listed,
      resolveList(query, (wanted) => shown.findProjects(wanted)),
    )
  }
}
