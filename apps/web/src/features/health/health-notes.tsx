import './health-notes.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleQuestionMark, FileWarning, Hourglass } from 'lucide-react'
import { doctorQuery } from '../../api/doctor.ts'
import { formatCount, formatPlural } from '../../lib/figures/format.ts'
import { Icon } from '../../ui/signs/icon.tsx'

/** What could not be read, what is new to us, and what the CLI will delete within a week; the way to the report. */
export function HealthNotes() {
  const { data } = useQuery(doctorQuery())
  if (!data) return null
  const { maxAgeDays, expiring, atRisk } = data.retention
  const missedCount = data.files.skipped.filter(({ needsAttention }) => needsAttention).length
  const dueCount = new Set([...expiring, ...atRisk].map(({ sessionKey }) => sessionKey)).size
  return (
    <section aria-label="Health">
      <h2 className="rail-heading">Health</h2>
      {missedCount > 0 && (
        <p className="health-note">
          <Icon of={FileWarning} />
          <span>{formatPlural(missedCount, 'file')} could not be read.</span>
        </p>
      )}
      {data.drift.length > 0 && (
        <p className="health-note">
          <Icon of={CircleQuestionMark} />
          <span>
            {formatPlural(data.drift.length, 'name')} in the files that gemini-dash does not know yet.
          </span>
        </p>
      )}
      {dueCount > 0 && (
        <p className="health-note">
          <Icon of={Hourglass} />
          <span>
            The CLI deletes sessions{maxAgeDays === null ? '' : ` after ${formatPlural(maxAgeDays, 'day')}`}:{' '}
            {formatCount(dueCount)} {dueCount === 1 ? 'goes' : 'go'} this week.
          </span>
        </p>
      )}
      <p className="health-note">
        <Link to="/doctor" className="link">
          {data.isWell && data.isComplete ? 'Everything was read' : 'What and why'}
        </Link>
      </p>
    </section>
  )
}
