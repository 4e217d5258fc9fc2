import type { SessionDetail, SessionList } from '@gemini-dash/api'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { SessionSummary } from 'gemini-sessions'

const RETRY_PAUSES_MS = [250, 500, 1_000, 2_000]

let isOutdated = false
const listeners = new Set<() => void>()

/**
 * Whether the server came back with another build of the page than this tab was loaded from: parts that were not loaded yet
 * may be gone. Read through `useSyncExternalStore`.
 */
export const pageBuild = {
  isOutdated: (): boolean => isOutdated,
  /** `script`: what the server's page begins with now; null where it has none. */
  serverHas(script: string | null) {
    const own = ownScript()
    const next = own !== null && script !== null && own !== script
    if (next === isOutdated) return
    isOutdated = next
    for (const notify of listeners) notify()
  },
  /**
   * Asks the server for its page, again where it does not answer: it may only just be starting. No answer, or one that is no
   * page, says nothing of its build.
   */
  async ask(): Promise<void> {
    let answer = await fetchPage()
    for (const pauseMs of RETRY_PAUSES_MS) {
      if (answer !== null) break
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      answer = await fetchPage()
    }
    if (!answer?.ok) return
    const script = /<script type="module"[^>]* src="(\/assets\/[^"]+)"/.exec(await answer.text())
    pageBuild.serverHas(script?.[1] ?? null)
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

async function fetchPage(): Promise<Response | null> {
  return fetch('/', { cache: 'no-store' }).catch(() => null)
}

/** null for a page that is not built: `pnpm dev`. */
function ownScript(): string | null {
  const script = document.querySelector('script[type="module"][src^="/assets/"]')
  return script?.getAttribute('src') ?? null
}

/** Keys of sessions that are or were erased from here, and of their sub-agents. To ask for them could only find nothing. */
export const forgottenSessions = new Set<string>()

type Pages = InfiniteData<SessionList>

/** Shows what the reader says of a session in all answers that hold its row, before it is kept; then an event has them asked again. */
export function putMarked(client: QueryClient, row: SessionSummary): void {
  const said = { mark: row.mark, title: row.title, titleSource: row.titleSource }
  const marked = (session: SessionSummary) => (session.key === row.key ? { ...session, ...said } : session)
  // What waits to be asked for again goes on waiting: setQueryData would take it for answered.
  for (const query of client.getQueryCache().findAll({ queryKey: ['sessions'] })) {
    const data = query.state.data as Pages | undefined
    // A row that nothing was said of stays the very same: it is not drawn again.
    if (!data?.pages?.some(({ sessions }) => sessions.some(({ key }) => key === row.key))) continue
    query.setState({
      data: { ...data, pages: data.pages.map((page) => ({ ...page, sessions: page.sessions.map(marked) })) },
    })
  }
  for (const query of client.getQueryCache().findAll({ queryKey: ['session'] })) {
    const detail = query.state.data as SessionDetail | undefined
    if (query.queryKey.length !== 2 || detail?.session?.key !== row.key) continue
    query.setState({ data: { ...detail, session: marked(detail.session) } })
  }
}

const keys = new Set<string>()
const removedListeners = new Set<() => void>()

/** Keys of the sessions whose files were deleted while a page showed them. Read through `useSyncExternalStore`. */
export const removedSessions = {
  has: (sessionKey: string): boolean => keys.has(sessionKey),
  mark(sessionKey: string, isRemoved: boolean) {
    if (keys.has(sessionKey) === isRemoved) return
    if (isRemoved) keys.add(sessionKey)
    else keys.delete(sessionKey)
    for (const notify of removedListeners) notify()
  },
  subscribe(listener: () => void) {
    removedListeners.add(listener)
    return () => {
      removedListeners.delete(listener)
    }
  },
}

/** Sessions that a hidden tab goes on reading, as its reader wants to be told when they end. By number of watchers. */
class WatchedSessions {
  readonly #watchers = new Map<string, number>()

  keys(): string[] {
    return [...this.#watchers.keys()]
  }

  /** Until the returned function is called. */
  watch(sessionKey: string): () => void {
    this.#watchers.set(sessionKey, (this.#watchers.get(sessionKey) ?? 0) + 1)
    return () => {
      const left = (this.#watchers.get(sessionKey) ?? 1) - 1
      if (left > 0) this.#watchers.set(sessionKey, left)
      else this.#watchers.delete(sessionKey)
    }
  }
}

export const watchedSessions = new WatchedSessions()
