import './switch.css'

interface Props {
  label: string
  isOn: boolean
  onChange: (isOn: boolean) => void
  /** It has a name beside it already. */
  isLabelHidden?: boolean
}

/** Something that is on or off, at once. */
export function Switch({ label, isOn, onChange, isLabelHidden = false }: Props) {
  return (
    <label className="switch">
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span className={isLabelHidden ? 'visually-hidden' : undefined}>{label}</span>
    </label>
  )
}
