import { type RefObject, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Distance of the list from the top of the document; what stands above may still grow. */
export function useScrollMargin(list: RefObject<HTMLElement | null>): number {
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      const element = list.current
      if (element !== null) setMargin(Math.round(element.getBoundingClientRect().top + window.scrollY))
    }
    measure()
    // At once, never together with new rows: the browser has kept the place when something above the list grew,
    // and a list that learns of both in one step keeps it a second time.
    const observer = new ResizeObserver(() => flushSync(measure))
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  return margin
}
