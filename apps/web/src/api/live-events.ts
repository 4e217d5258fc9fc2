import type { LiveEvent, SearchQuery, SessionDetail } from '@gemini-dash/api'
import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query'
import { listen, type Told } from './events.ts'
import { changePosition, connection } from './request.ts'
import { forgottenSessions, pageBuild, removedSessions, watchedSessions } from './tab-state.ts'

/** What is shown is asked for again no more often than this, however many events name it. */
const ROUND_MS = 250

/**
 * Follows the server's events. Survives a restart of the server. A hidden tab hears nothing, but where its reader wants to be
 * told of a session's end; on return it asks once for what it may have missed.
 */
export function followLiveEvents(client: QueryClient): void {
  // Apart, so that a slow list never holds up an open conversation.
  const sessionBatch = createBatcher<LiveEvent>(ROUND_MS, (events) => refreshSessions(client, events))
  const listBatch = createBatcher<LiveEvent>(ROUND_MS, (events) => refreshLists(client, events))
  let isBack = false

  function hear(told: Told) {
    if (told.kind === 'loss') connection.set(told.loss, told.heardMs)
    else if (told.kind === 'event') hearEvent(told.at, told.event)
    else if (told.kind === 'answers') {
      connection.found()
      catchUp()
    } else {
      const before = connection.get()
      pageBuild.serverHas(told.page)
      connection.found()
      if (document.hidden) return catchUp()
      const isUpToDate = changePosition.opened(told.at)
      // Some of it was refused, or waits for an answer that will not come, though nothing has changed since.
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

  /** What was announced while nobody listened is not known, so everything that is shown is asked again. */
  function catchUp() {
    if (!document.hidden) void askAgain(client)
    else for (const sessionKey of watchedSessions.keys()) sessionBatch.add({ kind: 'changed', sessionKey })
  }

  /** What was asked over a connection that leads nowhere, and has nothing to show meanwhile. */
  function giveUpWaiting(): Promise<void> {
    return client.cancelQueries({
      fetchStatus: 'fetching',
      predicate: ({ state }) => state.data === undefined,
    })
  }

  /** The server may have been away before anything was heard of it at all. On return also what no event tells of: days go by. */
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
  // A call was refused, which an open stream knows nothing of.
  connection.subscribe(() => {
    if (connection.get() === 'forbidden') events.refused()
  })
}

/**
 * Asks again for what is shown, but for sessions that are gone. What is asked for the first time just now may be answered
 * as it was before, and is left running: that is asked for once more when it is here.
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

/** A page may have asked by sessionId or prefix; its answer tells which session that is. */
function sessionKeyOf(client: QueryClient, sessionRef: string): string {
  return client.getQueryData<SessionDetail>(['session', sessionRef])?.session.key ?? sessionRef
}

/**
 * Collects items and hands them over together: `delayMs` after the first one, and never while an earlier hand-over
 * is still at work. A burst of events thus costs one refresh, and slow refreshes are not started over and over.
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

/** Asks again for the lists and totals that a batch of events touches. Resolves when the answers are there. */
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

/** A search that reads all files takes seconds: it is not run again for one session. */
function isQuick({ queryKey: [topic, asked] }: Query): boolean {
  if (topic !== 'search' || typeof asked !== 'object') return true
  const { mode } = asked as Partial<SearchQuery>
  return mode !== 'substring' && mode !== 'regex'
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
 * Asks again for the open sessions that a batch of events names. Resolves when the answers are there.
 * What was read of a session that is gone stays as it is: asking again could only lose it.
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
      // What a person said stands in the row, and in no message.
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
