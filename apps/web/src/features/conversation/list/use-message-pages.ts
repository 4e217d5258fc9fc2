import type { MessagePage } from '@gemini-dash/api'
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import type { Message } from 'gemini-sessions'
import { useCallback, useMemo, useState } from 'react'
import { messagesQuery } from '../../../api/messages.ts'
import { PAGE_SIZE } from './page-size.ts'

export interface MessagePages {
  /** Loaded messages by page. */
  pages: ReadonlyMap<number, readonly Message[]>
  error: Error | null
  retry: () => void
  /** Says which pages are in sight; only those are asked again when the session changes. */
  want: (pages: readonly number[]) => void
}

/** Kept in sight of nobody, so that scrolling back is instant; beyond it the farthest are let go. */
const MAX_KEPT = 40

/** The pages of a session that the reader came by. */
export function useMessagePages(sessionRef: string, firstPages: readonly number[]): MessagePages {
  const [wanted, setWanted] = useState<readonly number[]>(firstPages)
  const [kept, setKept] = useState<readonly number[]>(firstPages)

  const combine = useCallback(
    (results: UseQueryResult<MessagePage>[]) => ({
      loaded: results.map((result, index) => ({ page: kept[index] ?? 0, messages: result.data?.messages })),
      error: results.find((result) => result.isError)?.error ?? null,
    }),
    [kept],
  )
  const { loaded, error } = useQueries({
    queries: kept.map((page) => ({
      ...messagesQuery(sessionRef, { offset: page * PAGE_SIZE, limit: PAGE_SIZE }),
      enabled: wanted.includes(page),
    })),
    combine,
  })

  const pages = useMemo(
    () =>
      new Map(
        loaded.flatMap(({ page, messages }) => (messages === undefined ? [] : [[page, messages] as const])),
      ),
    [loaded],
  )
  const want = useCallback((next: readonly number[]) => {
    setWanted((current) => (sameNumbers(current, next) ? current : next))
    setKept((current) => keepNearest(current, next))
  }, [])
  const retry = useCallback(() => setWanted((current) => [...current]), [])
  return { pages, error, retry, want }
}

function keepNearest(current: readonly number[], wanted: readonly number[]): readonly number[] {
  if (wanted.every((page) => current.includes(page))) return current
  const centre = wanted[0] ?? 0
  return [...new Set([...wanted, ...current])]
    .sort((one, other) => Math.abs(one - centre) - Math.abs(other - centre))
    .slice(0, MAX_KEPT)
    .sort((one, other) => one - other)
}

function sameNumbers(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index])
}
