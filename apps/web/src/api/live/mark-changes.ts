import type { SessionDetail, SessionList, SessionQuery } from '@gemini-dash/api'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { SessionSummary } from 'gemini-sessions'

type Pages = InfiniteData<SessionList>

/**
 * Puts what a person said of a session into all answers that hold its row. Lists that go by what was said are asked for
 * again; of the conversation nothing is, for none of it has changed.
 */
export function putMarked(client: QueryClient, row: SessionSummary): void {
  const said = { mark: row.mark, title: row.title, titleSource: row.titleSource }
  const marked = (session: SessionSummary) => (session.key === row.key ? { ...session, ...said } : session)
  for (const { queryKey } of client.getQueryCache().findAll({ queryKey: ['sessions'] })) {
    client.setQueryData<Pages>(queryKey, (data) =>
      // A row that nothing was said of stays the very same: it is not drawn again.
      data?.pages?.some(({ sessions }) => sessions.some(({ key }) => key === row.key))
        ? { ...data, pages: data.pages.map((page) => ({ ...page, sessions: page.sessions.map(marked) })) }
        : data,
    )
  }
  for (const { queryKey } of client.getQueryCache().findAll({ queryKey: ['session'] })) {
    if (queryKey.length !== 2) continue
    client.setQueryData<SessionDetail>(queryKey, (detail) =>
      detail?.session?.key === row.key ? { ...detail, session: marked(detail.session) } : detail,
    )
  }
  void client.invalidateQueries({ predicate: ({ queryKey }) => goesByMarks(queryKey) })
}

function goesByMarks([topic, asked]: readonly unknown[]): boolean {
  if (topic === 'marks') return true
  if (topic !== 'sessions') return false
  const { starred, tag, title } = (asked ?? {}) as Partial<SessionQuery>
  return [starred, tag, title].some((criterion) => criterion !== undefined)
}
