import type { Virtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef } from 'react'
import type { Row } from '../rows/row.ts'
import type { WindowOffset } from './window-offset.ts'

/** A row that was drawn, and how far below the top of the list, px. */
interface Drawn {
  key: unknown
  top: number
}

/**
 * Rows of a page that was on its way take the place of the one that stood for it. The list itself keeps the place
 * of what is at the top of the window; where that is the one replaced, the rows that are read below it are kept.
 */
export function useHeldPlace(
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
