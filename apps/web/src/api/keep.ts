import type { ForgetAnswer, KeepChange, KeepStatus } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { fetchJson } from './request/fetch-json.ts'

/** How the archive stands; events tell when to ask again. */
export function keepQuery() {
  return queryOptions({
    queryKey: ['keep'],
    queryFn: ({ signal }) => fetchJson<KeepStatus>(apiPaths.keep(), signal),
  })
}

/** Turns keeping on or off, sets its limits, erases. What it answers is put where `keepQuery` reads. */
export function useKeepChange() {
  const client = useQueryClient()
  return useMutation({
    // one after the other: what was chosen last holds
    scope: { id: 'keep' },
    mutationFn: (change: KeepChange) =>
      fetchJson<KeepStatus>(apiPaths.keep(), undefined, { method: 'PUT', body: change }),
    onSuccess: (status) => client.setQueryData(keepQuery().queryKey, status),
  })
}

/** Has everything looked at; done when that is. `isTurnedOn`: turns keeping on before. */
export function useKeepNow({ isTurnedOn = false } = {}) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      if (isTurnedOn)
        await fetchJson<KeepStatus>(apiPaths.keep(), undefined, { method: 'PUT', body: { enabled: true } })
      return fetchJson<KeepStatus>(apiPaths.keepNow(), undefined, { method: 'POST', body: {} })
    },
    onSuccess: (status) => client.setQueryData(keepQuery().queryKey, status),
  })
}

/** Erases a session from all that is not Gemini CLI's. */
export function useForget(key: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => fetchJson<ForgetAnswer>(apiPaths.forget(key), undefined, { method: 'POST', body: {} }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  })
}
