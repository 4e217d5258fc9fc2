import { Link } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { MouseEvent } from 'react'
import { keyCaps } from '../../lib/actions/use-actions.ts'
import { Icon } from '../signs/icon.tsx'

interface Props {
  icon: LucideIcon
  label: string
  /** The key that does the same. */
  keys?: string | undefined
  /** Of a page: a link, which a new tab can be opened by. */
  href?: string | undefined
  onChoose?: () => void
}

/** A line of a menu, which closes with it: the focus is back at the menu's button before anything opens that will return it. */
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
