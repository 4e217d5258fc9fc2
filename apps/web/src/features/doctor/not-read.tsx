import type { Doctor } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatCount, formatPlural } from '../../lib/figures/format.ts'
import { Disclosure } from '../../ui/controls/disclosure.tsx'
import { FindingGroup } from './finding-group.tsx'
import { FindingList } from './finding-list.tsx'

/** More paths with the same reason are folded away. */
const FIRST_PATHS = 5

type Skipped = Doctor['files']['skipped'][number]

/** What looks like a session or a project and was not read, or not to its end: why, and what to do. */
export function NotRead({ skipped }: { skipped: Skipped[] }) {
  const missed = skipped.filter(({ needsAttention }) => needsAttention)
  const harmless = skipped.filter(({ needsAttention }) => !needsAttention)
  if (skipped.length === 0) return null
  return (
    <FindingGroup
      place="not-read"
      title="Not read"
      tally={
        missed.length === 0
          ? 'nothing that is missed'
          : formatPlural(missed.length, 'file or folder', 'files and folders')
      }
    >
      <SkippedList skipped={missed} />
      {harmless.length > 0 && (
        <Disclosure
          head={`${formatCount(harmless.length)} passed over by which nothing is missed`}
          headClassName="more-findings"
        >
          {() => <SkippedList skipped={harmless} />}
        </Disclosure>
      )}
    </FindingGroup>
  )
}

/** What has the same reason stands together. */
function SkippedList({ skipped }: { skipped: Skipped[] }) {
  const reasons = [...new Set(skipped.map(({ reason }) => reason))]
  return (
    <FindingList items={reasons} keyOf={(reason) => reason}>
      {(reason) => {
        const alike = skipped.filter((entry) => entry.reason === reason)
        return (
          <>
            <div className="finding-head">
              <p>{reason}</p>
              {alike.length > 1 && <span className="tabular">{formatCount(alike.length)}</span>}
            </div>
            <p className="advice">{alike[0]?.advice}</p>
            <PathList entries={alike} />
          </>
        )
      }}
    </FindingList>
  )
}

function PathList({ entries }: { entries: Skipped[] }) {
  const paths = (part: Skipped[]) => (
    <ul>
      {part.map(({ path, sessionKey }) => (
        <li key={path} className="where mono" dir="ltr">
          {sessionKey === null ? (
            <MachineText text={path} />
          ) : (
            <Link to="/s/$key" params={{ key: sessionKey }} className="link">
              <MachineText text={path} />
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
  return (
    <>
      {paths(entries.slice(0, FIRST_PATHS))}
      {entries.length > FIRST_PATHS && (
        <Disclosure head={`${formatCount(entries.length - FIRST_PATHS)} more`} headClassName="text-xs">
          {() => paths(entries.slice(FIRST_PATHS))}
        </Disclosure>
      )}
    </>
  )
}
