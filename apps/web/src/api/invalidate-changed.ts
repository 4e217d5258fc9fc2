import type { LiveEvent, SessionDetail } from '@gemini-dash/api'
import type { Query, QueryClient } from '@tanstack/react-query'

/** Asks again for what a batch of events named, through the calls that the page used first. */
export function invalidateChanged(client: QueryClient, events: LiveEvent[]) {
  const topics = new Set<unknown>(events.flatMap((event) => TOPICS[event.kind]))
  const sessionKeys = new Set(events.flatMap((event) => event.sessionKey ?? []))
  void client.invalidateQueries({
    predicate: (query) => topics.has(query.queryKey[0]) || isAboutSession(client, query, sessionKeys),
  })
}

const TOPICS: Record<LiveEvent['kind'], string[]> = {
  changed: ['sessions', 'projects', 'usage'],
  removed: ['sessions', 'projects', 'usage', 'doctor'],
  index: ['health', 'sessions', 'projects', 'usage', 'doctor', 'search'],
  projects: ['projects', 'sessions', 'usage', 'health'],
}

/** A page may have asked by sessionId or prefix; its answer tells which session that is. */
function isAboutSession(client: QueryClient, query: Query, sessionKeys: Set<string>): boolean {
  const [topic, sessionRef] = query.queryKey
  if (topic !== 'session' || typeof sessionRef !== 'string') return false
  if (sessionKeys.has(sessionRef)) return true
  const detail = client.getQueryData<SessionDetail>(['session', sessionRef])
  return detail !== undefined && sessionKeys.has(detail.session.key)
}
