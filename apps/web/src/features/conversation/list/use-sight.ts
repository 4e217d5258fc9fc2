import type { Virtualizer } from '@tanstack/react-virtual'
import { useMemo } from 'react'
import { type ReadingPlace, readingPlace } from '../jump/reading-place.ts'
import { offsetAt } from '../rows/offset-at.ts'
import type { Row } from '../rows/row.ts'
import { STICKY_PX } from './sticky.ts'
import { AT_END_PX } from './use-end-hold.ts'

interface Sight {
  place: ReadingPlace
  /** Of the last message in the window. */
  bottomOffset: number
  isAtEnd: boolean
}

/** What of the session is in the window. `aim`: the message that the reader went to last. */
export function useSight(
  virtualizer: Virtualizer<Window, HTMLDivElement>,
  rows: readonly Row[],
  aim: number | null,
): Sight {
  const viewTop = (virtualizer.scrollOffset ?? 0) + STICKY_PX
  const topOffset = offsetAt(rows, virtualizer.getVirtualItemForOffset(viewTop), viewTop)
  const viewBottom = (virtualizer.scrollOffset ?? 0) + (virtualizer.scrollRect?.height ?? 0)
  const bottomOffset = offsetAt(rows, virtualizer.getVirtualItemForOffset(viewBottom), viewBottom)
  const place = useMemo(() => readingPlace(topOffset, bottomOffset, aim), [topOffset, bottomOffset, aim])
  // by its own numbers: to ask the page would lay it out while it is drawn
  const end = virtualizer.options.scrollMargin + virtualizer.getTotalSize()
  return { place, bottomOffset, isAtEnd: viewBottom >= end - AT_END_PX }
}
