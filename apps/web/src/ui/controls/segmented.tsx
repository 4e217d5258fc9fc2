import './segmented.css'

type Props<Value extends string> = {
  label: string
  value: Value
  options: readonly { value: Value; label: string; title?: string }[]
  onChange: (value: Value) => void
  isDisabled?: boolean
  /** Where whoever draws all of it anew gives the focus back. */
  idOf?: (value: Value) => string
}

/** One of a few views of the same thing. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  onChange,
  isDisabled,
  idOf,
}: Props<Value>) {
  return (
    <fieldset className="segmented" aria-label={label} disabled={isDisabled}>
      {options.map((option) => (
        <button
          key={option.value}
          id={idOf?.(option.value)}
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
