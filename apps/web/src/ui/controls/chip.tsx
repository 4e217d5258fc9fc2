import './chip.css'
import { classNames } from '../../lib/browser/class-names.ts'
import { formatCount } from '../../lib/figures/format.ts'

type Props = { label: string; count?: number; isPressed: boolean; onToggle: (isPressed: boolean) => void }

/** A filter that is on or off. */
export function Chip({ label, count, isPressed, onToggle }: Props) {
  return (
    <button
      type="button"
      className={classNames('chip', isPressed && 'pressed')}
      aria-pressed={isPressed}
      onClick={() => onToggle(!isPressed)}
    >
      {label}
      {count !== undefined && <span className="chip-count">{formatCount(count)}</span>}
    </button>
  )
}
