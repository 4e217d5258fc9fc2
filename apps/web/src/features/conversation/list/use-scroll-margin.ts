import { type RefObject, useLayoutEffect, useState } from 'react'

/** Distance of the list from the top of the document; what stands above may still grow. */
export function useScrollMargin(list: RefObject<HTMLElement | null>): number {
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      const element = list.current
      if (element !== null) setMargin(Math.round(element.getBoundingClientRect().top + window.scrollY))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  return margin
}
