import type { SessionDetail, SessionList } from '@gemini-dash/api'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { SessionSummary } from 'gemini-sessions'

const RETRY_PAUSES_MS = [250, 500, 1_000, 2_000]

let isOutdated = false
const listeners = new Set<() => void>()

/**
 * Whether the server came back with another build than the one this tab runs: chunks not loaded yet may be gone. Read through
 * `useSyncExternalStore`.
 */
export const pageBuild = {
  isOutdated: (): boolean => isOutdated,
  /** `script`: the entry script of the server's current page; null if it has none. */
  serverHas(script: string | null) {
    const own = ownScript()
    const next = own !== null && script !== null && own !== script
    if (next === isOutdated) return
    isOutdated = next
    for (const notify of listeners) notify()
  },
  /**
   * Fetches the server's page, with retries: it may still be starting. No answer, or one that is not a page, says nothing about its build.
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

/** null for an unbuilt page (`pnpm dev`). */
function ownScript(): string | null {
  const script = document.querySelector('script[type="module"][src^="/assets/"]')
  return script?.getAttribute('src') ?? null
}

/** Keys of sessions that are being or were erased from here, and of their sub-agents. Requests for them would find nothing. */
export const forgottenSessions = new Set<string>()

type Pages = InfiniteData<SessionList>

/**
 * Applies stars, notes and tags of a session to all cached answers that contain its row, before they are saved; an event then refetches
 * them.
 */
export function putMarked(client: QueryClient, row: SessionSummary): void {
  const said = { mark: row.mark, title: row.title, titleSource: row.titleSource }
  const marked = (session: SessionSummary) => (session.key === row.key ? { ...session, ...said } : session)
  // Keeps invalidated queries invalid: setQueryData would mark them as fresh.
  for (const query of client.getQueryCache().findAll({ queryKey: ['sessions'] })) {
    const data = query.state.data as Pages | undefined
    // Unchanged rows keep their identity and are not redrawn.
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

/** Keys of sessions whose files were deleted while a page showed them. Read through `useSyncExternalStore`. */
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

/** Sessions that a hidden tab keeps fetching because its reader wants a notification when they end. By number of watchers. */
class WatchedSessions {
  readonly #watchers = new Map<string, number>()

  keys(): string[] {
    return [...this.#watchers.keys()]
  }

  /** Watches until the returned function is called. */
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
