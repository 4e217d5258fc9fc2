import { apiPaths } from '@gemini-dash/api/paths'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useRef } from 'react'
import { marksQuery, viewsQuery } from '../../api/marks.ts'
import { useMarksImport } from '../../api/settings.ts'
import { useActions } from '../../lib/actions/use-actions.ts'
import { formatPlural } from '../../lib/figures/format.ts'
import { Icon } from '../../ui/signs/icon.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { FailedRow, SettingRow, SettingsSection } from './settings-section.tsx'

const NAMES = ['Marks of sessions', 'Views']

/** What the reader marked and named, to be taken along. */
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
  const counts = [
    formatPlural(
      count(({ star }) => star),
      'star',
    ),
    formatPlural(
      count(({ note }) => note !== ''),
      'note',
    ),
    formatPlural(new Set(marks.flatMap(({ tags }) => tags)).size, 'tag'),
    formatPlural(
      count(({ title }) => title !== null),
      'title of your own',
      'titles of your own',
    ),
    formatPlural(named?.views.length ?? 0, 'view'),
  ]
  return (
    <SettingsSection
      place="marks"
      title="Own marks"
      lead={areKnown ? `Of sessions: ${counts.join(', ')}.` : 'Of sessions: …'}
    >
      {asked.map((each, place) => (
        <FailedRow key={NAMES[place]} name={NAMES[place] ?? ''} asked={each} />
      ))}
      <SettingRow
        name="Take them along"
        why="One JSON file. Taking it in adds: of what both know, what was said last holds, and nothing is removed."
      >
        <a ref={out} className="button" href={apiPaths.marksFile()} download="gemini-dash-marks.json">
          <Icon of={Download} small />
          Export
        </a>
        <span className="file-choice">
          <span className="button" aria-hidden="true">
            Import…
          </span>
          <input
            ref={into}
            type="file"
            accept="application/json,.json"
            aria-label="Import marks from a file"
            disabled={take.isPending}
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file !== undefined) take.mutate(file)
              // the same file can be chosen again
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
      {take.isError && (
        <div className="setting-note">
          <Notice tone="error">{take.error.message}</Notice>
        </div>
      )}
    </SettingsSection>
  )
}

function describeTaken({ entries, views }: { entries: number; views: number }): string {
  if (entries + views === 0) return 'Everything in this file was known already.'
  return `New here, and kept: ${formatPlural(entries, 'mark')} and ${formatPlural(views, 'view')}.`
}
