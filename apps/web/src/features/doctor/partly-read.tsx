import type { Doctor } from '@gemini-dash/api'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatCount, formatPlural } from '../../lib/figures/format.ts'
import { FindingGroup } from './finding-group.tsx'
import { FindingList } from './finding-list.tsx'
import { SessionLink } from './session-link.tsx'

type Issue = Doctor['issues'][number]

const MOST_LINKS = 6

/** What was passed over inside of sessions that are shown. */
export function PartlyRead({ issues, sessionTotal }: { issues: Issue[]; sessionTotal: number }) {
  const inSessions = issues.filter(({ partlyRead }) => partlyRead.total > 0)
  if (inSessions.length === 0) return null
  return (
    <FindingGroup title="Partly read" tally={formatPlural(sessionTotal, 'session')}>
      <FindingList items={inSessions} keyOf={({ code }) => code}>
        {(issue) => <IssueText issue={issue} />}
      </FindingList>
    </FindingGroup>
  )
}

function IssueText({ issue: { count, reason, advice, example, partlyRead } }: { issue: Issue }) {
  const links = partlyRead.first.slice(0, MOST_LINKS)
  return (
    <>
      <div className="finding-head">
        <p>{reason}</p>
        <span className="tabular">{formatPlural(count, 'place')}</span>
      </div>
      <p className="advice">{advice}</p>
      <ul className="finding-links">
        {links.map((session) => (
          <li key={session.sessionKey}>
            <SessionLink {...session} />
          </li>
        ))}
        {partlyRead.total > links.length && (
          <li className="dim">and {formatCount(partlyRead.total - links.length)} more</li>
        )}
      </ul>
      <p className="where mono" dir="ltr">
        <MachineText text={example.at === '' ? example.path : `${example.path}, ${example.at}`} />
      </p>
    </>
  )
}
