import type { Doctor } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import { formatPlural } from '../../lib/figures/format.ts'
import { FindingGroup } from './finding-group.tsx'

/** Sessions that Gemini CLI began and nobody used: a line for all of them, as nothing is lost with them. */
export function EmptySessions({ empty }: { empty: Doctor['empty'] }) {
  if (empty.total === 0) return null
  return (
    <FindingGroup
      title="Empty sessions"
      tally={formatPlural(empty.total, 'session')}
      lead="Gemini CLI recorded the start of these sessions, and nothing was said in them. Lists leave them out."
    >
      <p className="finding">
        <Link to="/" search={{ kind: 'empty' }} className="link">
          Show empty sessions
        </Link>
      </p>
    </FindingGroup>
  )
}
