import './section-fold.css'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../../lib/browser/class-names.ts'
import { Icon } from '../signs/icon.tsx'
import { Disclosure } from './disclosure.tsx'

interface Props {
  icon: LucideIcon
  title: string
  /** What is in it, in a few words. */
  note: string
  className?: string
  bodyClassName?: string
  /** Built only while open. */
  children: () => ReactNode
}

/** A part of a page that is there when asked for. */
export function SectionFold({ icon, title, note, className, bodyClassName, children }: Props) {
  return (
    <section className={classNames('section-fold', className)} aria-label={title}>
      <Disclosure
        headClassName="section-fold-head"
        bodyClassName={bodyClassName}
        head={
          <>
            <Icon of={icon} small />
            <b>{title}</b>
            <span>{note}</span>
          </>
        }
      >
        {children}
      </Disclosure>
    </section>
  )
}
