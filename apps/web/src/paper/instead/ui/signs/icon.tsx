import '../../../../ui/signs/icon.css'
import type { LucideIcon } from 'lucide-react'
import { classNames } from '../../../../lib/browser/class-names.ts'
import { iconBook, iconId } from '../../../sheet/icon-book.ts'

interface Props {
  of: LucideIcon
  small?: boolean
  className?: string
}

/** Leads to the drawing, of which a document of a thousand marks holds one. */
export function Icon({ of: Drawing, small, className }: Props) {
  if (!iconBook.includes(Drawing)) iconBook.push(Drawing)
  return (
    <svg className={classNames('icon', small && 'small', className)} aria-hidden="true">
      <use href={`#${iconId(iconBook.indexOf(Drawing))}`} />
    </svg>
  )
}
