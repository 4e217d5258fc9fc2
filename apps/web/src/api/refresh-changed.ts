import type { LiveEvent, SessionDetail } from '@gemini-dash/api'
import type { Query, QueryClient } from '@tanstack/react-query'

/** Asks again for the lists and totals that a batch of events touches. Resolves when the answers are there. */
export function refreshLists(client: QueryClient, events: LiveEvent[]): Promise<void> {
  const topics = new Set<unknown>(events.flatMap((event) => TOPICS[event.kind]))
  return client.invalidateQueries({ predicate: (query) => topics.has(query.queryKey[0]) })
}

const TOPICS: Record<LiveEvent['kind'], string[]> = {
  changed: ['sessions', 'projects', 'usage'],
  removed: ['sessions', 'projects', 'usage', 'doctor'],
  index: ['health', 'sessions', 'projects', 'usage', 'doctor', 'search'],
  projects: ['projects', 'sessions', 'usage', 'health'],
}

/** Asks again for the open sessions that a batch of events names. Resolves when the answers are there. */
export function refreshSessions(client: QueryClient, events: LiveEvent[]): Promise<void> {
  const sessionKeys = new Set(events.flatMap((event) => event.sessionKey ?? []))
  return client.invalidateQueries({ predicate: (query) => isAboutSession(client, query, sessionKeys) })
}

/** A page may have asked by sessionId or prefix; its answer tells which session that is. */
function isAboutSession(client: QueryClient, query: Query, sessionKeys: Set<string>): boolean {
  const [topic, sessionRef] = query.queryKey
  if (topic !== 'session' || typeof sessionRef !== 'string') return false
  if (sessionKeys.has(sessionRef)) return true
  const detail = client.getQueryData<SessionDetail>(['session', sessionRef])
  return detail !== undefined && sessionKeys.has(detail.session.key)
}
