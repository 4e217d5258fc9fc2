import { useSyncExternalStore } from 'react'

// Kept in this browser only.
const STORAGE_KEY = 'gemini-dash.recent-searches'
const MOST_KEPT = 8

const listeners = new Set<() => void>()

/** What was searched for last, newest first. */
export function useRecentSearches(): string[] {
  return read(useSyncExternalStore(subscribe, stored))
}

export function rememberSearch(query: string): void {
  const text = query.trim()
  if (text === '') return
  write([text, ...read(stored()).filter((other) => other !== text)].slice(0, MOST_KEPT))
}

export function forgetSearches(): void {
  write([])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Storage can be switched off by the browser. */
function stored(): string {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? '[]'
  } catch {
    return '[]'
  }
}

function write(queries: string[]): void {
  try {
    if (queries.length === 0) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, JSON.stringify(queries))
  } catch {
    return
  }
  for (const listener of listeners) listener()
}

function read(json: string): string[] {
  try {
    const list: unknown = JSON.parse(json)
    return Array.isArray(list) ? list.filter((query) => typeof query === 'string').slice(0, MOST_KEPT) : []
  } catch {
    return []
  }
}
