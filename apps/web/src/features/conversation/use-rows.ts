import type { SessionDetail, SessionMap } from '@gemini-dash/api'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { buildRows } from './build-rows.ts'
import { type MessagePages, PAGE_SIZE } from './feed.ts'
import type { OpenStore } from './open-store.ts'
import type { Fold, FoldCause, Row } from './row.ts'

/** The lines of the list, from the pages that are loaded and the folds that are open. */
export function useRows(
  detail: SessionDetail,
  { pages, positions, total }: Pick<MessagePages, 'pages' | 'positions' | 'total'>,
  map: SessionMap | undefined,
  store: OpenStore,
  seenUntil: string | null,
): readonly Row[] {
  const storeVersion = useSyncExternalStore(store.subscribe, store.version)
  return useMemo(() => {
    // the store answers differently after each of its changes
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
  // nobody took back what was compacted: the CLI only forgot it, so it is read like the rest
  return cause === 'compacted'
}

/** Every message of a fold carries its state, so that it stays open when more of it is loaded. */
export function foldId(messageKey: string): string {
  return `${messageKey}/fold`
}

/** Keys of the messages that carry whether a fold is open: its first, and all that are loaded. */
export function foldKeys({ branch, messages }: Fold): string[] {
  const loaded = messages.map(({ message }) => message.key)
  return branch === null ? loaded : [branch.firstKey, ...loaded]
}

/** An answer that is still missing then will not come. */
const HOLD_MS = 2_000

/**
 * Rows are made of what the session says of its messages and of the messages, which come one after the other. Until both
 * tell of the same state, the rows of the state before stay: others would take away what the reader has opened or focused.
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
