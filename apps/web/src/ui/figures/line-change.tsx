import './line-change.css'
import { formatCount } from '../../lib/figures/format.ts'

/** `+12 −4`, in words for those who hear it. */
export function LineChangeFigure({ linesAdded, linesRemoved }: { linesAdded: number; linesRemoved: number }) {
  return (
    <span className="line-change">
      <span className="visually-hidden">
        {formatCount(linesAdded)} lines added, {formatCount(linesRemoved)} removed
      </span>
      <span className="tone-success" aria-hidden="true">
        +{formatCount(linesAdded)}
      </span>
      <span className="tone-error" aria-hidden="true">
        −{formatCount(linesRemoved)}
      </span>
    </span>
  )
}
