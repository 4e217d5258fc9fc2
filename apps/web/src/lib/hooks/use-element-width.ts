import { useCallback, useState } from 'react'

/** Measured width of the element that gets `ref`, in CSS px; 0 until it is known. */
export function useElementWidth(): {
  ref: (element: HTMLElement | null) => (() => void) | undefined
  width: number
} {
  const [width, setWidth] = useState(0)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}
