import { ListFilter, X } from 'lucide-react'
import type { FindSearch } from '../../lib/find-search.ts'
import { formatDate, startOfDay } from '../../lib/format.ts'
import { DrawerButton } from '../../ui/drawer-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { searchVoices } from './search-voices.ts'

type Props = { search: FindSearch; projectName?: string; onSearch: (change: Partial<FindSearch>) => void }

/** The filters that are on, each of them to be taken off; on a phone also the way to the facets. */
export function SearchChips({ search, projectName, onSearch }: Props) {
  const chips = [
    search.in !== undefined && { name: 'said by', value: fieldLabels(search.in), change: { in: undefined } },
    search.project !== undefined && {
      name: 'project',
      value: projectName ?? search.project,
      change: { project: undefined },
    },
    search.model !== undefined && { name: 'model', value: search.model, change: { model: undefined } },
    search.day !== undefined && {
      name: 'day',
      value: formatDate(startOfDay(search.day).toISOString()),
      change: { day: undefined },
    },
  ].filter((chip) => chip !== false)
  return (
    <div className="chips search-chips">
      {chips.map((chip) => (
        <span key={chip.name} className="query-chip">
          <b>{chip.name}</b> {chip.value}
          <button type="button" aria-label={`Remove ${chip.name}`} onClick={() => onSearch(chip.change)}>
            <Icon of={X} small />
          </button>
        </span>
      ))}
      <DrawerButton icon={ListFilter} label="Filters" />
    </div>
  )
}

function fieldLabels(fields: string): string {
  const labels = Object.entries(searchVoices).filter(([field]) => fields.split(',').includes(field))
  return labels.map(([, voice]) => voice.label).join(', ')
}
