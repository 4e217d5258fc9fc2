import './timeline-bars.css'
import './timeline-legend.css'
import { formatPlural } from '../../lib/format.ts'

/** What the marks mean, and what they do not claim. */
export function TimelineLegend({ untimed }: { untimed: number }) {
  return (
    <p className="timeline-legend">
      <span className="timeline-key wait-you" aria-hidden="true" /> waiting for you
      <span className="timeline-key wait-model" aria-hidden="true" /> model
      <span className="timeline-key wait-tool" aria-hidden="true" /> tool
      <span className="timeline-key thought" aria-hidden="true" /> thought
      <span className="timeline-key mark" aria-hidden="true" /> recorded
      <span>
        The CLI records when things ended, never when they began: hatched lengths are upper bounds, and a
        tool’s holds the wait for your approval.
        {untimed > 0 && ` ${formatPlural(untimed, 'message')} without a time left out.`}
      </span>
    </p>
  )
}
