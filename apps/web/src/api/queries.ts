import type {
  CacheCleared,
  ForgetAnswer,
  Health,
  KeepChange,
  KeepStatus,
  MarksTaken,
  SampleAddress,
  Settings,
  SettingsChange,
} from '@gemini-dash/api'
import { apiPaths, questionPath } from '@gemini-dash/api/paths'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SessionSummary } from 'gemini-sessions'
import { ask, fetchJson } from './request.ts'
import { forgottenSessions } from './tab-state.ts'

/** Version, Gemini folders and progress of the index. */
export function healthQuery() {
  return queryOptions({
    queryKey: ['health'],
    queryFn: ({ signal }) => ask('health', {}, signal),
  })
}

/** The Gemini folders if there are several; a single one needs no label. */
export function useHomes(): Health['homes'] {
  const homes = useQuery(healthQuery()).data?.homes ?? []
  return homes.length > 1 ? homes : []
}

/** False for readers on a plan who want no prices: they see no cost at all rather than an unknown one. */
export function useHasPrices(): boolean {
  return useQuery(healthQuery()).data?.prices.plan !== 'nothing'
}

/** What could not be read, and what the CLI is about to delete. */
export function doctorQuery() {
  return queryOptions({
    queryKey: ['doctor'],
    queryFn: ({ signal }) => ask('doctor', {}, signal),
  })
}

/** The subset of the doctor's findings that is shown beside a list. */
export function doctorNotesQuery() {
  return queryOptions({
    queryKey: ['doctor', 'notes'],
    queryFn: ({ signal }) => ask('doctor/notes', {}, signal),
  })
}

/** State of the archive; events trigger refetches. */
export function keepQuery() {
  return queryOptions({
    queryKey: ['keep'],
    queryFn: ({ signal }) => ask('keep', {}, signal),
  })
}

/** Turns archiving on or off, sets its limits, or erases. The answer goes into the cache of `keepQuery`. */
export function useKeepChange() {
  const client = useQueryClient()
  return useMutation({
    // sequential: the last choice wins
    scope: { id: 'keep' },
    mutationFn: (change: KeepChange) =>
      fetchJson<KeepStatus>(questionPath('keep'), undefined, { method: 'PUT', body: change }),
    onSuccess: (status) => client.setQueryData(keepQuery().queryKey, status),
  })
}

/** Archives everything now and resolves when done. `isTurnedOn`: turns archiving on first. */
export function useKeepNow({ isTurnedOn = false } = {}) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      if (isTurnedOn)
        await fetchJson<KeepStatus>(questionPath('keep'), undefined, {
          method: 'PUT',
          body: { enabled: true },
        })
      return fetchJson<KeepStatus>(apiPaths.keepNow(), undefined, { method: 'POST', body: {} })
    },
    onSuccess: (status) => client.setQueryData(keepQuery().queryKey, status),
  })
}

/** Erases a session everywhere but in Gemini CLI's own files. If it has no files left there, it is not fetched again. */
export function useForget({ key, subagentKeys, deletedSeen }: SessionSummary) {
  const client = useQueryClient()
  const lost = deletedSeen === null ? [] : [key, ...subagentKeys]
  return useMutation({
    mutationFn: () => fetchJson<ForgetAnswer>(apiPaths.forget(key), undefined, { method: 'POST', body: {} }),
    // its events arrive before the answer
    onMutate: () => {
      for (const each of lost) forgottenSessions.add(each)
    },
    onError: () => {
      for (const each of lost) forgottenSessions.delete(each)
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  })
}

/** What the program stores on this computer, and the settings for it. */
export function settingsQuery() {
  return queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => ask('settings', {}, signal),
  })
}

/** The answer goes into the cache of `settingsQuery`; an event notifies all pages. */
export function useSettingsChange() {
  const client = useQueryClient()
  return useMutation({
    // sequential: the last choice wins
    scope: { id: 'settings' },
    mutationFn: (change: SettingsChange) =>
      fetchJson<Settings>(questionPath('settings'), undefined, { method: 'PUT', body: change }),
    onSuccess: (settings) => client.setQueryData(settingsQuery().queryKey, settings),
  })
}

/** `shown`: rebuilds the cache of the Gemini folders on display; `all`: also deletes those of others. */
export function useCacheClear() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (of: 'shown' | 'all') =>
      fetchJson<CacheCleared>(apiPaths.cacheClear(), undefined, { method: 'POST', body: { of } }),
    onSuccess: () => client.invalidateQueries({ predicate: ({ queryKey: [topic] }) => TOUCHED.has(topic) }),
  })
}

const TOUCHED: ReadonlySet<unknown> = new Set(['settings', 'health', 'doctor'])

/** The server's limit. */
const MOST_MARKS_BYTES = 16 * 1024 * 1024

/** Imports an exported file of stars, notes and tags. @throws if it cannot be read or is not such a file */
export function useMarksImport() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (file: File) => {
      if (file.size > MOST_MARKS_BYTES)
        throw new Error('This file is larger than 16 MB. Take it in by the command gemini-dash marks import.')
      const body = parse(await file.text())
      return fetchJson<MarksTaken>(apiPaths.marksFile(), undefined, { method: 'PUT', body })
    },
    onSuccess: () =>
      client.invalidateQueries({
        predicate: ({ queryKey: [topic] }) => topic === 'views' || topic === 'marks',
      }),
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('This file is no JSON. Choose one that was exported here or by gemini-dash marks export.')
  }
}

/** State of the program, without paths and names. */
export function reportQuery() {
  return queryOptions({
    queryKey: ['doctor', 'report'],
    queryFn: ({ signal }) => ask('report', {}, signal),
    staleTime: 0,
  })
}

/** Shows the sample sessions beside the reader's own, and navigates there. */
export function useSample() {
  return useMutation({
    mutationFn: () => fetchJson<SampleAddress>(apiPaths.sample(), undefined, { method: 'POST', body: {} }),
    onSuccess: ({ url }) => window.location.assign(url),
  })
}
