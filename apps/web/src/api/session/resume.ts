import type { Resume, Shell } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from '../request/fetch-json.ts'

/** How Gemini CLI goes on with a session. Asked each time: folders, files and the installed version change unseen. */
export function resumeQuery(sessionRef: string, shell: Shell) {
  return queryOptions({
    queryKey: ['sessions', 'resume', sessionRef, shell],
    queryFn: ({ signal }) => fetchJson<Resume>(apiPaths.resume(sessionRef, { shell }), signal),
    gcTime: 0,
  })
}
