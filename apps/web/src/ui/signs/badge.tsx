import './badge.css'
import type { LucideIcon } from 'lucide-react'
import { Icon } from './icon.tsx'

type Props = {
  /** leaving: a warning that asks for nothing yet. */
  tone?: 'plain' | 'warning' | 'error' | 'leaving'
  icon?: LucideIcon
  title?: string
  children: string
}

/** A state in a word. */
export function Badge({ tone = 'plain', icon, title, children }: Props) {
  return (
    <span className={tone === 'plain' ? 'badge' : `badge ${tone}`} title={title}>
      {icon && <Icon of={icon} small />}
      <span className="overflow-hidden text-ellipsis">{children}</span>
    </span>
  )
}
