import type {
  CacheCleared,
  HealthReport,
  MarksTaken,
  SampleAddress,
  Settings,
  SettingsChange,
} from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { fetchJson } from './request/fetch-json.ts'

/** What the program keeps on this computer, and what of it can be chosen. */
export function settingsQuery() {
  return queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => fetchJson<Settings>(apiPaths.settings(), signal),
  })
}

/** What it answers is put where `settingsQuery` reads; all pages hear of it by an event. */
export function useSettingsChange() {
  const client = useQueryClient()
  return useMutation({
    // one after the other: what was chosen last holds
    scope: { id: 'settings' },
    mutationFn: (change: SettingsChange) =>
      fetchJson<Settings>(apiPaths.settings(), undefined, { method: 'PUT', body: change }),
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
    queryFn: ({ signal }) => fetchJson<HealthReport>(apiPaths.report(), signal),
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
