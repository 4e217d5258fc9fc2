import '../../ui/frames/panel.css'
import './settings.css'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId } from 'react'
import { type Asked, isUnanswered } from '../../api/request/is-unanswered.ts'
import { settingsQuery } from '../../api/settings.ts'
import { useHeldFocus } from '../../lib/hooks/use-held-focus.ts'
import { FailedLine } from '../../ui/states/failed-line.tsx'

interface SectionProps {
  /** Its place in the address of the page. */
  place: string
  title: string
  lead?: ReactNode
  children: ReactNode
}

/** One matter of the settings: what it is about, then a row for each choice. */
export function SettingsSection({ place, title, lead, children }: SectionProps) {
  const headingId = useId()
  // a row that goes by its own button, as a price, hands the focus on
  const section = useHeldFocus<HTMLElement>()
  const isMeant = useLocation({ select: ({ hash }) => hash === place })
  // what comes later pushes the sections below about
  const isThere = useQuery(settingsQuery()).isSuccess
  useEffect(() => {
    if (!isMeant || !isThere) return
    section.current?.scrollIntoView({ block: 'start' })
    section.current?.focus({ preventScroll: true })
  }, [section, isMeant, isThere])
  return (
    <section
      ref={section}
      id={place}
      tabIndex={-1}
      className="panel settings-section"
      aria-labelledby={headingId}
    >
      <header className="panel-head">
        <h2 id={headingId}>{title}</h2>
      </header>
      {lead !== undefined && <p className="settings-lead">{lead}</p>}
      {children}
    </section>
  )
}

interface RowProps {
  name: ReactNode
  /** In a line: what it does, or what stands behind it. */
  why?: ReactNode
  children?: ReactNode
}

/** In the place of a row whose answer is missing. */
export function FailedRow({ name, asked }: { name: string; asked: Asked }) {
  if (!isUnanswered(asked)) return null
  return (
    <SettingRow name={name}>
      <FailedLine what="This could not be loaded." asked={asked} />
    </SettingRow>
  )
}

/** A choice: what it is at the left, the choice itself at the right. */
export function SettingRow({ name, why, children }: RowProps) {
  return (
    <div className="setting-row">
      <div className="setting-what">
        <p className="setting-name">{name}</p>
        {why !== undefined && <p className="setting-why">{why}</p>}
      </div>
      {children !== undefined && <div className="setting-value">{children}</div>}
    </div>
  )
}
