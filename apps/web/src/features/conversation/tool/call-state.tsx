import './call-state.css'
import { Ban, Check, CircleDashed, CirclePause, Hand, type LucideIcon, OctagonAlert, X } from 'lucide-react'
import { MachineText } from '../../../content/text/machine-text.tsx'
import { Icon } from '../../../ui/signs/icon.tsx'
import { LiveWord } from '../../../ui/signs/live-word.tsx'
import type { ToolOutcome } from './call/tool-outcome.ts'

const ICONS: Record<Exclude<ToolOutcome['state'], 'running'>, LucideIcon> = {
  success: Check,
  failed: X,
  waiting: Hand,
  cancelled: Ban,
  stopped: OctagonAlert,
  background: CirclePause,
  unanswered: CircleDashed,
}

/** How a call ended, in an icon and a word. Success is quiet: only its tick is green. */
export function CallState({ outcome }: { outcome: ToolOutcome }) {
  if (outcome.state === 'running') return <LiveWord>{outcome.word}</LiveWord>
  return (
    <span className={`call-state ${outcome.state}`}>
      <Icon of={ICONS[outcome.state]} small />
      <span>
        <MachineText text={outcome.word} />
      </span>
    </span>
  )
}
