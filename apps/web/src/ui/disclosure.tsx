import './ui.css'
import { ChevronRight } from 'lucide-react'
import {
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { flushSync } from 'react-dom'
import { classNames, pageFind } from '../lib/browser.ts'
import { usePaper } from '../lib/paper.ts'
import { Icon } from './icons.tsx'

type Props = {
  /** Content of the head, which is a single button. */
  head: ReactNode
  /** Rendered only while open or searched by the browser's find: closed content costs nothing. */
  children: () => ReactNode
  headClassName?: string
  bodyClassName?: string
} & (
  | { isOpen: boolean; onToggle: (isOpen: boolean) => void }
  | { isOpen?: undefined; opensAtFirst?: boolean }
)

/** The common collapsible. Uncontrolled, or controlled with `isOpen` where a page must remember it. */
export function Disclosure(props: Props) {
  return usePaper() === null ? <Fold {...props} /> : <Details {...props} />
}

/** On paper a native `details`, which the browser's find opens. */
function Details(props: Props) {
  const { head, children, headClassName, bodyClassName } = props
  const isOpen = props.isOpen ?? ('opensAtFirst' in props && props.opensAtFirst)
  return (
    <details open={isOpen || false}>
      <summary className={classNames('disclosure-head', headClassName)}>{head}</summary>
      {bodyClassName === undefined ? children() : <div className={bodyClassName}>{children()}</div>}
    </details>
  )
}

function Fold(props: Props) {
  const { head, children, headClassName, bodyClassName } = props
  const bodyId = useId()
  const [ownIsOpen, setOwnIsOpen] = useState('opensAtFirst' in props ? (props.opensAtFirst ?? false) : false)
  const isOpen = props.isOpen ?? ownIsOpen
  const isSought = useSyncExternalStore(pageFind.subscribe, pageFind.get)

  function set(next: boolean) {
    if (props.isOpen === undefined) setOwnIsOpen(next)
    else props.onToggle(next)
  }
  // synchronous, before the browser scrolls to the match
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

/** Content rendered while closed stays hidden until the browser's find matches it. */
export function useFindable(isOpen: boolean, onFound: () => void): RefObject<HTMLDivElement | null> {
  const body = useRef<HTMLDivElement>(null)
  const latest = useRef(onFound)
  useLayoutEffect(() => {
    const element = body.current
    latest.current = onFound
    if (element === null) return undefined
    // React treats this attribute as boolean
    if (isOpen) element.removeAttribute('hidden')
    else element.setAttribute('hidden', 'until-found')
    const found = () => latest.current()
    element.addEventListener('beforematch', found)
    return () => element.removeEventListener('beforematch', found)
  })
  return body
}
