import type { MessageFilter, MessagePage } from '@gemini-dash/api'
import {
  type QueryObserverLoadingErrorResult,
  type QueryObserverRefetchErrorResult,
  type UseQueryResult,
  useQueries,
} from '@tanstack/react-query'
import type { Message } from 'gemini-sessions'
import { useCallback, useMemo, useState } from 'react'
import { messagesQuery } from '../../api/session.ts'

/** Messages per request. */
export const PAGE_SIZE = 100

export function pageOf(offset: number): number {
  return Math.floor(offset / PAGE_SIZE)
}

/** Pages that failed to load. */
export interface PageFailure {
  pages: readonly number[]
  error: Error
  retry: () => void
}

export interface MessagePages {
  /** Loaded messages by page. */
  pages: ReadonlyMap<number, readonly Message[]>
  /** Under a filter: positions of each page's messages in the whole session; otherwise null. */
  positions: ReadonlyMap<number, readonly number[]> | null
  /** Number of messages in the session, or of those that match the filter. */
  total: number
  /** File states from which the visible pages were read. */
  states: readonly string[]
  failure: PageFailure | null
  /** Sets the visible pages; only those are refetched when the session changes. */
  want: (pages: readonly number[]) => void
}

/** Pages kept for instant scrolling back; beyond that the farthest are dropped. */
const MAX_KEPT = 40
const FIRST_PAGES = [0]

/** The loaded message pages of a session. */
export function useMessagePages(
  sessionRef: string,
  show: MessageFilter | undefined,
  messageTotal: number,
  beginning: readonly Message[] | undefined,
): MessagePages {
  const [wanted, setWanted] = useState<readonly number[]>(FIRST_PAGES)
  const [kept, setKept] = useState<readonly number[]>(FIRST_PAGES)

  const combine = useCallback(
    (results: UseQueryResult<MessagePage>[]) =>
      new Loaded(
        results.map((result, index) => ({ page: kept[index] ?? 0, data: result.data })),
        results.flatMap((result, index) => (result.isError ? { page: kept[index] ?? 0, result } : [])),
      ),
    [kept],
  )
  const { pages: loaded, failed } = useQueries({
    queries: kept.map((page) => ({
      ...messagesQuery(sessionRef, { offset: page * PAGE_SIZE, limit: PAGE_SIZE, show }),
      enabled: wanted.includes(page) && beginning === undefined,
    })),
    combine,
  })

  const pages = useMemo(
    () => (beginning === undefined ? byPage(loaded, ({ messages }) => messages) : new Map([[0, beginning]])),
    [loaded, beginning],
  )
  const positions = useMemo(
    () => (show === undefined ? null : byPage(loaded, (page) => page.positions ?? [])),
    [loaded, show],
  )
  const shownTotal = Math.max(0, ...loaded.map(({ data }) => data?.total ?? 0))
  const want = useCallback((next: readonly number[]) => {
    setWanted((current) => (sameNumbers(current, next) ? current : next))
    setKept((current) => keepNearest(current, next))
  }, [])
  const states = useMemo(
    () => loaded.flatMap(({ page, data }) => (data !== undefined && wanted.includes(page) ? data.state : [])),
    [loaded, wanted],
  )
  const failure = useMemo(() => {
    const [first] = failed
    if (first === undefined) return null
    const retry = () => {
      for (const { result } of failed) void result.refetch()
    }
    return { pages: failed.map(({ page }) => page), error: first.result.error, retry }
  }, [failed])
  const total = show === undefined ? messageTotal : shownTotal
  return { pages, positions, total, states, failure, want }
}

interface LoadedPage {
  page: number
  data: MessagePage | undefined
}

interface FailedPage {
  page: number
  result: QueryObserverRefetchErrorResult<MessagePage> | QueryObserverLoadingErrorResult<MessagePage>
}

/** A class, because plain objects would be deeply compared whenever a page arrives. */
class Loaded {
  readonly pages: readonly LoadedPage[]
  readonly failed: readonly FailedPage[]

  constructor(pages: readonly LoadedPage[], failed: readonly FailedPage[]) {
    this.pages = pages
    this.failed = failed
  }
}

function byPage<Value>(
  loaded: readonly LoadedPage[],
  pick: (page: MessagePage) => Value,
): Map<number, Value> {
  return new Map(
    loaded.flatMap(({ page, data }) => (data === undefined ? [] : [[page, pick(data)] as const])),
  )
}

function keepNearest(current: readonly number[], wanted: readonly number[]): readonly number[] {
  if (wanted.every((page) => current.includes(page))) return current
  const centre = wanted[0] ?? 0
  const others = current
    .filter((page) => !wanted.includes(page))
    .sort((one, other) => Math.abs(one - centre) - Math.abs(other - centre))
  // wanted pages first: the target of a jump may be the farthest from the current position
  return [...wanted, ...others.slice(0, Math.max(MAX_KEPT - wanted.length, 0))].sort(
    (one, other) => one - other,
  )
}

function sameNumbers(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index])
}
