import './chip.css'
import { ChevronDown } from 'lucide-react'
import { classNames } from '../../lib/browser/class-names.ts'
import { Icon } from '../signs/icon.tsx'

type Props = {
  label: string
  value: string
  /** The first option is the one that filters nothing. */
  options: { value: string; label: string }[]
  onChange: (value: string) => void
}

/** A filter with one value out of several. */
export function ChipSelect({ label, value, options, onChange }: Props) {
  const isFiltering = value !== options[0]?.value
  return (
    <span className={classNames('chip chip-select', isFiltering && 'pressed')}>
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
