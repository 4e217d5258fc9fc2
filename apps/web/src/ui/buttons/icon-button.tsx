import './button.css'
import { Check, type LucideIcon, X } from 'lucide-react'
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { classNames } from '../../lib/browser.ts'
import { type Copied, type Copying, copyAndSay, say } from '../../lib/copy.ts'
import { useLatest } from '../../lib/hooks.ts'
import { Icon } from '../icons.tsx'

type Props = Omit<ComponentProps<'button'>, 'children'> & { icon: LucideIcon; label: string }

/** An icon button; `label` is its accessible name and tooltip. */
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

interface ContextMenuProps {
  label: string
  /** In the window, in CSS pixels. */
  at: { x: number; y: number }
  /** Gets the focus back after a choice or Escape. */
  opener: HTMLElement | null
  onClose: () => void
  children: ReactNode
}

/** A context menu at the pointer or the selected item. Arrow keys navigate; Escape, Tab and a press elsewhere close it. */
export function ContextMenu({ label, at, opener, onClose, children }: ContextMenuProps) {
  const list = useRef<HTMLDivElement>(null)
  const place = useLatest(at)
  useLayoutEffect(() => {
    const menu = list.current
    if (menu === null) return
    menu.showPopover()
    const { x, y } = place.current
    menu.style.setProperty('left', `${Math.max(Math.min(x, window.innerWidth - menu.offsetWidth - 4), 4)}px`)
    menu.style.setProperty('top', `${Math.max(Math.min(y, window.innerHeight - menu.offsetHeight - 4), 4)}px`)
    linesOf(menu)[0]?.focus({ preventScroll: true })
  }, [place])
  useEffect(() => {
    const hide = () => list.current?.matches(':popover-open') && list.current.hidePopover()
    const onPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && !list.current?.contains(target)) hide()
    }
    window.addEventListener('pointerdown', onPress, { capture: true })
    window.addEventListener('scroll', hide, { passive: true })
    window.addEventListener('resize', hide)
    return () => {
      window.removeEventListener('pointerdown', onPress, { capture: true })
      window.removeEventListener('scroll', hide)
      window.removeEventListener('resize', hide)
    }
  }, [])

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const menu = event.currentTarget
    const lines = linesOf(menu)
    const at = lines.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (to !== undefined) lines.at(to % lines.length)?.focus()
    else if (event.key === 'Escape' || event.key === 'Tab') menu.hidePopover()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has fields
    <div
      ref={list}
      // an automatic one would close when the finger that opened it is lifted
      popover="manual"
      role="group"
      aria-label={label}
      className="menu-list"
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
      onBeforeToggle={({ newState }) => {
        if (newState === 'closed') opener?.focus({ preventScroll: true })
      }}
      onToggle={({ newState }) => {
        if (newState === 'closed') onClose()
      }}
    >
      {children}
    </div>
  )
}

function linesOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('.menu-item')]
}

const CONFIRM_MS = 2_000

/**
 * An icon button that copies the result of `text`, possibly asynchronous, and confirms it in its name for two seconds; errors are shown in
 * a line over the page.
 */
export function CopyIconButton({
  icon,
  label,
  text,
}: {
  icon: LucideIcon
  label: string
  text: () => string | Promise<string | Copied>
}) {
  const [outcome, setOutcome] = useState<Copying | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = window.setTimeout(() => setOutcome(null), CONFIRM_MS)
    return () => window.clearTimeout(timer)
  }, [outcome])

  async function copy() {
    const next = await copyAndSay(text())
    setOutcome(next)
    if (!next.isCopied) say(next.said)
  }
  return (
    <IconButton
      icon={outcome === null ? icon : outcome.isCopied ? Check : X}
      label={outcome?.said ?? label}
      onClick={copy}
    />
  )
}
