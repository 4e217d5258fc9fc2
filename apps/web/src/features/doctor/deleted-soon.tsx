import type { Doctor } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatCount, formatDate, formatPlural } from '../../lib/figures/format.ts'
import { TimeText } from '../../ui/figures/time-text.tsx'
import { FindingGroup } from './finding-group.tsx'
import { FindingList } from './finding-list.tsx'
import { SessionLink } from './session-link.tsx'

/** What Gemini CLI is about to delete by itself, the dangerous case first. */
export function DeletedSoon({ retention, now }: { retention: Doctor['retention']; now: Date }) {
  const { enabled, maxAgeDays, expiring, atRisk } = retention
  const total = atRisk.length + expiring.length
  return (
    <FindingGroup
      place="retention"
      title="Deleted soon"
      tally={total === 0 ? 'nothing within a week' : formatPlural(total, 'session')}
      lead={enabled ? <RetentionLead maxAgeDays={maxAgeDays} /> : 'Gemini CLI is set to keep all sessions.'}
    >
      <FindingList items={atRisk} keyOf={({ sessionKey }) => `risk ${sessionKey}`}>
        {({ sessionKey, title, path, reason }) => (
          <>
            <div className="finding-head">
              <SessionLink sessionKey={sessionKey} title={title} />
              <b className="tone-warning">At the next start of the CLI, whatever its age</b>
            </div>
            <p className="advice">{reason}</p>
            <p className="where mono" dir="ltr">
              <MachineText text={path} />
            </p>
          </>
        )}
      </FindingList>
      <FindingList items={expiring} keyOf={({ sessionKey }) => `age ${sessionKey}`}>
        {({ sessionKey, title, deletedAfter }) => (
          <div className="finding-head">
            <SessionLink sessionKey={sessionKey} title={title} />
            <span className="tabular">
              {Date.parse(deletedAfter) <= now.getTime() ? (
                'At the next start of the CLI'
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

function RetentionLead({ maxAgeDays }: { maxAgeDays: number | null }) {
  const age = maxAgeDays === null ? 'old' : `more than ${formatCount(maxAgeDays)} days old`
  return (
    <>
      Gemini CLI (0.33 and later) deletes sessions that are {age}, when it starts in their project. To keep
      them, set <code>general.sessionRetention.enabled</code> to <code>false</code> in its{' '}
      <code>settings.json</code>, or have them kept in the{' '}
      <Link to="/doctor" hash="keep" className="link">
        archive
      </Link>
      .
    </>
  )
}
