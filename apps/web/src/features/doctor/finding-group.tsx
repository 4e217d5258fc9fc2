import './doctor.css'
import '../../ui/frames/panel.css'
import { type ReactNode, useId } from 'react'

type Props = {
  title: string
  /** How many, in words. */
  tally?: string
  lead?: ReactNode
  /** At the right of the head. */
  action?: ReactNode
  children: ReactNode
}

/** One matter of the health page: what it is about, then what was found. */
export function FindingGroup({ title, tally, lead, action, children }: Props) {
  const headingId = useId()
  return (
    <section className="panel" aria-labelledby={headingId}>
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
