import './picking.css'
import '../../ui/buttons/button.css'
import { Link } from '@tanstack/react-router'
import { Button } from '../../ui/buttons/button.tsx'

interface Props {
  keys: readonly string[]
  onEnd: () => void
}

const SAYS = ['Choose two sessions to compare.', 'Choose one more.']

/** How many sessions are picked, and the way to see them side by side. */
export function PickBar({ keys, onEnd }: Props) {
  const [a, b] = keys
  return (
    <div className="pick-bar">
      <span role="status">{SAYS[keys.length] ?? 'Two are chosen.'}</span>
      {b !== undefined && (
        <Link to="/compare" search={{ a, b }} className="button primary">
          Compare the two
        </Link>
      )}
      <Button look="quiet" onClick={onEnd}>
        Cancel
      </Button>
    </div>
  )
}
