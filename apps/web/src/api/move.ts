import type { MoveAnswer } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { fetchJson } from './request/fetch-json.ts'

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
