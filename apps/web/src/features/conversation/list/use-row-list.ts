import { type Range, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useMemo } from 'react'
import { useOverscan } from '../../../lib/hooks/use-overscan.ts'
import type { Row } from '../rows/row.ts'
import { estimateRowHeight } from './estimate-row-height.ts'
import { AT_END_PX } from './use-end-hold.ts'
import { useHeldPlace } from './use-held-place.ts'
import { usePinnedRows } from './use-pinned-rows.ts'
import { useScrollMargin } from './use-scroll-margin.ts'
import type { WindowOffset } from './window-offset.ts'

const OVERSCAN = 8

interface RowListOptions {
  list: RefObject<HTMLDivElement | null>
  rows: readonly Row[]
  /** Some messages are here. */
  isLoaded: boolean
  /** The reader has just opened or closed something. */
  isToggling: boolean
  /** New messages at the end are followed. */
  isEndHeld: boolean
  windowOffset: WindowOffset
}

/** Which rows are drawn, and where: those in sight and near it, and those that hold the focus or a selection. */
export function useRowList(options: RowListOptions): Virtualizer<Window, HTMLDivElement> {
  const { list, rows, isLoaded, isToggling, isEndHeld, windowOffset } = options
  const scrollMargin = useScrollMargin(list, windowOffset)
  const overscan = useOverscan(isLoaded, OVERSCAN)
  const pinnedKeys = usePinnedRows(list)
  const pinned = useMemo(() => {
    const keys = new Set(pinnedKeys)
    return rows.flatMap((row, index) => (keys.has(row.key) ? [index] : []))
  }, [rows, pinnedKeys])
  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    count: rows.length,
    estimateSize: (index) => estimateRowHeight(rows[index]),
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan,
    scrollMargin,
    // so that rows are drawn together with the list, and not only once it has measured the window
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    observeElementOffset: windowOffset.observe,
    scrollToFn: windowOffset.scroll,
    anchorTo: isToggling ? 'start' : 'end',
    followOnAppend: isLoaded && !isToggling && isEndHeld && rows.length > 1,
    // nothing is this near to the end: where it is not held, not even a last row that gets its real height is followed
    scrollEndThreshold: isEndHeld ? AT_END_PX : -1,
    rangeExtractor: (range) => drawnIndexes(range, pinned),
  })
  useHeldPlace(virtualizer, rows, windowOffset)
  return virtualizer
}

function drawnIndexes({ startIndex, endIndex, overscan, count }: Range, pinned: readonly number[]): number[] {
  const first = Math.max(startIndex - overscan, 0)
  const last = Math.min(endIndex + overscan, count - 1)
  const indexes = new Set(Array.from({ length: Math.max(last - first + 1, 0) }, (_, step) => first + step))
  for (const index of pinned) if (index < count) indexes.add(index)
  return [...indexes].sort((one, other) => one - other)
}
