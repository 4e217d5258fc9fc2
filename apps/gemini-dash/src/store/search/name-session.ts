import type { SearchResult } from '@gemini-dash/api'
import type { SearchScope } from './search-scope.ts'

/** Shorter, it is more likely a word than the beginning of an id. */
const ID = /^[\w~-]{8,64}$/

/** The session whose id (or at least eight characters of it) or key the whole query is. */
export function nameSession(q: string, { sessions, resolve }: SearchScope): SearchResult['named'] {
  const text = q.trim()
  const resolution = ID.test(text) ? resolve(text) : null
  if (resolution?.kind !== 'one') return null
  const summary = sessions.get(resolution.key)?.summary
  return summary === undefined ? null : { key: summary.key, title: summary.title }
}
