import { useCallback, useState } from 'react'

/** Measured width of the element that gets `ref`, in CSS px: known before what depends on it is painted, and kept up. */
export function useElementWidth(): {
  ref: (element: HTMLElement | null) => (() => void) | undefined
  width: number
} {
  const [width, setWidth] = useState(0)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    // the observer tells only after a frame was drawn without it, and what was drawn there would jump
    setWidth(contentWidth(element))
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}

function contentWidth(element: HTMLElement): number {
  const { paddingLeft, paddingRight, borderLeftWidth, borderRightWidth } = getComputedStyle(element)
  const around = [paddingLeft, paddingRight, borderLeftWidth, borderRightWidth]
  const taken = around.reduce((sum, side) => sum + Number.parseFloat(side), 0)
  return Math.max(element.getBoundingClientRect().width - taken, 0)
}
