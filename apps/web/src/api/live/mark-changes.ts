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
  // What waits to be asked for again goes on waiting: setQueryData would take it for answered.
  for (const query of client.getQueryCache().findAll({ queryKey: ['sessions'] })) {
    const data = query.state.data as Pages | undefined
    // A row that nothing was said of stays the very same: it is not drawn again.
    if (!data?.pages?.some(({ sessions }) => sessions.some(({ key }) => key === row.key))) continue
    query.setState({
      data: { ...data, pages: data.pages.map((page) => ({ ...page, sessions: page.sessions.map(marked) })) },
    })
  }
  for (const query of client.getQueryCache().findAll({ queryKey: ['session'] })) {
    const detail = query.state.data as SessionDetail | undefined
    if (query.queryKey.length !== 2 || detail?.session?.key !== row.key) continue
    query.setState({ data: { ...detail, session: marked(detail.session) } })
  }
  void client.invalidateQueries({ predicate: ({ queryKey }) => goesByMarks(queryKey) })
}

function goesByMarks([topic, asked]: readonly unknown[]): boolean {
  if (topic === 'marks') return true
  if (topic !== 'sessions') return false
  const { starred, tag, title } = (asked ?? {}) as Partial<SessionQuery>
  return [starred, tag, title].some((criterion) => criterion !== undefined)
}
