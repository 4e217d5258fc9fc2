import './button.css'
import { Check, ChevronDown, Copy } from 'lucide-react'
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { classNames } from '../../lib/browser.ts'
import { copyText } from '../../lib/copy.ts'
import { usePaper } from '../../lib/paper.ts'
import { Icon } from '../icons.tsx'

type Props = ComponentProps<'button'> & {
  look?: 'plain' | 'primary' | 'quiet'
  size?: 'normal' | 'large' | 'tiny'
}

/** At most one `primary` per view; nothing on paper. */
export function Button({ look = 'plain', size = 'normal', className, type = 'button', ...rest }: Props) {
  if (usePaper() !== null) return null
  const classes = classNames('button', look !== 'plain' && look, size !== 'normal' && size, className)
  return <button {...rest} type={type} className={classes} />
}

const CONFIRM_MS = 2_000

/** Copies `text` and confirms it in its label for two seconds. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = window.setTimeout(() => setOutcome(null), CONFIRM_MS)
    return () => window.clearTimeout(timer)
  }, [outcome])

  async function copy() {
    setOutcome((await copyText(text)) ? 'copied' : 'failed')
  }
  return (
    <Button look="quiet" size="tiny" onClick={copy}>
      <Icon of={outcome === 'copied' ? Check : Copy} small />
      <span aria-live="polite">
        {outcome === null ? label : outcome === 'copied' ? 'Copied' : 'Not copied'}
      </span>
    </Button>
  )
}

/** Opens the drawer of the surrounding `<RailFrame>`. */
export const OpenDrawer = createContext<() => void>(() => undefined)

/** Opens the drawer that contains the sidebar on a phone. */
export function DrawerButton({ label }: { label: string }) {
  const open = useContext(OpenDrawer)
  return (
    <button type="button" className="button narrow-only" onClick={open}>
      {label}
      <Icon of={ChevronDown} small />
    </button>
  )
}

interface SelectButtonProps {
  label: string
  value: string
  /** The first option does not filter. */
  options: { value: string; label: string }[]
  onChange: (value: string) => void
  /** Highlighted unless the first option is selected; omit it for equal choices. */
  isMarked?: boolean
}

/** A native select styled as a button: includes keyboard, mobile and screen reader support. */
export function SelectButton({
  label,
  value,
  options,
  onChange,
  isMarked = value !== options[0]?.value,
}: SelectButtonProps) {
  return (
    <span className={classNames('button select-button', isMarked && 'is-set')}>
      <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon of={ChevronDown} small />
    </span>
  )
}

interface MenuButtonProps {
  /** Classes, accessible name and content of the button. */
  className: string
  label: string
  face: ReactNode
  /** Aligns the list with the start of the button; default: with its end. */
  isAtStart?: boolean
  children: ReactNode
}

/**
 * A button with a popover list of buttons. Escape, a click elsewhere, and a choice close it. Every message has one and few are opened, so
 * the list is rendered on demand.
 */
export function MenuButton({ className, label, face, isAtStart = false, children }: MenuButtonProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [isFilled, setIsFilled] = useState(false)

  function place() {
    if (button.current === null || list.current === null) return
    const { bottom, top, left, right } = button.current.getBoundingClientRect()
    const { offsetHeight, offsetWidth, style } = list.current
    const isBelow = bottom + offsetHeight + 8 < window.innerHeight
    style.setProperty('top', `${isBelow ? bottom + 4 : Math.max(top - offsetHeight - 4, 4)}px`)
    const wanted = isAtStart ? Math.min(left, window.innerWidth - offsetWidth - 4) : right - offsetWidth
    style.setProperty('left', `${Math.max(wanted, 4)}px`)
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        title={label}
        popoverTarget={id}
      >
        {face}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        className="menu-list"
        // before it is shown and measured
        onBeforeToggle={() => flushSync(() => setIsFilled(true))}
        onToggle={(event) => {
          if (event.newState === 'open') place()
        }}
      >
        {isFilled && children}
      </div>
    </>
  )
}

interface PanelButtonProps {
  label: string
  /** Number of active choices, after the label. */
  count?: number
  className?: string
  children: ReactNode
}

/** A button that opens a popover with fields. Escape and a click elsewhere close it. */
export function PanelButton({ label, count = 0, className, children }: PanelButtonProps) {
  return (
    <MenuButton
      className={classNames('button', count > 0 && 'is-set', className)}
      label={count > 0 ? `${label}, ${count} set` : label}
      isAtStart
      face={
        <>
          {label}
          {count > 0 && <span aria-hidden="true">{count}</span>}
          <Icon of={ChevronDown} small />
        </>
      }
    >
      <div className="button-panel">{children}</div>
    </MenuButton>
  )
}

interface FieldProps {
  label: string
  value: string
  options: { value: string; label: string }[]
  onChange: (value: string) => void
}

/** A select in such a panel. */
export function PanelSelect({ label, value, options, onChange }: FieldProps) {
  return (
    <label className="panel-field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  )
}

interface CheckProps {
  label: string
  isChecked: boolean
  onChange: (isChecked: boolean) => void
}

/** A checkbox in such a panel. */
export function PanelCheck({ label, isChecked, onChange }: CheckProps) {
  return (
    <label className="panel-check">
      <input type="checkbox" checked={isChecked} onChange={(event) => onChange(event.target.checked)} />
      <span>{label}</span>
    </label>
  )
}
