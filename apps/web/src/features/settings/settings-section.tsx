import '../../ui/ui.css'
import './settings.css'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { type Asked, isUnanswered } from '../../api/request.ts'
import { formatCount } from '../../lib/figures.ts'
import { useHeldFocus } from '../../lib/list-hooks.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { FailedLine, Notice } from '../../ui/states.tsx'

interface SectionProps {
  title: string
  /** Anchor for links. */
  place?: SettingPlace
  /** The page's heading already says it. */
  isTitleHidden?: boolean
  children: ReactNode
}

/** Anchors of `/settings/…#place`. */
type SettingPlace =
  | 'not-read'
  | 'retention'
  | 'projects'
  | 'disk'
  | 'keep'
  | 'cache'
  | 'marks'
  | 'journal'
  | 'new'
  | 'report'

/** A section of the settings: a row for each choice or finding. */
export function SettingsSection({ title, place, isTitleHidden = false, children }: SectionProps) {
  const headingId = useId()
  // passes the focus on when a row is removed by its own button, such as a price
  const section = useHeldFocus<HTMLElement>()
  useMeant(section, place)
  return (
    <section ref={section} id={place} tabIndex={-1} className="settings-section" aria-labelledby={headingId}>
      <h2 id={headingId} className={isTitleHidden ? 'visually-hidden' : undefined}>
        {title}
      </h2>
      <div className="panel">{children}</div>
    </section>
  )
}

/** Whether the address points here; if so, scrolls to it and focuses it. */
export function useMeant(element: RefObject<HTMLElement | null>, place: SettingPlace | undefined): boolean {
  const isMeant = useLocation({ select: ({ hash }) => place !== undefined && hash === place })
  useEffect(() => {
    if (!isMeant) return
    element.current?.scrollIntoView({ block: 'start' })
    element.current?.focus({ preventScroll: true })
  }, [element, isMeant])
  return isMeant
}

interface RowProps {
  name: ReactNode
  /** One line: what it does or what was found. */
  why?: ReactNode
  children?: ReactNode
}

/** A choice or a finding: description on the left, controls on the right. */
export function SettingRow({ name, why, children }: RowProps) {
  return (
    <div className="setting-row">
      <div className="setting-what">
        <p className="setting-name">{name}</p>
        {why !== undefined && <p className="setting-why meta">{why}</p>}
      </div>
      {children !== undefined && <div className="setting-value">{children}</div>}
    </div>
  )
}

/** Replaces a row whose data could not be loaded. */
export function FailedRow({ name, asked }: { name: string; asked: Asked }) {
  if (!isUnanswered(asked)) return null
  return (
    <SettingRow name={name}>
      <FailedLine what="This could not be loaded." asked={asked} />
    </SettingRow>
  )
}

/** Error message below a row. */
export function RowError({ error }: { error: Error | null }) {
  if (error === null) return null
  return (
    <div className="setting-note">
      <Notice tone="error">{error.message}</Notice>
    </div>
  )
}

/** More than these are collapsed. */
const FIRST = 20
/** Longer lists are truncated; `gemini-dash doctor --json` has all of them. */
const MOST = 500

type Props<T> = { items: readonly T[]; keyOf: (item: T) => string; children: (item: T) => ReactNode }

/** A list of findings: the first twenty, the rest on request. */
export function FindingList<T>({ items, keyOf, children }: Props<T>) {
  const rows = (part: readonly T[]) => (
    <ul>
      {part.map((item) => (
        <li key={keyOf(item)} className="finding">
          {children(item)}
        </li>
      ))}
    </ul>
  )
  return (
    <>
      {rows(items.slice(0, FIRST))}
      {items.length > FIRST && (
        <Disclosure head={`${formatCount(items.length - FIRST)} more`} headClassName="more-findings">
          {() => (
            <>
              {rows(items.slice(FIRST, MOST))}
              {items.length > MOST && (
                <p className="finding">
                  {formatCount(items.length - MOST)} more are in the answer of gemini-dash doctor --json.
                </p>
              )}
            </>
          )}
        </Disclosure>
      )}
    </>
  )
}

/** Link to a session by title. */
export function SessionLink({ sessionKey, title }: { sessionKey: string; title: string }) {
  return (
    <Link to="/s/$key" params={{ key: sessionKey }} className="link" dir="auto">
      {title}
    </Link>
  )
}

interface FindingRowProps {
  name: ReactNode
  why?: ReactNode
  /** Amount of what was found. */
  value?: ReactNode
  place?: SettingPlace
  /** Button label while the details are collapsed. */
  action?: string
  /** The details; null if there are none. */
  children: (() => ReactNode) | null
}

/** A finding in one line with expandable details; a link to it expands them. */
export function FindingRow({ name, why, value, place, action = 'Details', children }: FindingRowProps) {
  const group = useRef<HTMLDivElement>(null)
  const nameId = useId()
  const isMeant = useMeant(group, place)
  const [wasMeant, setWasMeant] = useState(isMeant)
  const [isOpen, setIsOpen] = useState(isMeant)
  if (isMeant !== wasMeant) {
    setWasMeant(isMeant)
    setIsOpen(isOpen || isMeant)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div ref={group} id={place} tabIndex={-1} className="finding-row" role="group" aria-labelledby={nameId}>
      <SettingRow name={<span id={nameId}>{name}</span>} why={why}>
        {value !== undefined && <span className="tabular">{value}</span>}
        {children !== null && (
          <Button aria-expanded={isOpen} aria-describedby={nameId} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? 'Hide' : action}
          </Button>
        )}
      </SettingRow>
      {isOpen && children?.()}
    </div>
  )
}
