import './button.css'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from '../../lib/browser/class-names.ts'
import { Icon } from '../signs/icon.tsx'

type Props = Omit<ComponentProps<'button'>, 'children'> & { icon: LucideIcon; label: string }

/** A button that is only an icon; `label` is its name and its tooltip. */
export function IconButton({ icon, label, className, ...rest }: Props) {
  return (
    <button
      {...rest}
      type="button"
      className={classNames('icon-button', className)}
      aria-label={label}
      title={label}
    >
      <Icon of={icon} />
    </button>
  )
}
