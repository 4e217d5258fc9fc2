import { type ReactNode, useEffect, useRef } from 'react'
import { classNames } from '../lib/class-names.ts'

/** What may be wider or taller than its place. A named stop of the Tab key, but only while there is something to scroll. */
export function ScrollRegion({
  label,
  className,
  children,
}: {
  label: string
  className?: string
  children: ReactNode
}) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = ref.current
    if (element === null) return
    const observer = new ResizeObserver(() => markScrollable(element, label))
    observer.observe(element)
    return () => observer.disconnect()
  }, [label])
  return (
    <div ref={ref} className={classNames('scroll-x', className)}>
      {children}
    </div>
  )
}

function markScrollable(element: HTMLElement, label: string) {
  const isScrollable =
    element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1
  if (isScrollable) {
    element.tabIndex = 0
    element.setAttribute('role', 'region')
    element.setAttribute('aria-label', label)
  } else {
    for (const name of ['tabindex', 'role', 'aria-label']) element.removeAttribute(name)
  }
}
