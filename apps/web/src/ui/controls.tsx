import './ui.css'
import { usePaper } from '../lib/paper.ts'
import { CopyButton } from './buttons/button.tsx'

type Props<Value extends string> = {
  label: string
  value: Value
  options: readonly { value: Value; label: string; title?: string }[]
  onChange: (value: Value) => void
  isDisabled?: boolean
}

/** Selects one of a few views of the same thing. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  onChange,
  isDisabled,
}: Props<Value>) {
  if (usePaper() !== null) return null
  return (
    <fieldset className="segmented" aria-label={label} disabled={isDisabled}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          title={option.title}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}

interface CheckProps {
  label: string
  isOn: boolean
  isDisabled?: boolean
  onChange: (isOn: boolean) => void
}

/** A checkbox. */
export function Check({ label, isOn, isDisabled, onChange }: CheckProps) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>{label}</span>
    </label>
  )
}

/** A command to run in a terminal. */
export function ShellCommand({ line }: { line: string }) {
  return (
    <div className="command">
      <code>{line}</code>
      <CopyButton text={line} />
    </div>
  )
}

interface SwitchProps {
  label: string
  isOn: boolean
  onChange: (isOn: boolean) => void
  /** There is a visible name beside it. */
  isLabelHidden?: boolean
  isDisabled?: boolean
}

/** A switch that takes effect at once. */
export function Switch({ label, isOn, onChange, isLabelHidden = false, isDisabled }: SwitchProps) {
  return (
    <label className="switch">
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span className={isLabelHidden ? 'visually-hidden' : undefined}>{label}</span>
    </label>
  )
}
