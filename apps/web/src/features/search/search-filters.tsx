import './search.css'
import type { SearchField, SearchResult } from '@gemini-dash/api'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { X } from 'lucide-react'
import { useId, useState } from 'react'
import { searchVoices } from '../../content/hits.ts'
import { addDays, currentTime, dayOf, formatDate, startOfDay } from '../../lib/dates.ts'
import { formatCount } from '../../lib/figures.ts'
import { useHeldFocus } from '../../lib/list-hooks.ts'
import {
  type FindChange,
  type FindSearch,
  NO_TIME,
  SEARCH_MODE_LABELS,
  SEARCH_RANGES,
  SEARCH_STATE_LABELS,
  SEARCH_STATES,
  SEARCH_TIME_LABELS,
  type SearchRange,
  withValue,
} from '../../lib/page-searches.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { DayFields } from '../../ui/to-message.tsx'

type Props = {
  search: FindSearch
  result: Pick<SearchResult, 'filters' | 'facets'> | undefined
  onSearch: (change: Partial<FindSearch>) => void
}

/** All active filters, typed or chosen, each removable. */
export function SearchChips({ search, result, onSearch }: Props) {
  const around = useHeldFocus<HTMLDivElement>('.one-box input')
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
      name: 'who',
      value: labelled(search.in, (field) =>
        Object.entries(searchVoices)
          .flatMap(([name, voice]) => (name === field ? voice.label : []))
          .join(''),
      ),
    },
    { parameter: 'project', name: 'project', value: labelled(search.project, projectName) },
    { parameter: 'model', name: 'model', value: labelled(search.model, String) },
    { parameter: 'tool', name: 'tool', value: labelled(search.tool, toolLabel), title: search.tool },
    { parameter: 'status', name: 'tool result', value: labelled(search.status, String) },
    { parameter: 'is', name: 'state', value: labelled(search.is, stateLabel) },
    { parameter: 'range', name: 'time', value: describeTime(search) },
    { parameter: 'mode', name: 'match', value: search.mode && SEARCH_MODE_LABELS[search.mode] },
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
  /** The recorded name, if it differs from the shown one. */
  title?: string | undefined
  onRemove: () => void
}

/** An active filter. Its button removes it with Enter, Space, Delete or Backspace. */
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

const SHOWN_AT_FIRST = 10

type FacetsProps = {
  facets: SearchResult['facets'] | undefined
  search: FindSearch
  onSearch: (change: FindChange) => void
}

/** Speakers and their fields in `in:`. Titles and notices are available as typed filters. */
const VOICES: readonly { value: string; label: string; fields: readonly SearchField[] }[] = [
  { value: 'you', label: 'You', fields: ['prompt', 'attachment'] },
  { value: 'gemini', label: 'Gemini', fields: ['answer', 'thought'] },
  { value: 'tools', label: 'Tools', fields: ['tool-args', 'tool-output'] },
]

/** Facets of the hits; all other filters are typed. Several values of one facet are combined with OR. */
export function Facets({ facets, search, onSearch }: FacetsProps) {
  if (!facets) return null
  const chosenProjects = search.project?.split(',') ?? []
  const chosenFields = search.in?.split(',') ?? []
  const chosenSources = search.source?.split(',') ?? []
  const countOf = (fields: readonly SearchField[]) =>
    facets.field.reduce(
      (sum, { value, count }) => sum + (fields.some((each) => each === value) ? count : 0),
      0,
    )
  const voices = VOICES.map((voice) => ({ ...voice, count: countOf(voice.fields) }))
  const chosenVoices = VOICES.filter(({ fields }) => fields.every((field) => chosenFields.includes(field)))
  return (
    <>
      <Facet
        legend="Project"
        options={withChosen(facets.project, chosenProjects)}
        chosen={chosenProjects}
        onToggle={(value, isChosen) =>
          onSearch((before) => ({ project: withValue(before.project, value, isChosen) }))
        }
      />
      <Facet
        legend="Who"
        options={voices}
        chosen={chosenVoices.map(({ value }) => value)}
        onToggle={(value, isChosen) => {
          const fields = VOICES.find((voice) => voice.value === value)?.fields ?? []
          onSearch((before) => ({
            in: fields.reduce<string | undefined>(
              (list, field) => withValue(list, field, isChosen),
              before.in,
            ),
          }))
        }}
      />
      {(facets.source.length > 1 || chosenSources.length > 0) && (
        <Facet
          legend="Recorded by"
          options={withChosen(facets.source, chosenSources)}
          chosen={chosenSources}
          onToggle={(value, isChosen) =>
            onSearch((before) => ({ source: withValue(before.source, value, isChosen) }))
          }
        />
      )}
    </>
  )
}

/** Keeps selected values without hits, so that they can be removed. */
function withChosen(options: FacetOption[], chosen: string[]): FacetOption[] {
  const missing = chosen.filter((value) => options.every((option) => option.value !== value))
  return [...options, ...missing.map((value) => ({ value, label: value, count: 0 }))]
}

function stateLabel(state: string): string {
  const known = SEARCH_STATES.find((each) => each === state)
  return known === undefined ? state : SEARCH_STATE_LABELS[known]
}

type FacetOption = { value: string; label: string; count: number }

type FacetProps = {
  legend: string
  options: FacetOption[]
  chosen: readonly string[]
  onToggle: (value: string, isChosen: boolean) => void
}

/** One facet: its values with their number of hits. */
function Facet({ legend, options, chosen, onToggle }: FacetProps) {
  const [showsAll, setShowsAll] = useState(false)
  const around = useHeldFocus<HTMLFieldSetElement>()
  if (options.length === 0) return null
  const shown = options.filter(
    (option, position) => showsAll || position < SHOWN_AT_FIRST || chosen.includes(option.value),
  )
  return (
    <fieldset className="facet" ref={around}>
      <legend>{legend}</legend>
      {shown.map((option) => (
        <label key={option.value} className="facet-option">
          <input
            type="checkbox"
            checked={chosen.includes(option.value)}
            onChange={(event) => onToggle(option.value, event.target.checked)}
          />
          <span className="name" dir="auto" title={option.label}>
            {option.label}
          </span>
          <span className="count">{formatCount(option.count)}</span>
        </label>
      ))}
      {shown.length < options.length && (
        <Button look="quiet" size="tiny" onClick={() => setShowsAll(true)}>
          {formatCount(options.length - shown.length)} more
        </Button>
      )}
    </fieldset>
  )
}

interface TimeFacetProps {
  search: FindSearch
  onSearch: (change: Partial<FindSearch>) => void
}

/** Time of the hits: today, the last days, or custom dates. */
export function TimeFacet({ search, onSearch }: TimeFacetProps) {
  const name = useId()
  const [isOwnWanted, setIsOwnWanted] = useState(false)
  const first = search.day ?? search.from
  const hasDays = first !== undefined || search.to !== undefined
  const isOwn = hasDays || isOwnWanted
  const chosen = isOwn ? 'own' : (search.range ?? 'any')
  function choose(range: SearchRange | undefined) {
    setIsOwnWanted(false)
    onSearch({ ...NO_TIME, range })
  }
  const radio = (value: string, label: string, onChoose: () => void) => (
    <label key={value} className="facet-option">
      <input type="radio" name={name} checked={chosen === value} onChange={onChoose} />
      <span className="name">{label}</span>
    </label>
  )
  return (
    <fieldset className="facet">
      <legend>Time</legend>
      {radio('any', SEARCH_TIME_LABELS[''], () => choose(undefined))}
      {SEARCH_RANGES.filter((range) => range !== 'today' || chosen === 'today').map((range) =>
        radio(range, SEARCH_TIME_LABELS[range], () => choose(range)),
      )}
      {radio('own', 'Custom range…', () => setIsOwnWanted(true))}
      {isOwn && (
        <DayFields
          from={first}
          to={search.day ? addDays(search.day, 1) : search.to}
          today={dayOf(currentTime())}
          onChange={(days) => onSearch({ ...NO_TIME, ...days })}
        />
      )}
    </fieldset>
  )
}

/** The selected time in words; undefined for any time or a single day. */
function describeTime({ range, from, to, day }: FindSearch): string | undefined {
  if (day !== undefined) return undefined
  if (range !== undefined) return SEARCH_TIME_LABELS[range].toLowerCase()
  const written = (of: string) => formatDate(startOfDay(of).toISOString())
  if (from !== undefined && to !== undefined) return `${written(from)} to ${written(addDays(to, -1))}`
  if (from !== undefined) return `from ${written(from)}`
  return to && `to ${written(addDays(to, -1))}`
}
