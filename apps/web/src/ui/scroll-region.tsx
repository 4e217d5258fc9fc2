import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { classNames } from '../lib/browser.ts'
import { usePaper } from '../lib/paper.ts'

type Props = { label: string; className?: string; children: ReactNode }

/** A scroll container that is a named tab stop while its content overflows, so that arrow keys reach all of it. */
export function ScrollRegion({ label, className, children }: Props) {
  const region = useRef<HTMLDivElement>(null)
  const isOnPaper = usePaper() !== null
  // new content may overflow before the observer's next frame
  useLayoutEffect(() => markSoon(region.current))
  useLayoutEffect(() => watchOverflow(region.current), [])
  // lines wrap on paper: only tables may overflow
  const stop = className === undefined ? { tabIndex: 0, role: 'group', 'aria-label': label } : {}
  return (
    <div
      className={classNames('scroll-x', className)}
      ref={region}
      {...(isOnPaper ? stop : { 'data-label': label })}
    >
      {children}
    </div>
  )
}

function watchOverflow(region: HTMLElement | null) {
  if (!region) return undefined
  const observer = new ResizeObserver(() => markSoon(region))
  observer.observe(region)
  if (region.firstElementChild) observer.observe(region.firstElementChild)
  return () => observer.disconnect()
}

const unmarked = new Set<HTMLElement>()

/** Batched before the next frame: measuring after each change would force a layout each time. */
function markSoon(region: HTMLElement | null) {
  if (!region) return
  if (unmarked.size === 0) queueMicrotask(markAll)
  unmarked.add(region)
}

function markAll() {
  const measured = [...unmarked].map((region) => ({ region, isScrollable: isScrollable(region) }))
  unmarked.clear()
  for (const { region, isScrollable } of measured) mark(region, isScrollable)
}

function isScrollable(region: HTMLElement): boolean {
  return region.scrollWidth > region.clientWidth + 1 || region.scrollHeight > region.clientHeight + 1
}

/** A group, not a landmark: a long conversation has hundreds. */
function mark(region: HTMLElement, isScrollable: boolean) {
  if (isScrollable === region.hasAttribute('tabindex')) return
  if (isScrollable) {
    region.tabIndex = 0
    region.setAttribute('role', 'group')
    region.setAttribute('aria-label', region.dataset.label ?? '')
  } else {
    for (const name of ['tabindex', 'role', 'aria-label']) region.removeAttribute(name)
  }
}
