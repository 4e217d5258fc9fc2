import './button.css'
import type { ComponentProps } from 'react'
import { classNames } from '../../lib/browser/class-names.ts'

type Props = ComponentProps<'button'> & {
  look?: 'plain' | 'primary' | 'quiet'
  size?: 'normal' | 'large' | 'tiny'
}

/** One `primary` a view. */
export function Button({ look = 'plain', size = 'normal', className, type = 'button', ...rest }: Props) {
  const classes = classNames('button', look !== 'plain' && look, size !== 'normal' && size, className)
  return <button {...rest} type={type} className={classes} />
}
