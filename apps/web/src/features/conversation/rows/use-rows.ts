import type { SessionDetail, SessionMap } from '@gemini-dash/api'
import { useMemo, useSyncExternalStore } from 'react'
import { PAGE_SIZE } from '../feed/page-size.ts'
import type { MessagePages } from '../feed/use-message-pages.ts'
import type { OpenStore } from '../open/open-store.ts'
import { buildRows } from './build-rows.ts'
import { foldId } from './fold-id.ts'
import type { FoldCause, Row } from './row.ts'

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
