import type { LiveEvent, SearchQuery, SessionDetail } from '@gemini-dash/api'
import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query'
import { changePosition, connection } from './connection.ts'
import { listen, type PageMessage } from './events.ts'
import { forgottenSessions, pageBuild, removedSessions, watchedSessions } from './tab-state.ts'

/** Minimum time between two refetches, however many events arrive. */
const ROUND_MS = 250

/**
 * Follows the server's events and survives a server restart. A hidden tab receives none unless its reader wants a notification when a
 * session ends; when visible again it refetches once.
 */
export function followLiveEvents(client: QueryClient): void {
  // Separate, so that a slow list never delays an open conversation.
  const sessionBatch = createBatcher<LiveEvent>(ROUND_MS, (events) => refreshSessions(client, events))
  const listBatch = createBatcher<LiveEvent>(ROUND_MS, (events) => refreshLists(client, events))
  let isBack = false

  function hear(message: PageMessage) {
    if (message.kind === 'loss') connection.set(message.loss, message.heardMs)
    else if (message.kind === 'event') hearEvent(message.at, message.event)
    else if (message.kind === 'answers') {
      connection.found()
      catchUp()
    } else {
      const before = connection.get()
      pageBuild.serverHas(message.page)
      connection.found()
      if (document.hidden) return catchUp()
      const isUpToDate = changePosition.opened(message.at)
      // Some requests were refused or will never be answered, even though nothing has changed.
      if (before === 'silent') void giveUpWaiting().then(catchUp)
      else if (before === 'forbidden' || !isUpToDate) catchUp()
      else askFailedAgain()
      isBack = false
    }
  }

  function hearEvent(at: number, event: LiveEvent) {
    if (document.hidden) {
      if (watchedSessions.keys().includes(event.sessionKey ?? '')) sessionBatch.add(event)
    } else if (changePosition.heard(at)) {
      if (event.sessionKey !== undefined) sessionBatch.add(event)
      listBatch.add(event)
    }
  }

  /** Changes announced while disconnected are unknown, so everything on screen is refetched. */
  function catchUp() {
    if (!document.hidden) void askAgain(client)
    else for (const sessionKey of watchedSessions.keys()) sessionBatch.add({ kind: 'changed', sessionKey })
  }

  /** Cancels requests on a dead connection that have no earlier data to show. */
  function giveUpWaiting(): Promise<void> {
    return client.cancelQueries({
      fetchStatus: 'fetching',
      predicate: ({ state }) => state.data === undefined,
    })
  }

  /**
   * The server may have been down before the first event. On return this also refetches stale data that no event covers, such as date
   * ranges.
   */
  function askFailedAgain() {
    const isMeant = isBack
    void client.invalidateQueries(
      { predicate: (query) => query.state.status === 'error' || (isMeant && query.isStale()) },
      { cancelRefetch: false },
    )
  }

  changePosition.whenMissed(catchUp)
  document.addEventListener('visibilitychange', () => {
    isBack = !document.hidden
  })
  const events = listen(hear, () => watchedSessions.keys().length > 0)
  // A request was refused, which an open stream does not notice.
  connection.subscribe(() => {
    if (connection.get() === 'forbidden') events.refused()
  })
}

/**
 * Refetches everything on screen except deleted sessions. A first request in flight may return old data; it is left running and repeated
 * afterwards.
 */
async function askAgain(client: QueryClient, filters: QueryFilters = {}): Promise<void> {
  const meant: QueryFilters = {
    ...filters,
    predicate: (query) => !isOfGoneSession(client, query) && (filters.predicate?.(query) ?? true),
  }
  const underway = new Set(
    client
      .getQueryCache()
      .findAll({ ...meant, fetchStatus: 'fetching' })
      .flatMap(({ state, queryHash }) => (state.data === undefined ? queryHash : [])),
  )
  await client.invalidateQueries(meant)
  if (underway.size > 0)
    await client.invalidateQueries({
      predicate: (query) => underway.has(query.queryHash) && !isOfGoneSession(client, query),
    })
}

function isOfGoneSession(client: QueryClient, { queryKey: [topic, sessionRef] }: Query): boolean {
  if ((topic !== 'session' && topic !== 'marks') || typeof sessionRef !== 'string') return false
  const key = sessionKeyOf(client, sessionRef)
  return forgottenSessions.has(key) || (topic === 'session' && removedSessions.has(key))
}

/** The page may use a sessionId or prefix; the answer has the key. */
function sessionKeyOf(client: QueryClient, sessionRef: string): string {
  return client.getQueryData<SessionDetail>(['session', sessionRef])?.session.key ?? sessionRef
}

/**
 * Batches items: hands them over `delayMs` after the first one, and never while an earlier batch is still running. A burst of events costs
 * one refresh, and slow refreshes are not restarted.
 */
export function createBatcher<Item>(delayMs: number, handOver: (items: Item[]) => Promise<unknown>) {
  let items: Item[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWorking = false

  function schedule() {
    if (timer !== undefined || isWorking || items.length === 0) return
    timer = setTimeout(async () => {
      timer = undefined
      isWorking = true
      try {
        await handOver(items.splice(0))
      } finally {
        isWorking = false
        schedule()
      }
    }, delayMs)
  }
  return {
    add(item: Item) {
      items.push(item)
      schedule()
    },
    stop() {
      clearTimeout(timer)
      items = []
    },
  }
}

/** Refetches the lists and totals affected by a batch of events. Resolves when they are loaded. */
export async function refreshLists(client: QueryClient, events: LiveEvent[]): Promise<void> {
  const topicsOf = (some: LiveEvent[]) => new Set<unknown>(some.flatMap(({ kind }) => TOPICS[kind]))
  const ofSessions = events.filter(({ sessionKey }) => sessionKey !== undefined)
  const topicsOfSessions = topicsOf(ofSessions)
  const otherTopics = topicsOf(events.filter(({ sessionKey }) => sessionKey === undefined))
  const isIndexing = events.some(({ kind }) => kind === 'index')
  await Promise.all([
    askAgain(client, {
      predicate: (query) => {
        const [topic] = query.queryKey
        return otherTopics.has(topic) || (topicsOfSessions.has(topic) && isQuick(query))
      },
    }),
    ...(isIndexing ? unreadSessions(client).map((detail) => refreshUnread(client, detail)) : []),
  ])
}

/** A search over all files takes seconds and is not repeated for one session. */
function isQuick({ queryKey: [topic, asked] }: Query): boolean {
  if (topic !== 'search' || typeof asked !== 'object') return true
  const { mode } = asked as Partial<SearchQuery>
  return mode !== 'substring' && mode !== 'regex'
}

/** Sessions opened by a link before they were scanned: their rows had no figures yet, and no event names them. */
function unreadSessions(client: QueryClient): [sessionRef: unknown, detail: SessionDetail][] {
  return client
    .getQueriesData<SessionDetail>({ queryKey: ['session'] })
    .flatMap(([{ length, 1: sessionRef }, detail]) =>
      length === 2 && detail?.session.counts === null ? [[sessionRef, detail]] : [],
    )
}

/** The messages were read from the files and are current; beside the row, only what other sessions say about it can be new. */
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

const TOPICS: Record<LiveEvent['kind'], string[]> = {
  changed: ['sessions', 'projects', 'usage', 'search'],
  removed: ['sessions', 'projects', 'usage', 'doctor', 'search'],
  index: ['health', 'sessions', 'projects', 'usage', 'doctor', 'search'],
  marked: ['sessions', 'search'],
  projects: ['projects', 'sessions', 'session', 'search', 'usage', 'health', 'settings'],
  warnings: ['health', 'doctor'],
  keep: ['keep'],
}

/**
 * Refetches the open sessions named by a batch of events. Resolves when they are loaded. A deleted session keeps its data: a refetch could
 * only lose it.
 */
export function refreshSessions(client: QueryClient, events: LiveEvent[]): Promise<void> {
  const last = new Map<string, LiveEvent['kind']>()
  const marked = new Set<string>()
  for (const { sessionKey, kind } of events) {
    if (sessionKey === undefined) continue
    if (kind === 'marked') marked.add(sessionKey)
    else last.set(sessionKey, kind)
  }
  const changedRefs = new Set<unknown>()
  const markedRefs = new Set<unknown>(marked)
  for (const { sessionRef, sessionKey } of openSessions(client)) {
    if (marked.has(sessionKey)) markedRefs.add(sessionRef)
    const kind = last.get(sessionKey)
    if (kind === undefined) continue
    removedSessions.mark(sessionKey, kind === 'removed')
    client.setQueryDefaults(['session', sessionRef], kind === 'removed' ? { staleTime: 'static' } : {})
    if (kind !== 'removed') changedRefs.add(sessionRef)
  }
  return askAgain(client, {
    predicate: ({ queryKey: [topic, sessionRef, question] }) => {
      if (topic === 'session' && changedRefs.has(sessionRef)) return true
      // Stars, notes and tags are part of the row, not of any message.
      if (topic === 'session') return question === undefined && markedRefs.has(sessionRef)
      return topic === 'marks' && marked.size > 0 && (sessionRef === undefined || markedRefs.has(sessionRef))
    },
  })
}

function openSessions(client: QueryClient): { sessionRef: string; sessionKey: string }[] {
  const refs = client
    .getQueryCache()
    .findAll({ queryKey: ['session'] })
    .flatMap(({ queryKey: [, sessionRef] }) => (typeof sessionRef === 'string' ? [sessionRef] : []))
  return [...new Set(refs)].map((sessionRef) => ({
    sessionRef,
    sessionKey: sessionKeyOf(client, sessionRef),
  }))
}
