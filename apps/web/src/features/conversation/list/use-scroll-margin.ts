import { type RefObject, useLayoutEffect, useState } from 'react'
import type { WindowOffset } from './window-offset.ts'

/** Distance of the list from the top of the document; what stands above may still grow. */
export function useScrollMargin(list: RefObject<HTMLElement | null>, windowOffset: WindowOffset): number {
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
