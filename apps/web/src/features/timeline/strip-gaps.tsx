import type { WaitKind } from 'gemini-sessions'
import { CircleHelp, Diamond, type LucideIcon, UserRound, Wrench } from 'lucide-react'
import { Icon } from '../../ui/signs/icon.tsx'
import { gapLabels } from './strip-labels.ts'
import type { TimeAxis } from './time-axis.ts'

const ICONS: Record<WaitKind, LucideIcon> = {
  you: UserRound,
  model: Diamond,
  tool: Wrench,
  other: CircleHelp,
}

/** Below each break of the strip, whom it waited for and how long at most. */
export function StripGaps({ axis, widthPx }: { axis: TimeAxis; widthPx: number }) {
  return gapLabels(axis, widthPx).map(({ kind, startMs, text, x }) => (
    <span key={startMs} className={`strip-gap gap-${kind}`} style={{ left: x }}>
      <Icon of={ICONS[kind]} small />
      {text}
    </span>
  ))
}
