import type { LiveEvent, SessionDetail } from '@gemini-dash/api'
import type { QueryClient } from '@tanstack/react-query'
import { askAgain } from './ask-again.ts'
import { removedSessions } from './removed-sessions.ts'

/** An event, and where its row came with it the hashes of the queries that need more than the row; else null. */
export interface ListNews {
  event: LiveEvent
  unsure: ReadonlySet<string> | null
}

/** Asks again for the lists and totals that a batch of events touches. Resolves when the answers are there. */
export async function refreshLists(client: QueryClient, news: ListNews[]): Promise<void> {
  const topics = new Set<unknown>(
    news.flatMap(({ event, unsure }) => (unsure === null ? TOPICS[event.kind] : TOPICS_OF_ROWS)),
  )
  const unsure = new Set(news.flatMap((each) => [...(each.unsure ?? [])]))
  const isIndexing = news.some(({ event }) => event.kind === 'index')
  await Promise.all([
    askAgain(client, {
      predicate: ({ queryHash, queryKey: [topic] }) => topics.has(topic) || unsure.has(queryHash),
    }),
    ...(isIndexing ? unreadSessions(client).map((detail) => refreshUnread(client, detail)) : []),
  ])
}

/** Opened by a link before their files were read: the rows had no figures yet, and no event names them. */
function unreadSessions(client: QueryClient): [sessionRef: unknown, detail: SessionDetail][] {
  return client
    .getQueriesData<SessionDetail>({ queryKey: ['session'] })
    .flatMap(([{ length, 1: sessionRef }, detail]) =>
      length === 2 && detail?.session.counts === null ? [[sessionRef, detail]] : [],
    )
}

/** What its messages say was read from its files and is true already: only what other sessions tell of it may be new beside its row. */
async function refreshUnread(
  client: QueryClient,
  [sessionRef, before]: [unknown, SessionDetail],
): Promise<void> {
  const queryKey = ['session', sessionRef]
  await client.invalidateQueries({ queryKey, exact: true })
  const now = client.getQueryData<SessionDetail>(queryKey)
  if (now !== undefined && isContentAlike(before, now)) return
  await client.invalidateQueries({ queryKey })
}

function isContentAlike(one: SessionDetail, other: SessionDetail): boolean {
  return (
    one.state === other.state &&
    one.session.key === other.session.key &&
    one.session.live === other.session.live &&
    one.session.subagentKeys.join() === other.session.subagentKeys.join()
  )
}

/** What no row tells. */
const TOPICS_OF_ROWS = ['files']

const TOPICS: Record<LiveEvent['kind'], string[]> = {
  changed: ['sessions', 'projects', 'usage', 'files'],
  removed: ['sessions', 'projects', 'usage', 'doctor', 'files'],
  index: ['health', 'sessions', 'projects', 'usage', 'doctor', 'search', 'files'],
  marked: ['sessions', 'search', 'marks'],
  projects: ['projects', 'sessions', 'session', 'search', 'usage', 'health', 'settings'],
  warnings: ['health', 'doctor'],
  keep: ['keep'],
}

/**
 * Asks again for the open sessions that a batch of events names. Resolves when the answers are there.
 * What was read of a session that is gone stays as it is: asking again could only lose it.
 */
export function refreshSessions(client: QueryClient, events: LiveEvent[]): Promise<void> {
  const isRemoved = new Map<string, boolean>()
  for (const { sessionKey, kind } of events) {
    if (sessionKey !== undefined) isRemoved.set(sessionKey, kind === 'removed')
  }
  const changedRefs = new Set<string>()
  for (const { sessionRef, sessionKey } of openSessions(client)) {
    const removal = isRemoved.get(sessionKey)
    if (removal === undefined) continue
    removedSessions.mark(sessionKey, removal)
    client.setQueryDefaults(['session', sessionRef], removal ? { staleTime: 'static' } : {})
    if (!removal) changedRefs.add(sessionRef)
  }
  return askAgain(client, {
    predicate: ({ queryKey: [topic, sessionRef] }) =>
      topic === 'session' && typeof sessionRef === 'string' && changedRefs.has(sessionRef),
  })
}

/** A page may have asked by sessionId or prefix; its answer tells which session that is. */
function openSessions(client: QueryClient): { sessionRef: string; sessionKey: string }[] {
  const refs = client
    .getQueryCache()
    .findAll({ queryKey: ['session'] })
    .flatMap(({ queryKey: [, sessionRef] }) => (typeof sessionRef === 'string' ? [sessionRef] : []))
  return [...new Set(refs)].map((sessionRef) => ({
    sessionRef,
    sessionKey: client.getQueryData<SessionDetail>(['session', sessionRef])?.session.key ?? sessionRef,
  }))
}
