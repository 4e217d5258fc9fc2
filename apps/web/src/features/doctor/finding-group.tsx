import './doctor.css'
import '../../ui/frames/panel.css'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useRef } from 'react'

type Props = {
  /** Its place in the address of the page, where links lead to it. */
  place?: 'not-read' | 'new' | 'retention' | 'keep' | 'disk' | 'journal'
  title: string
  /** How many, in words. */
  tally?: string
  lead?: ReactNode
  /** At the right of the head. */
  action?: ReactNode
  children: ReactNode
}

/** One matter of the health page: what it is about, then what was found. */
export function FindingGroup({ place, title, tally, lead, action, children }: Props) {
  const headingId = useId()
  const section = useRef<HTMLElement>(null)
  const isMeant = useLocation({ select: ({ hash }) => place !== undefined && hash === place })
  // the report comes after the page, and what it says pushes its groups about
  useEffect(() => {
    if (!isMeant) return
    section.current?.scrollIntoView({ block: 'start' })
    section.current?.focus({ preventScroll: true })
  }, [isMeant])
  return (
    <section ref={section} id={place} tabIndex={-1} className="panel" aria-labelledby={headingId}>
      <header className="panel-head">
        <h2 id={headingId}>{title}</h2>
        {tally !== undefined && <p>{tally}</p>}
        {action !== undefined && <div className="push">{action}</div>}
      </header>
      {lead !== undefined && <p className="px-4 pb-2 text-ink-2">{lead}</p>}
      {children}
    </section>
  )
}
