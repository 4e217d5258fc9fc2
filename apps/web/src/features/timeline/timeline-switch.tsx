import { ChartNoAxesGantt } from 'lucide-react'
import { classNames } from '../../lib/class-names.ts'
import { Icon } from '../../ui/icon.tsx'

/** Opens the timeline under the conversation, and closes it. */
export function TimelineSwitch({
  isOpen,
  onToggle,
}: {
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
}) {
  return (
    <button
      type="button"
      className={classNames('chip', isOpen && 'pressed')}
      aria-pressed={isOpen}
      onClick={() => onToggle(!isOpen)}
    >
      <Icon of={ChartNoAxesGantt} small />
      Timeline
    </button>
  )
}
