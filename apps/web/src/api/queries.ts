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

/** Version, homes and how far the index is. */
export function healthQuery() {
  return queryOptions({
    queryKey: ['health'],
    queryFn: ({ signal }) => ask('health', {}, signal),
  })
}

/** The homes, where there are several; one needs no name. */
export function useHomes(): Health['homes'] {
  const homes = useQuery(healthQuery()).data?.homes ?? []
  return homes.length > 1 ? homes : []
}

/** Not for who is on a plan and wants no prices: they see no cost, not an unknown one. */
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

/** Of the doctor what stands beside a list. */
export function doctorNotesQuery() {
  return queryOptions({
    queryKey: ['doctor', 'notes'],
    queryFn: ({ signal }) => ask('doctor/notes', {}, signal),
  })
}

/** How the archive stands; events tell when to ask again. */
export function keepQuery() {
  return queryOptions({
    queryKey: ['keep'],
    queryFn: ({ signal }) => ask('keep', {}, signal),
  })
}

/** Turns keeping on or off, sets its limits, erases. What it answers is put where `keepQuery` reads. */
export function useKeepChange() {
  const client = useQueryClient()
  return useMutation({
    // one after the other: what was chosen last holds
    scope: { id: 'keep' },
    mutationFn: (change: KeepChange) =>
      fetchJson<KeepStatus>(questionPath('keep'), undefined, { method: 'PUT', body: change }),
    onSuccess: (status) => client.setQueryData(keepQuery().queryKey, status),
  })
}

/** Has everything looked at; done when that is. `isTurnedOn`: turns keeping on before. */
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

/** Erases a session from all that is not Gemini CLI's. One without files there is not asked for again. */
export function useForget({ key, subagentKeys, deletedSeen }: SessionSummary) {
  const client = useQueryClient()
  const lost = deletedSeen === null ? [] : [key, ...subagentKeys]
  return useMutation({
    mutationFn: () => fetchJson<ForgetAnswer>(apiPaths.forget(key), undefined, { method: 'POST', body: {} }),
    // events of it arrive before its answer
    onMutate: () => {
      for (const each of lost) forgottenSessions.add(each)
    },
    onError: () => {
      for (const each of lost) forgottenSessions.delete(each)
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  })
}

/** What the program keeps on this computer, and what of it can be chosen. */
export function settingsQuery() {
  return queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => ask('settings', {}, signal),
  })
}

/** What it answers is put where `settingsQuery` reads; all pages hear of it by an event. */
export function useSettingsChange() {
  const client = useQueryClient()
  return useMutation({
    // one after the other: what was chosen last holds
    scope: { id: 'settings' },
    mutationFn: (change: SettingsChange) =>
      fetchJson<Settings>(questionPath('settings'), undefined, { method: 'PUT', body: change }),
    onSuccess: (settings) => client.setQueryData(settingsQuery().queryKey, settings),
  })
}

/** `shown`: what was made of the homes that are shown is made anew; `all`: what was made of others goes, too. */
export function useCacheClear() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (of: 'shown' | 'all') =>
      fetchJson<CacheCleared>(apiPaths.cacheClear(), undefined, { method: 'POST', body: { of } }),
    onSuccess: () => client.invalidateQueries({ predicate: ({ queryKey: [topic] }) => TOUCHED.has(topic) }),
  })
}

const TOUCHED: ReadonlySet<unknown> = new Set(['settings', 'health', 'doctor'])

/** The server takes no larger one. */
const MOST_MARKS_BYTES = 16 * 1024 * 1024

/** A file of marks as it was exported. @throws where it cannot be read, is no JSON, or no such file */
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

/** How it stands, without paths and names. */
export function reportQuery() {
  return queryOptions({
    queryKey: ['doctor', 'report'],
    queryFn: ({ signal }) => ask('report', {}, signal),
    staleTime: 0,
  })
}

/** Has the sample sessions shown beside the reader's own, and goes there. */
export function useSample() {
  return useMutation({
    mutationFn: () => fetchJson<SampleAddress>(apiPaths.sample(), undefined, { method: 'POST', body: {} }),
    onSuccess: ({ url }) => window.location.assign(url),
  })
}
