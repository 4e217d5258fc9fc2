import './icon.css'
import type { LucideIcon } from 'lucide-react'
import { classNames } from '../../lib/browser/class-names.ts'

/** A Lucide icon at 16 px (14 px when `small`). Decoration: the word beside it, or the button's label, says the same. */
export function Icon({
  of: Drawing,
  small,
  className,
}: {
  of: LucideIcon
  small?: boolean
  className?: string
}) {
  return <Drawing className={classNames('icon', small && 'small', className)} aria-hidden="true" />
}
