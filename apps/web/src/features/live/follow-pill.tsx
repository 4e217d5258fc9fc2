import './follow-pill.css'
import { ArrowDown, Pause, Play } from 'lucide-react'
import { classNames } from '../../lib/browser/class-names.ts'
import { formatPlural } from '../../lib/figures/format.ts'
import { Icon } from '../../ui/signs/icon.tsx'

interface Props {
  /** Messages that came while the reader was elsewhere. */
  arrivals: number
  isLive: boolean
  isAtEnd: boolean
  isPaused: boolean
  onPause: () => void
  /** Goes to the end and stays there. */
  onFollow: () => void
}

/** The way to what came in, and at the end of a session that is being written a stop to following it. */
export function FollowPill({ arrivals, isLive, isAtEnd, isPaused, onPause, onFollow }: Props) {
  if (arrivals > 0)
    return <Pill icon={ArrowDown} words={formatPlural(arrivals, 'new message')} onClick={onFollow} />
  if (!isLive || !isAtEnd) return null
  return isPaused ? (
    <Pill icon={Play} words="Follow again" isQuiet onClick={onFollow} />
  ) : (
    <Pill icon={Pause} words="Following; pause" isQuiet onClick={onPause} />
  )
}

interface PillProps {
  icon: typeof ArrowDown
  words: string
  isQuiet?: boolean
  onClick: () => void
}

function Pill({ icon, words, isQuiet = false, onClick }: PillProps) {
  return (
    <button type="button" className={classNames('follow-pill', isQuiet && 'quiet')} onClick={onClick}>
      <Icon of={icon} small />
      {words}
    </button>
  )
}
