import './figures.css'
import type { ReactNode } from 'react'
import { classNames } from '../../lib/browser/class-names.ts'

type Props = {
  label: string
  /** A qualifier after the figure: `71 % cached`. */
  note?: ReactNode
  title?: string
  className?: string
  children: ReactNode
}

/** One total in a `<dl className="figures">`. */
export function Figure({ label, note, title, className, children }: Props) {
  return (
    <div className={classNames('figure', className)}>
      <dt>{label}</dt>
      <dd title={title}>
        {children}
        {note && <small>{note}</small>}
      </dd>
    </div>
  )
}
