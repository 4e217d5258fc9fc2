import './disclosure.css'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { classNames } from '../../lib/browser/class-names.ts'
import { pageFind } from '../../lib/browser/page-find.ts'
import { Icon } from '../signs/icon.tsx'
import { useFindable } from './use-findable.ts'

type Props = {
  /** What stands in the head, which is one button. */
  head: ReactNode
  /** Built only while open, or sought by the browser's own find: what is folded away costs nothing. */
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
  const isSought = useSyncExternalStore(pageFind.subscribe, pageFind.get)

  function set(next: boolean) {
    if (props.isOpen === undefined) setOwnIsOpen(next)
    else props.onToggle(next)
  }
  // opened before the browser goes on to scroll to what it found
  const body = useFindable(isOpen, () => flushSync(() => set(true)))
  return (
    <>
      <button
        type="button"
        className={classNames('disclosure-head', headClassName)}
        aria-expanded={isOpen}
        aria-controls={isOpen ? bodyId : undefined}
        onClick={() => set(!isOpen)}
      >
        <Icon of={ChevronRight} small className="disclosure-chevron" />
        {head}
      </button>
      {(isOpen || isSought) && (
        <div ref={body} id={bodyId} className={classNames('disclosure-body', bodyClassName)}>
          {children()}
        </div>
      )}
    </>
  )
}
