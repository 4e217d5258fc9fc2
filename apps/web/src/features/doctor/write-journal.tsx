import type { WriteJournal } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { journalQuery } from '../../api/recover.ts'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatDateTime, formatSize } from '../../lib/figures/format.ts'
import { Failed } from '../../ui/states/failed.tsx'
import { FindingGroup } from './finding-group.tsx'
import { FindingList } from './finding-list.tsx'

const TITLE = 'Written under a home'

/** What was ever written under a home, and what became of it. Nothing where nothing was, unless that is to be said. */
export function WriteJournalPanel({ isShownEmpty = false }: { isShownEmpty?: boolean }) {
  const { data, error, isPending, refetch } = useQuery({ ...journalQuery(), refetchOnMount: 'always' })
  if (isPending) return <div hidden aria-busy="true" />
  if (data === undefined)
    return (
      <FindingGroup place="journal" title={TITLE}>
        <div className="finding">
          <Failed what="What was written could not be asked." error={error} onRetry={() => void refetch()} />
        </div>
      </FindingGroup>
    )
  if (data.entries.length === 0 && !isShownEmpty) return null
  return (
    <FindingGroup
      place="journal"
      title={TITLE}
      lead="Recover and Move are all that ever writes there. Each write, with the SHA-256 of its files."
    >
      {data.entries.length === 0 && <p className="finding advice">Nothing was written so far.</p>}
      <FindingList items={data.entries} keyOf={({ id }) => id}>
        {(entry) => (
          <>
            <div className="finding-head">
              <p>
                {entry.what === 'recover' ? 'Recovered' : 'Moved'} on {formatDateTime(entry.at)}:{' '}
                {stateOf(entry)}
              </p>
              <span className="mono">{entry.id}</span>
            </div>
            {entry.files.map(({ path, sizeBytes, sha256 }) => (
              <p key={path} className="mono advice" dir="ltr" title={sha256}>
                <MachineText text={`${entry.home}/${path}`} /> {formatSize(sizeBytes)}, {sha256.slice(0, 12)}…
              </p>
            ))}
          </>
        )}
      </FindingList>
    </FindingGroup>
  )
}

const WHY = {
  undone: 'undone',
  'did-not-hold': 'not read back, and removed',
  failed: 'failed, and removed',
  interrupted: 'broken off, and removed',
} as const

function stateOf({ done, removed }: WriteJournal['entries'][number]): string {
  if (removed !== null && removed.left.length > 0) return 'changed since, so it was left'
  if (removed !== null) return WHY[removed.why]
  return done === null ? 'being written' : 'written and read back'
}
