import type {
  BudgetChange,
  BudgetReport,
  FolderSearch,
  FoldersSearch,
  MoveAnswer,
  ProjectChange,
  RecoverAnswer,
  UsageQuery,
  UsageWhyQuery,
} from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Project } from 'gemini-sessions'
import { timeZone } from '../lib/dates.ts'
import { ask, fetchJson } from './request.ts'

/** Tokens, cost, requests and sessions, grouped by `query.by`. Days are in the reader's time zone. */
export function usageQuery(query: Partial<Omit<UsageQuery, 'tz'>>) {
  return queryOptions({
    queryKey: ['usage', query, timeZone()],
    queryFn: ({ signal }) => ask('usage', { ...query, tz: timeZone() }, signal),
    placeholderData: keepPreviousData,
  })
}

/** Spending of the current month against the budgets; refetched with all other usage. */
export function budgetsQuery() {
  return queryOptions({
    queryKey: ['usage', 'budgets', timeZone()],
    queryFn: ({ signal }) => ask('budgets', { tz: timeZone() }, signal),
  })
}

/** `scope`: `all` or a project key. Returns all budgets. */
export function changeBudget(scope: string, change: BudgetChange): Promise<BudgetReport> {
  return fetchJson<BudgetReport>(apiPaths.budget(scope, { tz: timeZone() }), undefined, {
    method: 'PUT',
    body: change,
  })
}

/** What drives the cost of the sessions of a usage report. */
export function usageWhyQuery(query: Omit<UsageWhyQuery, 'tz'>) {
  return queryOptions({
    queryKey: ['usage', 'why', query, timeZone()],
    queryFn: ({ signal }) => ask('usage/why', { ...query, tz: timeZone() }, signal),
    placeholderData: keepPreviousData,
  })
}

export function projectsQuery() {
  return queryOptions({
    queryKey: ['projects'],
    queryFn: ({ signal }) => ask('projects', {}, signal),
  })
}

/** Changes the settings of a project. An event notifies all lists. */
export function changeProject(key: string, change: ProjectChange): Promise<Project> {
  return fetchJson<Project>(apiPaths.project(key), undefined, { method: 'PUT', body: change })
}

/** The same for all projects with an unknown path. */
export function findFolders(signal: AbortSignal): Promise<FoldersSearch> {
  return fetchJson<FoldersSearch>(apiPaths.foldersSearch(), signal, { method: 'POST', body: {} })
}

/** Searches the computer for the project's folder; takes seconds. Aborting the signal also stops the server. */
export function findFolder(key: string, signal: AbortSignal): Promise<FolderSearch> {
  return fetchJson<FolderSearch>(apiPaths.folderSearch(key), signal, { method: 'POST', body: {} })
}

/** One session with everything that shares its id, or a whole project. */
export interface MoveSubject {
  kind: 'session' | 'project'
  key: string
}

/** What would be written to move it to this folder; null: suggests folders. Always refetched. */
export function moveQuery(subject: MoveSubject, to: string | null) {
  return queryOptions({
    queryKey: ['move', subject.kind, subject.key, to],
    queryFn: ({ signal }) =>
      fetchJson<MoveAnswer>(pathOf(subject), signal, { method: 'POST', body: to === null ? {} : { to } }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Performs the move. Changes rows, projects and figures. */
export function useMove(subject: MoveSubject, to: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      fetchJson<MoveAnswer>(pathOf(subject, { write: 'true' }), undefined, { method: 'POST', body: { to } }),
    onSuccess: () =>
      Promise.all(
        [['sessions'], ['session'], ['projects'], ['usage'], ['journal']].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  })
}

function pathOf({ kind, key }: MoveSubject, query: { write?: string } = {}): string {
  return kind === 'session' ? apiPaths.move(key, query) : apiPaths.moveProject(key, query)
}

/** What would be written to restore a session; always refetched, as files come and go. */
export function recoverPreviewQuery(key: string) {
  return queryOptions({
    queryKey: ['recover', key],
    queryFn: ({ signal }) =>
      fetchJson<RecoverAnswer>(apiPaths.recover(key), signal, { method: 'POST', body: {} }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Performs the restore. */
export function useRecover(key: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      fetchJson<RecoverAnswer>(apiPaths.recover(key, { write: 'true' }), undefined, {
        method: 'POST',
        body: {},
      }),
    onSuccess: () =>
      Promise.all(
        [['sessions'], ['session', key], ['journal']].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  })
}

/** Everything ever written under a Gemini folder. */
export function journalQuery() {
  return queryOptions({
    queryKey: ['journal'],
    queryFn: ({ signal }) => ask('journal', {}, signal),
  })
}
