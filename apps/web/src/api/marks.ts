import type { MarkAnswer, MarkChange, MarkList, ViewList } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { SessionSummary } from 'gemini-sessions'
import { putMarked } from './live/mark-changes.ts'
import { fetchJson } from './request/fetch-json.ts'

/** Everything that the person said of sessions. */
export function marksQuery() {
  return queryOptions({
    queryKey: ['marks'],
    queryFn: ({ signal }) => fetchJson<MarkList>(apiPaths.marks(), signal),
  })
}

const NO_MARK = {
  star: false,
  note: '',
  tags: [],
  title: null,
  seen: null,
  messages: { starred: 0, noted: 0 },
}

/** Says something of a session. It shows at once, and is taken back where it could not be kept. All pages hear of it by an event. */
export function useMarkChange(session: SessionSummary) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: MarkChange) =>
      fetchJson<MarkAnswer>(apiPaths.mark(session.key), undefined, { method: 'PUT', body: change }),
    onMutate: ({ title, ...change }) => {
      // Which title stands where one's own is taken back, only the server knows.
      putMarked(client, { ...session, mark: { ...NO_MARK, ...session.mark, ...change } })
      return session
    },
    onError: (_error, _change, before) => before && putMarked(client, before),
  })
}

/** The addresses that the person named. */
export function viewsQuery() {
  return queryOptions({
    queryKey: ['views'],
    queryFn: ({ signal }) => fetchJson<ViewList>(apiPaths.views(), signal),
  })
}

/** All of them, in their order. */
export function changeViews(views: ViewList['views']): Promise<ViewList> {
  return fetchJson<ViewList>(apiPaths.views(), undefined, { method: 'PUT', body: { views } })
}
