import type { RecoverAnswer, WriteJournal } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { fetchJson } from './request/fetch-json.ts'

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
    queryFn: ({ signal }) => fetchJson<WriteJournal>(apiPaths.journal(), signal),
  })
}
