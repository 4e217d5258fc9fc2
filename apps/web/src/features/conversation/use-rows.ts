import type { SessionDetail, SessionMap } from '@gemini-dash/api'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { buildRows } from './build-rows.ts'
import { type MessagePages, PAGE_SIZE } from './feed.ts'
import type { OpenStore } from './open-store.ts'
import type { Fold, FoldCause, Row } from './row.ts'

/** The rows of the list, from the loaded pages and the open folds. */
export function useRows(
  detail: SessionDetail,
  { pages, positions, total }: Pick<MessagePages, 'pages' | 'positions' | 'total'>,
  map: SessionMap | undefined,
  store: OpenStore,
  seenUntil: string | null,
): readonly Row[] {
  const storeVersion = useSyncExternalStore(store.subscribe, store.version)
  return useMemo(() => {
    // the store's answers depend on its version
    void storeVersion
    const { outline: turns, segments, compressions, drawnKeys, resumedKeys, branches } = detail
    const lines = positions === null ? map?.lines : undefined
    return buildRows({
      total,
      pageSize: PAGE_SIZE,
      pages,
      positions,
      linesOf: (at, count) => (lines === undefined ? null : sum(lines.slice(at, at + count))),
      turns,
      segments,
      compressions,
      drawnKeys,
      resumedKeys,
      branches,
      isLive: detail.session.live,
      seenUntilMs: seenUntil === null ? null : Date.parse(seenUntil),
      isFoldOpen: (keys, cause) => isFoldOpen(keys, cause, store),
    })
  }, [detail, pages, positions, total, map, store, storeVersion, seenUntil])
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function isFoldOpen(keys: readonly string[], cause: FoldCause, store: OpenStore): boolean {
  for (const key of keys) {
    const choice = store.choice(foldId(key))
    if (choice !== undefined) return choice
  }
  // compacted messages were not undone by anyone, only dropped by the CLI: drawn like the rest
  return cause === 'compacted'
}

/** Every message of a fold has its state, so that it stays open when more of it loads. */
export function foldId(messageKey: string): string {
  return `${messageKey}/fold`
}

/** Keys of the messages with the state of a fold: its first one, and all loaded ones. */
export function foldKeys({ branch, messages }: Fold): string[] {
  const loaded = messages.map(({ message }) => message.key)
  return branch === null ? loaded : [branch.firstKey, ...loaded]
}

/** An answer that is missing by then will not come. */
const HOLD_MS = 2_000

/**
 * Rows combine the session with its messages, which arrive separately. Until both reflect the same state, the previous rows stay: a mix
 * would close or unfocus what the reader is using.
 */
export function useSettledRows(rows: readonly Row[], isSettled: boolean): readonly Row[] {
  const [held, setHeld] = useState(rows)
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    setIsLate(false)
    if (isSettled) return
    const timer = window.setTimeout(() => setIsLate(true), HOLD_MS)
    return () => window.clearTimeout(timer)
  }, [isSettled])
  const isShown = isSettled || isLate
  if (isShown && held !== rows) setHeld(rows)
  return isShown ? rows : held
}
