import type { CacheCleared, Doctor, Settings, WriteJournal } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useRef } from 'react'
import { marksQuery, viewsQuery } from '../../api/marks.ts'
import { useCacheClear, useMarksImport } from '../../api/queries.ts'
import { journalQuery } from '../../api/usage.ts'
import { MachineText } from '../../content/machine-text.tsx'
import { formatDateTime } from '../../lib/dates.ts'
import { formatPlural, formatSize } from '../../lib/figures.ts'
import { useActions } from '../../lib/use-actions.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/states.tsx'
import {
  FailedRow,
  FindingList,
  FindingRow,
  RowError,
  SettingRow,
  SettingsSection,
} from './settings-section.tsx'

/** Data derived from the session files, which can be rebuilt. */
export function CacheSection({ cache }: Pick<Settings, 'cache'>) {
  const clear = useCacheClear()
  useActions({
    rebuildIndex: () => void clear.mutate('shown'),
    ...(cache !== null && { clearCache: () => void clear.mutate('all') }),
  })
  return (
    <SettingsSection title="Cache" place="cache">
      <SettingRow
        name="Search index"
        why={
          <>
            Rebuilt automatically from session files. Search refills while you work.
            {cache !== null && (
              <>
                {' '}
                <span className="mono" dir="ltr">
                  <MachineText text={cache.path} />
                </span>
              </>
            )}
          </>
        }
      >
        <span className="tabular">{cache === null ? 'in memory' : formatSize(cache.sizeBytes)}</span>
        <Button disabled={clear.isPending} onClick={() => clear.mutate('shown')}>
          Rebuild
        </Button>
        {cache !== null && (
          <Button disabled={clear.isPending} onClick={() => clear.mutate('all')}>
            Clear
          </Button>
        )}
      </SettingRow>
      {cache !== null && cache.others.count > 0 && (
        <SettingRow name="Indexes of other folders" why="Clear deletes them, too.">
          <span className="tabular">
            {formatPlural(cache.others.count, 'index', 'indexes')}, {formatSize(cache.others.sizeBytes)}
          </span>
        </SettingRow>
      )}
      <div role="status">
        {clear.isSuccess && (
          <div className="setting-note">
            <Cleared cleared={clear.data} />
          </div>
        )}
      </div>
      <RowError error={clear.error} />
    </SettingsSection>
  )
}

function Cleared({ cleared: { freedBytes, inUse, left } }: { cleared: CacheCleared }) {
  return (
    <Notice>
      {freedBytes > 0 && `${formatSize(freedBytes)} deleted. `}
      All session files are being read again.
      {inUse > 0 &&
        ` ${formatPlural(inUse, 'index', 'indexes')} left: another gemini-dash is using ${inUse === 1 ? 'it' : 'them'}.`}
      {left.length > 0 && (
        <>
          {' '}
          Other files left: <MachineText text={left.join(', ')} />
        </>
      )}
    </Notice>
  )
}

/** Everything ever written to a Gemini folder, and its current state. */
export function JournalSection() {
  const asked = useQuery({ ...journalQuery(), refetchOnMount: 'always' })
  const entries = asked.data?.entries
  return (
    <SettingsSection title="Changes to the Gemini folder" place="journal">
      <FailedRow name="Changes" asked={asked} />
      {entries !== undefined && (
        <SettingRow
          name={entries.length === 0 ? 'No changes yet' : 'By Recover, Move and Fork'}
          why={
            entries.length === 0
              ? 'By Recover, Move and Fork only. Each is listed here.'
              : 'Nothing else writes there.'
          }
        />
      )}
      <FindingList items={entries ?? []} keyOf={({ id }) => id}>
        {(entry) => (
          <>
            <div className="finding-head">
              <p>
                {DONE[entry.what]} on {formatDateTime(entry.at)}: {stateOf(entry)}
              </p>
              <span className="mono">{entry.id}</span>
            </div>
            {entry.files.map(({ path, sizeBytes, sha256 }) => (
              <p key={path} className="mono advice" dir="ltr" title={sha256}>
                <MachineText text={`${entry.home}/${path}`} /> {formatSize(sizeBytes)}, SHA-256{' '}
                {sha256.slice(0, 12)}…
              </p>
            ))}
          </>
        )}
      </FindingList>
    </SettingsSection>
  )
}

const DONE = { recover: 'Recovered', move: 'Moved', fork: 'Forked' } as const

const WHY = {
  undone: 'undone',
  'did-not-hold': 'could not be read back, and removed',
  failed: 'failed, and removed',
  interrupted: 'interrupted, and removed',
} as const

function stateOf({ done, removed }: WriteJournal['entries'][number]): string {
  if (removed !== null && removed.left.length > 0) return 'changed since, so it was left'
  if (removed !== null) return WHY[removed.why]
  return done === null ? 'being written' : 'written and read back'
}

/** Disk usage of Gemini CLI's files: one figure each for sessions, tool outputs and the rest. */
export function DiskSpace({ disk }: Pick<Doctor, 'disk'>) {
  if (disk.files === 0) return null
  const parts = [
    `Sessions ${formatSize(disk.sessionBytes)}`,
    `Tool outputs ${formatSize(disk.outputBytes)}`,
    `Other ${formatSize(disk.otherBytes)}`,
  ]
  return (
    <FindingRow
      place="disk"
      name="Disk space used by Gemini CLI"
      why={`gemini-dash deletes nothing there. ${parts.join(' · ')}`}
      value={`${disk.isComplete ? '' : 'at least '}${formatSize(disk.sizeBytes)} in ${formatPlural(disk.files, 'file')}`}
    >
      {null}
    </FindingRow>
  )
}

const NAMES = ['Stars, notes and tags', 'Views']

/** Export and import of stars, notes, tags and saved views. */
export function MarksSection() {
  const asked = [useQuery(marksQuery()), useQuery(viewsQuery())] as const
  const [{ data: marked }, { data: named }] = asked
  const areKnown = marked !== undefined && named !== undefined
  const marks = Object.values(marked?.marks ?? {})
  const take = useMarksImport()
  const [out, into] = [useRef<HTMLAnchorElement>(null), useRef<HTMLInputElement>(null)]
  useActions({
    exportMarks: () => void out.current?.click(),
    importMarks: () => void into.current?.click(),
  })
  const count = (isMarked: (mark: (typeof marks)[number]) => boolean) => marks.filter(isMarked).length
  const saved = [
    [count(({ star }) => star), 'star'],
    [count(({ note }) => note !== ''), 'note'],
    [new Set(marks.flatMap(({ tags }) => tags)).size, 'tag'],
    [count(({ title }) => title !== null), 'custom title'],
    [named?.views.length ?? 0, 'view'],
  ] as const
  const counts = saved.flatMap(([found, noun]) => (found === 0 ? [] : formatPlural(found, noun)))
  const name = counts.length === 0 ? '0 saved' : counts.join(', ')
  return (
    <SettingsSection title="Stars, notes and tags" place="marks">
      {asked.map((each, place) => (
        <FailedRow key={NAMES[place]} name={NAMES[place] ?? ''} asked={each} />
      ))}
      <SettingRow name={areKnown ? name : '…'} why="Import merges; the newer entry wins.">
        <a ref={out} className="button" href={apiPaths.marksFile()} download="gemini-dash-marks.json">
          <Icon of={Download} small />
          Export
        </a>
        <span className="import-button">
          <span className="button" aria-hidden="true">
            Import…
          </span>
          <input
            ref={into}
            type="file"
            accept="application/json,.json"
            aria-label="Import stars, notes and tags from a file"
            disabled={take.isPending}
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file !== undefined) take.mutate(file)
              // allows choosing the same file again
              target.value = ''
            }}
          />
        </span>
      </SettingRow>
      <div role="status">
        {take.isSuccess && (
          <div className="setting-note">
            <Notice>{describeTaken(take.data)}</Notice>
          </div>
        )}
      </div>
      <RowError error={take.error} />
    </SettingsSection>
  )
}

function describeTaken({ entries, views }: { entries: number; views: number }): string {
  if (entries + views === 0) return 'Everything in this file is here already.'
  return `Imported: ${formatPlural(entries, 'entry', 'entries')} and ${formatPlural(views, 'view')}.`
}
