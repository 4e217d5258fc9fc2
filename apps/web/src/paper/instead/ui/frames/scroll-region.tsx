import type { ReactNode } from 'react'
import { classNames } from '../../../../lib/browser/class-names.ts'

interface Props {
  label: string
  className?: string
  children: ReactNode
}

/** Lines are broken on paper; only a table may be wider than its place, and is a stop of the Tab key then. */
export function ScrollRegion({ label, className, children }: Props) {
  const stop = className === undefined ? { tabIndex: 0, role: 'group', 'aria-label': label } : {}
  return (
    <div className={classNames('scroll-x', className)} {...stop}>
      {children}
    </div>
  )
}
