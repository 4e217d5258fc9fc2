import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react'
import type { WindowOffset } from './list/window-offset.ts'
import type { Row } from './rows/row.ts'

interface Approach {
  /** As they were drawn last. */
  latestRows: RefObject<readonly Row[]>
  /** Scrolls until a row is expected to lie so far below the window's top. */
  approachRow: (key: string, below: number) => void
}

/** How a row that may not be drawn yet is brought near. */
export function useApproach(
  virtualizer: Virtualizer<Window, HTMLDivElement>,
  rows: readonly Row[],
  windowOffset: WindowOffset,
): Approach {
  const latestRows = useRef(rows)
  useLayoutEffect(() => {
    latestRows.current = rows
  }, [rows])
  const approachRow = useCallback(
    (key: string, below: number) => {
      const index = latestRows.current.findIndex((row) => row.key === key)
      const top = virtualizer.getOffsetForIndex(Math.max(index, 0), 'start')?.[0] ?? 0
      windowOffset.moveWindow(top - below - window.scrollY)
    },
    [virtualizer, windowOffset],
  )
  return { latestRows, approachRow }
}
