import type { ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'

type Props = { label: string; className?: string; children: ReactNode }

/** What may be wider than the page scrolls in here. While it does, it is a tab stop, so that arrow keys reach all of it. */
export function ScrollRegion({ label, className, children }: Props) {
  return (
    <section className={classNames('scroll-x', className)} aria-label={label} ref={watchOverflow}>
      {children}
    </section>
  )
}

function watchOverflow(region: HTMLElement | null) {
  if (!region) return undefined
  const observer = new ResizeObserver(() => {
    if (region.scrollWidth > region.clientWidth) region.tabIndex = 0
    else region.removeAttribute('tabindex')
  })
  observer.observe(region)
  if (region.firstElementChild) observer.observe(region.firstElementChild)
  return () => observer.disconnect()
}
