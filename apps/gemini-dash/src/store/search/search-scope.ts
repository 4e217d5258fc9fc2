import type { SearchResult } from '@gemini-dash/api'
import type { Project, SessionSummary } from 'gemini-sessions'
import type { CatalogSession } from '../catalog/catalog.ts'
import type { KeyResolution } from '../catalog/resolve-key.ts'

/** What the store knows when a question is asked. */
export interface SearchScope {
  sessions: ReadonlyMap<string, CatalogSession>
  projects: Project[]
  isLive: (session: CatalogSession) => boolean
  /** Of the session and of its messages. */
  notesOf: (session: CatalogSession) => string[]
  resolve: (keyOrId: string) => KeyResolution
  coverage: SearchResult['coverage']
  isReady: boolean
}

/** Keys of the sessions of which something holds. */
export function sessionKeysWhere(
  { sessions }: Pick<SearchScope, 'sessions'>,
  holds: (summary: SessionSummary, session: CatalogSession) => boolean,
): string[] {
  return [...sessions.values()]
    .filter((session) => holds(session.summary, session))
    .map(({ summary }) => summary.key)
}
