import './timeline-bars.css'
import './timeline-legend.css'
import { formatPlural } from '../../lib/figures/format.ts'

const KEYS = [
  ['wait-you', 'waiting for you'],
  ['wait-model', 'model'],
  ['wait-tool', 'tool'],
  ['thought', 'thought'],
  ['mark', 'recorded'],
] as const

/** What the marks mean, and what they do not claim. */
export function TimelineLegend({ untimed }: { untimed: number }) {
  return (
    <p className="timeline-legend">
      {KEYS.map(([look, meaning]) => (
        <span key={look} className="timeline-meaning">
          <span className={`timeline-key ${look}`} aria-hidden="true" />
          {meaning}
        </span>
      ))}
      <span>
        The CLI records when things ended, never when they began: hatched lengths are upper bounds, and a
        tool’s holds the wait for your approval.
        {untimed > 0 && ` ${formatPlural(untimed, 'message')} without a time left out.`}
      </span>
    </p>
  )
}
