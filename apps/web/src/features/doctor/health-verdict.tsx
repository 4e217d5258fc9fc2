import './doctor.css'
import type { Doctor } from '@gemini-dash/api'
import { CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react'
import { formatPlural } from '../../lib/figures/format.ts'
import { Icon } from '../../ui/signs/icon.tsx'
import { describeHealth } from './describe-health.ts'

/** How it stands, in a line, before any detail. */
export function HealthVerdict({ doctor }: { doctor: Doctor }) {
  const { verdict, scope } = describeHealth(doctor)
  const atRisk = doctor.retention.atRisk.length
  return (
    <div className="verdict">
      <VerdictIcon doctor={doctor} />
      <div>
        <p>
          <b>{verdict}</b> {scope}
        </p>
        {atRisk > 0 && (
          <p>
            {formatPlural(atRisk, 'session')} will be lost when the CLI starts next in{' '}
            {atRisk === 1 ? 'its project' : 'their projects'}.
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
