import type { SessionDetail } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import { useMemo, useSyncExternalStore } from 'react'
import { PAGE_SIZE } from '../list/page-size.ts'
import type { OpenStore } from '../open-store.ts'
import { buildRows } from './build-rows.ts'
import { foldId } from './fold-id.ts'
import type { Row } from './row.ts'

/** The lines of the list, from the pages that are loaded and the folds that are open. */
export function useRows(
  detail: SessionDetail,
  pages: ReadonlyMap<number, readonly Message[]>,
  store: OpenStore,
): readonly Row[] {
  const storeVersion = useSyncExternalStore(store.subscribe, store.version)
  return useMemo(() => {
    // the store answers differently after each of its changes
    void storeVersion
    const { messageTotal, outline: turns, segments, compressions, drawnKeys } = detail
    return buildRows({
      total: messageTotal,
      pageSize: PAGE_SIZE,
      pages,
      turns,
      segments,
      compressions,
      drawnKeys,
      isFoldOpen: (messages) => isFoldOpen(messages, store),
    })
  }, [detail, pages, store, storeVersion])
}

function isFoldOpen(messages: readonly Message[], store: OpenStore): boolean {
  const choice = messages.map(({ key }) => store.choice(foldId(key))).find((made) => made !== undefined)
  // nobody took back what was compacted: the CLI only forgot it, so it is read like the rest
  return choice ?? messages[0]?.superseded === 'compacted'
}
