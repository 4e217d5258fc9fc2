import './disclosure.css'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { classNames } from '../../lib/browser/class-names.ts'
import { Icon } from '../signs/icon.tsx'

type Props = {
  /** What stands in the head, which is one button. */
  head: ReactNode
  /** Built only while open: what is folded away costs nothing. */
  children: () => ReactNode
  headClassName?: string
  bodyClassName?: string
} & (
  | { isOpen: boolean; onToggle: (isOpen: boolean) => void }
  | { isOpen?: undefined; opensAtFirst?: boolean }
)

/** The one collapsible of the house. Keeps its own state, or takes `isOpen` where a page must remember it. */
export function Disclosure(props: Props) {
  const { head, children, headClassName, bodyClassName } = props
  const bodyId = useId()
  const [ownIsOpen, setOwnIsOpen] = useState('opensAtFirst' in props ? (props.opensAtFirst ?? false) : false)
  const isOpen = props.isOpen ?? ownIsOpen

  function toggle() {
    if (props.isOpen === undefined) setOwnIsOpen(!isOpen)
    else props.onToggle(!isOpen)
  }
  return (
    <>
      <button
        type="button"
        className={classNames('disclosure-head', headClassName)}
        aria-expanded={isOpen}
        aria-controls={isOpen ? bodyId : undefined}
        onClick={toggle}
      >
        <Icon of={ChevronRight} small className="disclosure-chevron" />
        {head}
      </button>
      {isOpen && (
        <div id={bodyId} className={classNames('disclosure-body', bodyClassName)}>
          {children()}
        </div>
      )}
    </>
  )
}
