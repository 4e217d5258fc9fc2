import { type Range, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useOverscan } from '../../../lib/hooks/use-overscan.ts'
import type { Row } from '../rows/row.ts'
import { estimateRowHeight } from './estimate-row-height.ts'
import { AT_END_PX } from './use-end-hold.ts'
import type { WindowOffset } from './window-offset.ts'

const OVERSCAN = 8
/** Each row takes its time, which a leap cannot wait for. */
const LEAP_OVERSCAN = 1

interface RowListOptions {
  list: RefObject<HTMLDivElement | null>
  rows: readonly Row[]
  /** Some messages are here. */
  isLoaded: boolean
  /** The reader has just opened or closed something. */
  isToggling: boolean
  /** New messages at the end are followed. */
  isEndHeld: boolean
  /** The rows in sight are about to be drawn for the first time. */
  isLeaping: boolean
  windowOffset: WindowOffset
}

/** Which rows are drawn, and where: those in sight and near it, and those that hold the focus or a selection. */
export function useRowList(options: RowListOptions): Virtualizer<Window, HTMLDivElement> {
  const { list, rows, isLoaded, isToggling, isEndHeld, isLeaping, windowOffset } = options
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
    overscan: isLeaping ? LEAP_OVERSCAN : overscan,
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

/** Distance of the list from the top of the document; what stands above may still grow. */
function useScrollMargin(list: RefObject<HTMLElement | null>, windowOffset: WindowOffset): number {
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      if (list.current === null) return
      const measured = Math.round(list.current.getBoundingClientRect().top + window.scrollY)
      windowOffset.moveList(measured)
      setMargin(measured)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list, windowOffset])
  return margin
}

/** Keys of the rows that hold the focus or the selection: they stay drawn, however far away the reader scrolls. */
function usePinnedRows(container: RefObject<HTMLElement | null>): readonly string[] {
  const [pinned, setPinned] = useState<readonly string[]>([])
  useEffect(() => {
    function update() {
      const element = container.current
      if (element === null) return
      const selection = document.getSelection()
      const isSelecting = selection !== null && !selection.isCollapsed
      const nodes = [
        document.activeElement,
        ...(isSelecting ? [selection.anchorNode, selection.focusNode] : []),
      ]
      const keys = nodes.flatMap((node) => rowKeyOf(node, element) ?? [])
      setPinned((current) => (current.join('\n') === keys.join('\n') ? current : keys))
    }
    document.addEventListener('selectionchange', update)
    document.addEventListener('focusin', update)
    document.addEventListener('focusout', update)
    return () => {
      document.removeEventListener('selectionchange', update)
      document.removeEventListener('focusin', update)
      document.removeEventListener('focusout', update)
    }
  }, [container])
  return pinned
}

function rowKeyOf(node: Node | null, container: HTMLElement): string | null {
  const element = node instanceof Element ? node : node?.parentElement
  if (!element || !container.contains(element)) return null
  return element.closest<HTMLElement>('[data-row-key]')?.dataset.rowKey ?? null
}

/** A row that was drawn, and how far below the top of the list, px. */
interface Drawn {
  key: unknown
  top: number
}

/**
 * Rows of a page that was on its way take the place of the one that stood for it. The list itself keeps the place
 * of what is at the top of the window; where that is the one replaced, the rows that are read below it are kept.
 */
function useHeldPlace(
  list: Virtualizer<Window, HTMLDivElement>,
  rows: readonly Row[],
  windowOffset: WindowOffset,
): void {
  // how far into the list the window was before these rows: the list may move it when they are drawn
  const into = windowOffset.seen - list.options.scrollMargin
  const before = useRef<{ rows: readonly Row[]; drawn: readonly Drawn[] }>({ rows, drawn: [] })
  useLayoutEffect(() => {
    const { rows: rowsBefore, drawn } = before.current
    const { scrollMargin } = list.options
    const items = list.getVirtualItems()
    before.current = { rows, drawn: items.map(({ key, start }) => ({ key, top: start - scrollMargin })) }
    if (rowsBefore === rows) return
    const placeOf = (row: Drawn) => rows.findIndex(({ key }) => key === row.key)
    const first = drawn.findLast(({ top }) => top <= into)
    if (first === undefined || placeOf(first) !== -1) return
    const isRead = ({ top }: Drawn) => top > into && top < into + window.innerHeight
    const held = drawn.find((row) => isRead(row) && placeOf(row) !== -1)
    if (held === undefined) return
    const { start } = list.measurementsCache[placeOf(held)] ?? { start: scrollMargin + held.top }
    windowOffset.moveWindow(start - (held.top - into) - window.scrollY)
  })
}
