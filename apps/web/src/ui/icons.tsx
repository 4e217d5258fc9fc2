import './ui.css'
import type { LucideIcon } from 'lucide-react'
import { classNames } from '../lib/browser.ts'
import { usePaper } from '../lib/paper.ts'

/** A Lucide icon at 16 px (14 px when `small`). Decoration: the text beside it or the button's label says the same. */
export function Icon({
  of: Drawing,
  small,
  className,
}: {
  of: LucideIcon
  small?: boolean
  className?: string
}) {
  const paper = usePaper()
  const classes = classNames('icon', small && 'small', className)
  if (paper === null) return <Drawing className={classes} aria-hidden="true" />
  return (
    <svg className={classes} aria-hidden="true">
      <use href={`#${paper.iconId(Drawing)}`} />
    </svg>
  )
}

type Props = {
  /** caution: a warning that needs no action yet. */
  tone?: 'plain' | 'warning' | 'error' | 'caution'
  icon?: LucideIcon
  title?: string
  children: string
}

/** A state as a word. */
export function Badge({ tone = 'plain', icon, title, children }: Props) {
  return (
    <span className={tone === 'plain' ? 'badge' : `badge ${tone}`} title={title}>
      {icon && <Icon of={icon} small />}
      <span className="overflow-hidden text-ellipsis">{children}</span>
    </span>
  )
}

/** The pulsing dot of something live, with its label. */
export function LiveWord({ children = 'Live' }: { children?: string }) {
  return <span className="live-word">{children}</span>
}
