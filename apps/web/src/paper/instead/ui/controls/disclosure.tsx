import '../../../../ui/controls/disclosure.css'
import type { ReactNode } from 'react'
import { classNames } from '../../../../lib/browser/class-names.ts'

type Props = {
  head: ReactNode
  children: () => ReactNode
  headClassName?: string
  bodyClassName?: string
  isOpen?: boolean
  onToggle?: (isOpen: boolean) => void
  opensAtFirst?: boolean
}

/** The browser folds it, and opens it where its own search finds a word in it. */
export function Disclosure({ head, children, headClassName, bodyClassName, isOpen, opensAtFirst }: Props) {
  return (
    <details open={isOpen ?? opensAtFirst ?? false}>
      <summary className={classNames('disclosure-head', headClassName)}>{head}</summary>
      {bodyClassName === undefined ? children() : <div className={bodyClassName}>{children()}</div>}
    </details>
  )
}
