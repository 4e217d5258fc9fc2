import type { FolderSearch, FoldersSearch, ProjectChange, ProjectList } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { queryOptions } from '@tanstack/react-query'
import type { Project } from 'gemini-sessions'
import { fetchJson, fetchPlaced } from './request/fetch-json.ts'

export function projectsQuery() {
  return queryOptions({
    queryKey: ['projects'],
    queryFn: ({ signal }) => fetchPlaced<ProjectList>(apiPaths.projects(), signal),
  })
}

/** What the user says of a project. All lists hear of it by an event. */
export function changeProject(key: string, change: ProjectChange): Promise<Project> {
  return fetchJson<Project>(apiPaths.project(key), undefined, { method: 'PUT', body: change })
}

/** The same for all projects whose path is not known. */
export function findFolders(signal: AbortSignal): Promise<FoldersSearch> {
  return fetchJson<FoldersSearch>(apiPaths.foldersSearch(), signal, { method: 'POST', body: {} })
}

/** Looks on the computer for the project's folder; takes seconds. Ends there as well when the signal ends it here. */
export function findFolder(key: string, signal: AbortSignal): Promise<FolderSearch> {
  return fetchJson<FolderSearch>(apiPaths.folderSearch(key), signal, { method: 'POST', body: {} })
}
