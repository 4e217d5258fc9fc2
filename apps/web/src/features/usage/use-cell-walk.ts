import { type FocusEvent, type KeyboardEvent, type MouseEvent, useState } from 'react'

const STEPS: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/**
 * Makes the marks of a chart one tab stop with navigation by arrow keys, Home and End. Each mark has its position in `data-cell="x,y"` and
 * its value in `aria-label`; the hovered or focused one is `shown`.
 */
export function useCellWalk(start: string) {
  const [current, setCurrent] = useState(start)
  const [shown, setShown] = useState<string | null>(null)

  function onKeyDown(event: KeyboardEvent<Element>) {
    const cell = cellOf(event.target)
    const [x, y] = (cell?.getAttribute('data-cell') ?? '').split(',').map(Number)
    if (!cell || x === undefined || y === undefined) return
    const target = STEPS[event.key]
      ? step(event.currentTarget, x, y, event.key)
      : edge(event.currentTarget, y, event.key)
    if (!target) return
    event.preventDefault()
    target.focus()
  }
  function onFocus(event: FocusEvent<Element>) {
    const cell = cellOf(event.target)
    if (!cell) return
    setCurrent(cell.getAttribute('data-cell') ?? start)
    setShown(cell.getAttribute('aria-label'))
  }
  /** A tap neither hovers nor, on a button in Safari, focuses. */
  const point = (event: MouseEvent<Element>) => {
    const cell = cellOf(event.target)
    if (cell) setShown(cell.getAttribute('aria-label'))
  }
  const forget = () => setShown(null)
  return {
    shown,
    handlers: {
      onKeyDown,
      onFocus,
      onMouseOver: point,
      onClick: point,
      onMouseLeave: forget,
      onBlur: forget,
    },
    /** Attributes of the mark at a position. */
    cell: (x: number, y: number) => {
      const place = `${x},${y}`
      return { 'data-cell': place, tabIndex: place === current ? 0 : -1 }
    },
  }
}

function cellOf(target: EventTarget): Element | null {
  return target instanceof Element ? target.closest('[data-cell]') : null
}

function step(chart: Element, x: number, y: number, key: string): HTMLElement | null {
  const [dx, dy] = STEPS[key] ?? [0, 0]
  return chart.querySelector(`[data-cell="${x + dx},${y + dy}"]`)
}

function edge(chart: Element, y: number, key: string): HTMLElement | null {
  if (key !== 'Home' && key !== 'End') return null
  const row = chart.querySelectorAll<HTMLElement>(`[data-cell$=",${y}"]`)
  return row[key === 'Home' ? 0 : row.length - 1] ?? null
}
