import { dayOf, formatDay, formatDuration } from '../../../lib/figures/format.ts'

/** Time that went by without a word, or a new day. */
export function PauseLine({ from, to, isNewDay }: { from: string; to: string; isNewDay: boolean }) {
  const pauseMs = Date.parse(to) - Date.parse(from)
  const later = pauseMs >= 60_000 ? `${formatDuration(pauseMs)} later` : null
  const day = isNewDay ? formatDay(dayOf(new Date(to))) : null
  return <p className="pause-line">{[day, later].filter(Boolean).join(', ')}</p>
}
