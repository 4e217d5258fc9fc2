import './chip.css'
import { classNames } from '../../lib/browser/class-names.ts'
import { formatCount } from '../../lib/figures/format.ts'

type Props = {
  label: string
  /** For what it filters, in one word that stays when the label changes. */
  filter?: string
  count?: number
  isPressed: boolean
  onToggle: (isPressed: boolean) => void
}

/** A filter that is on or off. */
export function Chip({ label, filter, count, isPressed, onToggle }: Props) {
  return (
    <button
      type="button"
      className={classNames('chip', isPressed && 'pressed')}
      aria-pressed={isPressed}
      data-filter={filter}
      onClick={() => onToggle(!isPressed)}
    >
      {label}
      {count !== undefined && <span className="chip-count">{formatCount(count)}</span>}
    </button>
  )
}
