import type { SearchResult } from '@gemini-dash/api'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { ListFilter, X } from 'lucide-react'
import { type FindSearch, NO_TIME } from '../../../lib/address/find-search.ts'
import { formatDate, startOfDay } from '../../../lib/figures/format.ts'
import { useHeldFocus } from '../../../lib/hooks/use-held-focus.ts'
import { DrawerButton } from '../../../ui/buttons/drawer-button.tsx'
import { Icon } from '../../../ui/signs/icon.tsx'
import { searchVoices } from '../result/search-voices.ts'
import { stateLabel } from './facets.tsx'
import { describeTime } from './time-facet.tsx'

type Props = {
  search: FindSearch
  result: Pick<SearchResult, 'filters' | 'facets'> | undefined
  onSearch: (change: Partial<FindSearch>) => void
}

/** Every filter that is on, written or chosen, each of them to be taken off; on a phone also the way to the facets. */
export function SearchChips({ search, result, onSearch }: Props) {
  const around = useHeldFocus<HTMLDivElement>('.query-box input')
  return (
    <div className="chips search-chips" ref={around}>
      {result?.filters.map(({ field, value, isNegated, start, without }) => (
        <QueryChip
          key={start}
          name={field === 'text' ? 'without' : isNegated ? `not ${field}` : field}
          value={value}
          onRemove={() => onSearch({ q: without || undefined })}
        />
      ))}
      {chosenFilters(search, result).map(({ parameter, name, value, title }) => (
        <QueryChip
          key={parameter}
          name={name}
          value={value}
          title={title}
          onRemove={() =>
            onSearch(parameter === 'range' ? { ...NO_TIME, day: search.day } : { [parameter]: undefined })
          }
        />
      ))}
      <DrawerButton icon={ListFilter} label="Filters" />
    </div>
  )
}

interface ChosenFilter {
  parameter: keyof FindSearch
  name: string
  value: string
  title?: string | undefined
}

function chosenFilters(search: FindSearch, result: Props['result']): ChosenFilter[] {
  const projectName = (key: string) =>
    result?.facets.project.find((option) => option.value === key)?.label ?? key
  const labelled = (values: string | undefined, label: (value: string) => string) =>
    values?.split(',').map(label).join(', ')
  const all: (Omit<ChosenFilter, 'value'> & { value: string | undefined })[] = [
    {
      parameter: 'in',
      name: 'said by',
      value: labelled(search.in, (field) =>
        Object.entries(searchVoices)
          .flatMap(([name, voice]) => (name === field ? voice.label : []))
          .join(''),
      ),
    },
    { parameter: 'project', name: 'project', value: labelled(search.project, projectName) },
    { parameter: 'model', name: 'model', value: labelled(search.model, String) },
    { parameter: 'tool', name: 'tool', value: labelled(search.tool, toolLabel), title: search.tool },
    { parameter: 'status', name: 'result of the tool call', value: labelled(search.status, String) },
    { parameter: 'is', name: 'state', value: labelled(search.is, stateLabel) },
    { parameter: 'range', name: 'time', value: describeTime(search) },
    {
      parameter: 'day',
      name: 'day',
      value: search.day && formatDate(startOfDay(search.day).toISOString()),
    },
  ]
  return all.flatMap(({ value, ...chip }) => (value === undefined ? [] : [{ ...chip, value }]))
}

type QueryChipProps = {
  name: string
  value: string
  /** As it was recorded, where it is called otherwise. */
  title?: string | undefined
  onRemove: () => void
}

/** A filter that is on. Its button takes it off, by Enter, Space, Delete or Backspace. */
function QueryChip({ name, value, title, onRemove }: QueryChipProps) {
  return (
    <span className="query-chip">
      <b>{name}</b>{' '}
      <span dir="auto" title={title}>
        {value}
      </span>
      <button
        type="button"
        aria-label={`Remove ${name} ${value}`}
        onClick={onRemove}
        onKeyDown={(event) => {
          if (event.key === 'Delete' || event.key === 'Backspace') onRemove()
        }}
      >
        <Icon of={X} small />
      </button>
    </span>
  )
}
