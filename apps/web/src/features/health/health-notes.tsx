import './health-notes.css'
import { useQuery } from '@tanstack/react-query'
import { FileWarning, Hourglass } from 'lucide-react'
import { doctorQuery } from '../../api/doctor.ts'
import { formatCount, formatPlural } from '../../lib/format.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Icon } from '../../ui/icon.tsx'

const MOST_REASONS = 20
const WEEK_MS = 7 * 24 * 60 * 60 * 1_000

/** What could not be read, and what the CLI will delete within a week. Nothing at all when all is well. */
export function HealthNotes() {
  const { data } = useQuery(doctorQuery())
  if (!data) return null
  const { skipped } = data.files
  const { expiring, maxAgeDays } = data.retention
  const dueCount = expiring.filter((file) => Date.parse(file.deletedAfter) < Date.now() + WEEK_MS).length
  if (skipped.length === 0 && dueCount === 0) return null
  return (
    <section aria-label="Health">
      <h2 className="rail-heading">Health</h2>
      {skipped.length > 0 && (
        <>
          <p className="health-note">
            <Icon of={FileWarning} />
            <span>{formatPlural(skipped.length, 'file')} could not be read.</span>
          </p>
          <Disclosure
            head={<span className="text-xs">See why</span>}
            headClassName="px-2"
            bodyClassName="health-reasons"
          >
            {() => <SkippedFiles files={skipped} />}
          </Disclosure>
        </>
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
    </section>
  )
}

function SkippedFiles({ files }: { files: { path: string; reason: string }[] }) {
  return (
    <ul>
      {files.slice(0, MOST_REASONS).map((file) => (
        <li key={file.path}>
          <code>{file.path}</code>: {file.reason}
        </li>
      ))}
      {files.length > MOST_REASONS && <li>and {formatCount(files.length - MOST_REASONS)} more</li>}
    </ul>
  )
}
