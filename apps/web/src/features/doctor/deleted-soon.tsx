import type { Doctor } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatCount, formatDate, formatPlural } from '../../lib/figures/format.ts'
import { TimeText } from '../../ui/figures/time-text.tsx'
import { FindingGroup } from './finding-group.tsx'
import { FindingList } from './finding-list.tsx'
import { SessionLink } from './session-link.tsx'

/** What Gemini CLI is about to delete by itself, the dangerous case first. */
export function DeletedSoon({ doctor, now }: { doctor: Doctor; now: Date }) {
  const { enabled, problems, expiring, atRisk } = doctor.retention
  const total = atRisk.length + expiring.length
  const nothing =
    problems.length > 0 ? 'Gemini CLI deletes no session.' : 'Gemini CLI is set to keep all sessions.'
  return (
    <FindingGroup
      place="retention"
      title="Deleted soon"
      tally={total === 0 ? 'nothing within a week' : formatPlural(total, 'session')}
      lead={enabled ? <RetentionLead retention={doctor.retention} byRules={doctor.cli.byRules} /> : nothing}
    >
      <FindingList items={problems} keyOf={({ path, setting }) => `setting ${path} ${setting}`}>
        {({ path, setting, value, reason, advice }) => (
          <>
            <p>
              <code dir="ltr">{setting}</code>
              {value !== null && (
                <>
                  {' '}
                  is{' '}
                  <code dir="ltr">
                    <MachineText text={value} />
                  </code>
                </>
              )}
              , which is not valid. {reason}
            </p>
            <p className="advice">{advice}</p>
            <p className="where mono" dir="ltr">
              <MachineText text={path} />
            </p>
          </>
        )}
      </FindingList>
      <FindingList items={atRisk} keyOf={({ sessionKey }) => `risk ${sessionKey}`}>
        {({ sessionKey, title, path, reason }) => (
          <>
            <div className="finding-head">
              <SessionLink sessionKey={sessionKey} title={title} />
              <b className="tone-warning">On the next start of Gemini CLI, whatever its age</b>
            </div>
            <p className="advice">{reason}</p>
            <p className="where mono" dir="ltr">
              <MachineText text={path} />
            </p>
          </>
        )}
      </FindingList>
      <FindingList items={expiring} keyOf={({ sessionKey }) => `age ${sessionKey}`}>
        {({ sessionKey, title, deletedAfter, cause }) => (
          <div className="finding-head">
            <SessionLink sessionKey={sessionKey} title={title} />
            <span className="tabular">
              {Date.parse(deletedAfter) <= now.getTime() ? (
                `On the next start of Gemini CLI${cause === 'count' ? ', for maxCount' : ''}`
              ) : (
                <>
                  after <TimeText time={deletedAfter}>{formatDate(deletedAfter, now)}</TimeText>
                </>
              )}
            </span>
          </div>
        )}
      </FindingList>
    </FindingGroup>
  )
}

/** The rule, whose rule it is, and how to prevent that. */
function RetentionLead({ retention, byRules }: { retention: Doctor['retention']; byRules: string | null }) {
  return (
    <>
      {byRules === null ? 'Gemini CLI deletes ' : `${byRules}, it deletes `}
      {describeLimits(retention)}, when it starts in their project. To prevent that, set{' '}
      <code>general.sessionRetention.enabled</code> to <code>false</code> in its <code>settings.json</code>,
      or have copies of them in the{' '}
      <Link to="/doctor" hash="keep" className="link">
        archive
      </Link>
      .
    </>
  )
}

function describeLimits({ maxAgeDays, maxCount }: Doctor['retention']): string {
  const limits = [
    ...(maxAgeDays === null ? [] : [`sessions that are more than ${formatPlural(maxAgeDays, 'day')} old`]),
    ...(maxCount === null
      ? []
      : [
          `all but the newest ${maxCount === 1 ? 'session' : `${formatCount(maxCount)} sessions`} of a project`,
        ]),
  ]
  return limits.length === 0 ? 'files that it cannot resume' : limits.join(' and ')
}
