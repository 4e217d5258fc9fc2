import './health-notes.css'
import { dueWords } from '@gemini-dash/api/due-words'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleQuestionMark, FileWarning, Hourglass } from 'lucide-react'
import { doctorNotesQuery } from '../../api/doctor.ts'
import { healthQuery } from '../../api/health.ts'
import { formatPlural } from '../../lib/figures/format.ts'
import { Icon } from '../../ui/signs/icon.tsx'
import { FailedLine } from '../../ui/states/failed-line.tsx'

/** What could not be read, what is new to us, and what Gemini CLI will delete within a week; the way to the report. */
export function HealthNotes() {
  const asked = useQuery(doctorNotesQuery())
  const { data } = asked
  const { data: health } = useQuery(healthQuery())
  if (!data) return <FailedLine what="What could not be read is not known:" asked={asked} />
  const { missedFiles, unknownNames, dueSessions } = data
  const { before, after } = dueWords(health?.cli.byRules ?? null)
  return (
    <section aria-label="Health">
      <h2 className="rail-heading">Health</h2>
      {missedFiles > 0 && (
        <p className="health-note">
          <Icon of={FileWarning} />
          <Link to="/doctor" hash="not-read">
            {formatPlural(missedFiles, 'file')} could not be read.
          </Link>
        </p>
      )}
      {unknownNames > 0 && (
        <p className="health-note">
          <Icon of={CircleQuestionMark} />
          <Link to="/doctor" hash="new">
            {formatPlural(unknownNames, 'name')} in the files that gemini-dash does not know yet.
          </Link>
        </p>
      )}
      {dueSessions > 0 && health !== undefined && (
        <p className="health-note">
          <Icon of={Hourglass} />
          <Link to="/doctor" hash="retention">
            {before}
            {formatPlural(dueSessions, 'session')}
            {after} this week.
          </Link>
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
