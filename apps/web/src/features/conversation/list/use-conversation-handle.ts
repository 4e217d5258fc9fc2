import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useImperativeHandle } from 'react'
import type { ConversationHandle } from '../open/conversation-handle.ts'
import type { OpenStore } from '../open/open-store.ts'
import { firstOffsetOf } from '../rows/offset-at.ts'
import type { Row } from '../rows/row.ts'
import { unloadedHeight } from './estimate-row-height.ts'
import { STICKY_PX } from './sticky.ts'

interface Parts {
  virtualizer: Virtualizer<Window, HTMLDivElement>
  latestRows: RefObject<readonly Row[]>
  step: ConversationHandle['step']
  store: OpenStore
}

/** Gives the page around the conversation what it can have it do. */
export function useConversationHandle(handle: RefObject<ConversationHandle | null>, parts: Parts): void {
  const { virtualizer, latestRows, step, store } = parts
  useImperativeHandle(handle, () => ({
    scrollTo: (offset) => {
      const index = Math.max(
        latestRows.current.findLastIndex((row) => firstOffsetOf(row) <= offset),
        0,
      )
      const row = latestRows.current[index]
      const top = virtualizer.getOffsetForIndex(index, 'start')?.[0] ?? 0
      const within =
        row?.kind === 'unloaded' ? (unloadedHeight(row) * Math.max(offset - row.offset, 0)) / row.count : 0
      window.scrollTo({ top: top + within - STICKY_PX, behavior: 'instant' })
    },
    step,
    openThoughts: (messageKeys, isOpen) =>
      store.set(
        messageKeys.map((key) => `${key}/thoughts`),
        isOpen,
      ),
  }))
}
