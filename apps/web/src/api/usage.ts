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
import { timeZone } from '../lib/figures.ts'
import { ask, fetchJson } from './request.ts'

/** Tokens, cost, calls and sessions, grouped by `query.by`. Days are the reader's own. */
export function usageQuery(query: Partial<Omit<UsageQuery, 'tz'>>) {
  return queryOptions({
    queryKey: ['usage', query, timeZone()],
    queryFn: ({ signal }) => ask('usage', { ...query, tz: timeZone() }, signal),
    placeholderData: keepPreviousData,
  })
}

/** How the reader's month stands to its budgets; asked again with all that is asked of usage. */
export function budgetsQuery() {
  return queryOptions({
    queryKey: ['usage', 'budgets', timeZone()],
    queryFn: ({ signal }) => ask('budgets', { tz: timeZone() }, signal),
  })
}

/** `scope`: `all`, or the key of a project. Answers with all budgets. */
export function changeBudget(scope: string, change: BudgetChange): Promise<BudgetReport> {
  return fetchJson<BudgetReport>(apiPaths.budget(scope, { tz: timeZone() }), undefined, {
    method: 'PUT',
    body: change,
  })
}

/** Why the sessions of a usage report cost what they did. */
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

/** One session with what shares its id, or all of a project. */
export interface MoveSubject {
  kind: 'session' | 'project'
  key: string
}

/** What would be written to have it found in this folder; null: which folders are likely. Asked anew each time. */
export function moveQuery(subject: MoveSubject, to: string | null) {
  return queryOptions({
    queryKey: ['move', subject.kind, subject.key, to],
    queryFn: ({ signal }) =>
      fetchJson<MoveAnswer>(pathOf(subject), signal, { method: 'POST', body: to === null ? {} : { to } }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Writes it. Rows, projects and figures are others then. */
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

/** What would be written to bring a session back; asked anew each time, as files come and go. */
export function recoverPreviewQuery(key: string) {
  return queryOptions({
    queryKey: ['recover', key],
    queryFn: ({ signal }) =>
      fetchJson<RecoverAnswer>(apiPaths.recover(key), signal, { method: 'POST', body: {} }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Writes it. */
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

/** Everything that was ever written under a home. */
export function journalQuery() {
  return queryOptions({
    queryKey: ['journal'],
    queryFn: ({ signal }) => ask('journal', {}, signal),
  })
}
