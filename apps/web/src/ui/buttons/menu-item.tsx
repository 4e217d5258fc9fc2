import type { LucideIcon } from 'lucide-react'
import type { MouseEvent } from 'react'
import { Icon } from '../signs/icon.tsx'

interface Props {
  icon: LucideIcon
  label: string
  onChoose: () => void
}

/** A line of a menu, which closes with it: the focus is back at the menu's button before anything opens that will return it. */
export function MenuItem({ icon, label, onChoose }: Props) {
  function choose(event: MouseEvent<HTMLElement>) {
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
    onChoose()
  }
  return (
    <button type="button" className="menu-item" onClick={choose}>
      <Icon of={icon} small />
      <span>{label}</span>
    </button>
  )
}
