import type { FileHistory, FileHistoryQuery } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { fetchJson } from '../request/fetch-json.ts'

/** What all sessions did to one file, page by page. */
export function fileHistoryQuery(path: string, asked: Pick<Partial<FileHistoryQuery>, 'project' | 'show'>) {
  return infiniteQueryOptions({
    queryKey: ['files', path, asked],
    queryFn: ({ pageParam, signal }) =>
      fetchJson<FileHistory>(apiPaths.fileHistory(path, { ...asked, cursor: pageParam }), signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}
