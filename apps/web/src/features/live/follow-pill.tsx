import './follow-pill.css'
import { ArrowDown } from 'lucide-react'
import { formatPlural } from '../../lib/format.ts'
import { Icon } from '../../ui/icon.tsx'

/** What came in while the reader was elsewhere, and the way to it. */
export function FollowPill({ arrivals, onFollow }: { arrivals: number; onFollow: () => void }) {
  if (arrivals === 0) return null
  return (
    <button type="button" className="follow-pill" onClick={onFollow}>
      <Icon of={ArrowDown} small />
      {formatPlural(arrivals, 'new message')}
    </button>
  )
}
