import './doctor.css'
import type { Doctor } from '@gemini-dash/api'
import { dueWords } from '@gemini-dash/api/due-words'
import { CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react'
import { formatPlural } from '../../lib/figures/format.ts'
import { Icon } from '../../ui/signs/icon.tsx'

/** How it stands, in a line, before any detail. */
export function HealthVerdict({ doctor }: { doctor: Doctor }) {
  const { verdict, scope } = describeHealth(doctor)
  const atRisk = doctor.retention.atRisk.length
  const { before, after } = dueWords(doctor.cli.byRules)
  return (
    <div className="health-verdict">
      <VerdictIcon doctor={doctor} />
      <div>
        <p>
          <b>{verdict}</b> {scope}
        </p>
        {atRisk > 0 && (
          <p>
            {before}
            {formatPlural(atRisk, 'session')}
            {after} on its next start in {atRisk === 1 ? 'this project' : 'these projects'}, whatever the age.
          </p>
        )}
      </div>
    </div>
  )
}

function VerdictIcon({ doctor: { isComplete, isWell } }: { doctor: Doctor }) {
  if (!isWell) return <Icon of={TriangleAlert} className="tone-warning" />
  return isComplete ? (
    <Icon of={CircleCheck} className="tone-success" />
  ) : (
    <Icon of={CircleDashed} className="dim" />
  )
}

/** The whole report in one or two sentences: how it stands, and what it is about. */
function describeHealth(doctor: Doctor): { verdict: string; scope: string } {
  const { files, drift, isComplete, isWell } = doctor
  const scope = `${formatPlural(files.found, 'file')}, ${formatPlural(files.sessions, 'session')}.`
  if (!isComplete && isWell) return { verdict: 'The files are still being read.', scope }
  if (isWell) {
    return files.found === 0
      ? { verdict: 'Nothing is recorded yet.', scope: 'Below is where gemini-dash looked.' }
      : { verdict: 'Everything on disk was read.', scope }
  }
  const notRead = files.skipped.filter(({ needsAttention }) => needsAttention).length
  const matters = [
    notRead > 0 && `${formatPlural(notRead, 'file')} could not be read`,
    files.partlyRead > 0 && `${formatPlural(files.partlyRead, 'session')} could be read only in part`,
    drift.length > 0 &&
      `${formatPlural(drift.length, 'name')} in the files ${drift.length === 1 ? 'is' : 'are'} new`,
  ].filter((matter) => matter !== false)
  return {
    verdict: `${joinWords(matters)}.`,
    scope: isComplete ? `Everything else is shown. In all: ${scope}` : 'Files are still being read.',
  }
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
