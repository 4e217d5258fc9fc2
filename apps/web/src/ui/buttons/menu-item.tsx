import './button.css'
import { Link } from '@tanstack/react-router'
import { Check, Copy, type LucideIcon, X } from 'lucide-react'
import { type MouseEvent, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Copied, type Copying, copyAndSay } from '../../lib/copy.ts'
import { currentTime, formatZone, ownTimeZone, timeZone, zoneChoice } from '../../lib/dates.ts'
import { keyCaps } from '../../lib/use-actions.ts'
import { Icon } from '../icons.tsx'

interface Props {
  icon: LucideIcon
  label: string
  /** The equivalent shortcut. */
  keys?: string | undefined
  /** For pages: renders a link, which can be opened in a new tab. */
  href?: string | undefined
  onChoose?: () => void
}

/** A menu item. The menu closes first, so that the focus is back on its button before a dialog opens and later restores it. */
export function MenuItem({ icon, label, keys, href, onChoose }: Props) {
  function choose(event: MouseEvent<HTMLElement>) {
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
    if (href === undefined) onChoose?.()
  }
  const face = (
    <>
      <Icon of={icon} small />
      <span>{label}</span>
      {keys !== undefined && (
        <span className="menu-keys" aria-hidden="true">
          {keyCaps(keys).join(' ')}
        </span>
      )}
    </>
  )
  if (href !== undefined)
    return (
      <Link to={href} className="menu-item" onClick={choose}>
        {face}
      </Link>
    )
  return (
    <button type="button" className="menu-item" onClick={choose}>
      {face}
    </button>
  )
}

/** A menu item for one of several choices. */
export function MenuChoice(props: { label: string; isChosen: boolean; onChoose: () => void }) {
  const { label, isChosen, onChoose } = props
  return (
    <button
      type="button"
      className="menu-item"
      aria-pressed={isChosen}
      onClick={(event) => {
        event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
        onChoose()
      }}
    >
      <span className="menu-check">{isChosen && <Icon of={Check} small />}</span>
      <span>{label}</span>
    </button>
  )
}

const CONFIRM_MS = 2_000
/** Notes and errors take longer to read. */
const NOTE_MS = 6_000
const COPYING = 'Copying'

/** A menu item that copies the result of `text` and shows the outcome in its label. */
export function CopyItem({ label, text }: { label: string; text: () => string | Promise<string | Copied> }) {
  const [state, setState] = useState<Copying | typeof COPYING | null>(null)
  useEffect(() => {
    if (state === null || state === COPYING) return
    const timer = window.setTimeout(() => setState(null), state.said.includes(':') ? NOTE_MS : CONFIRM_MS)
    return () => window.clearTimeout(timer)
  }, [state])

  async function copy() {
    setState(COPYING)
    setState(await copyAndSay(text()))
  }
  const outcome = state === COPYING ? null : state
  return (
    <button type="button" className="menu-item" onClick={copy}>
      <Icon of={outcome === null ? Copy : outcome.isCopied ? Check : X} small />
      <span aria-live="polite">{state === COPYING ? COPYING : (outcome?.said ?? label)}</span>
    </button>
  )
}

const ID = 'zone-button'

/** Shows the zone of the times beside it, and toggles all times of the page between it and UTC. Once per page. */
export function ZoneButton({ time }: { time?: string }) {
  const name = formatZone(time === undefined ? currentTime() : new Date(time))
  const isUtc = zoneChoice.get() === 'utc'
  if (ownTimeZone() === 'UTC') return name
  const label = `Times in ${name}${isUtc ? '' : `, ${timeZone()}`}. Show them in ${isUtc ? ownTimeZone() : 'UTC'}`
  return (
    <button
      type="button"
      id={ID}
      className="dotted-button"
      title={label}
      aria-label={label}
      onClick={() => {
        // redraws the whole page including this button
        flushSync(() => zoneChoice.set(isUtc ? 'own' : 'utc'))
        document.getElementById(ID)?.focus()
      }}
    >
      {name}
    </button>
  )
}
