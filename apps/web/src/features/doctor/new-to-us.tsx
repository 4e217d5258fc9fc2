import type { Doctor } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatPlural } from '../../lib/figures/format.ts'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { driftReport } from './drift-report.ts'
import { FindingGroup } from './finding-group.tsx'
import { FindingList } from './finding-list.tsx'

/** Names that no version of the CLI known to us writes, with a report that can be filed as it is. */
export function NewToUs({ drift, version }: { drift: Doctor['drift']; version: string }) {
  if (drift.length === 0) return null
  return (
    <FindingGroup
      place="new"
      title="Not known yet"
      tally={formatPlural(drift.length, 'name')}
      lead="No version of Gemini CLI that gemini-dash knows writes these. They are kept and shown as they are. If a newer CLI wrote them, please report them: the report holds names and counts, nothing of what you wrote."
      action={<CopyButton text={driftReport(drift, version)} label="Copy report" />}
    >
      <FindingList items={drift} keyOf={({ where, name }) => `${where} ${name}`}>
        {({ where, name, count, sessions, meaning, example, sessionKey }) => (
          <>
            <div className="finding-head">
              <p>
                <code dir="ltr">
                  <MachineText text={name} />
                </code>
                , {meaning}
              </p>
              <span className="tabular">
                {formatPlural(count, 'time')} in {formatPlural(sessions, 'session')}
              </span>
            </div>
            <p className="where">
              <span className="mono">{where}</span>, for example{' '}
              <Link to="/s/$key" params={{ key: sessionKey }} className="link mono" dir="ltr">
                <MachineText text={example} />
              </Link>
            </p>
          </>
        )}
      </FindingList>
    </FindingGroup>
  )
}
