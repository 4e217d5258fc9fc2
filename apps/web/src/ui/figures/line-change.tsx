import './line-change.css'
import { formatCount, formatPlural } from '../../lib/figures/format.ts'

/** `+12 −4`, without what is none, in words for those who hear it. */
export function LineChangeFigure({ linesAdded, linesRemoved }: { linesAdded: number; linesRemoved: number }) {
  return (
    <span className="line-change">
      <span className="visually-hidden">
        {formatPlural(linesAdded, 'line')} added, {formatCount(linesRemoved)} removed
      </span>
      {(linesAdded > 0 || linesRemoved === 0) && (
        <span className="tone-success" aria-hidden="true">
          {`+${formatCount(linesAdded)}`}
        </span>
      )}
      {linesRemoved > 0 && (
        <span className="tone-error" aria-hidden="true">
          {`−${formatCount(linesRemoved)}`}
        </span>
      )}
    </span>
  )
}
