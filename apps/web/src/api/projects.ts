import type { ProjectList } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from './fetch-json.ts'

export function projectsQuery() {
  return queryOptions({
    queryKey: ['projects'],
    queryFn: ({ signal }) => fetchJson<ProjectList>(apiPaths.projects(), signal),
  })
}
