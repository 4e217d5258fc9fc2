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
import { classNames, copyText } from '../../lib/browser.ts'
import { usePaper } from '../../lib/paper.ts'
import { Icon } from '../icons.tsx'

type Props = ComponentProps<'button'> & {
  look?: 'plain' | 'primary' | 'quiet'
  size?: 'normal' | 'large' | 'tiny'
}

/** One `primary` a view; none on paper. */
export function Button({ look = 'plain', size = 'normal', className, type = 'button', ...rest }: Props) {
  if (usePaper() !== null) return null
  const classes = classNames('button', look !== 'plain' && look, size !== 'normal' && size, className)
  return <button {...rest} type={type} className={classes} />
}

const CONFIRM_MS = 2_000

/** Copies `text` and says so in its own label for two seconds. */
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

/** Opens the drawer in which a phone keeps the rail. */
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
  /** The first option is the one that filters nothing. */
  options: { value: string; label: string }[]
  onChange: (value: string) => void
  /** Marked where it is another than the first; left out where each choice is as good. */
  isMarked?: boolean
}

/** A native select in the shape of a button: keyboard, phones and screen readers come with it. */
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
  /** Classes, name and content of the button. */
  className: string
  label: string
  face: ReactNode
  /** The list begins where the button begins; else it ends where that ends. */
  isAtStart?: boolean
  children: ReactNode
}

/**
 * A button with a list of buttons below it, in the top layer. Escape and a click elsewhere close it; so does a choice.
 * Every message has one, and few are opened: the list is filled when it is.
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
        // before it is shown, which asks for its size
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
  /** Behind the label: how many of its choices are made. */
  count?: number
  className?: string
  children: ReactNode
}

/** A button that opens choices below it: fields, not commands. Escape and a click elsewhere close it. */
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

/** A choice of one out of several, in such a panel. */
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

/** A choice that is on or off. */
export function PanelCheck({ label, isChecked, onChange }: CheckProps) {
  return (
    <label className="panel-check">
      <input type="checkbox" checked={isChecked} onChange={(event) => onChange(event.target.checked)} />
      <span>{label}</span>
    </label>
  )
}
