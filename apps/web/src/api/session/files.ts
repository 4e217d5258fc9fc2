import type { FileHistory, FileHistoryQuery, SessionFiles } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { FileChange } from 'gemini-sessions'
import { fetchJson } from '../request/fetch-json.ts'

/** What the tools of a session did to which files. */
export function sessionFilesQuery(sessionRef: string) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'files'],
    queryFn: ({ signal }) => fetchJson<SessionFiles>(apiPaths.sessionFiles(sessionRef), signal),
  })
}

/** All that they did to one of them. */
export function fileChangeQuery(sessionRef: string, path: string) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'files', path],
    queryFn: ({ signal }) => fetchJson<FileChange>(apiPaths.fileChange(sessionRef, path), signal),
  })
}

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
