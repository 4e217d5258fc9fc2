import './facets.css'
import type { SearchField, SearchResult } from '@gemini-dash/api'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { useState } from 'react'
import {
  type FindChange,
  type FindSearch,
  SEARCH_STATE_LABELS,
  SEARCH_STATES,
  type SearchFilterName,
  withValue,
} from '../../../lib/address/find-search.ts'
import { formatCount } from '../../../lib/figures/format.ts'
import { useHeldFocus } from '../../../lib/hooks/use-held-focus.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { searchVoices } from '../result/search-voices.ts'

const SHOWN_AT_FIRST = 10

type Props = {
  facets: SearchResult['facets'] | undefined
  search: FindSearch
  onSearch: (change: FindChange) => void
}

type FacetName = Exclude<keyof SearchResult['facets'], 'day'>

const FACETS: {
  name: FacetName
  parameter: SearchFilterName
  legend: string
  label?: (value: string) => string
}[] = [
  {
    name: 'field',
    parameter: 'in',
    legend: 'Said by',
    label: (value) => searchVoices[value as SearchField].label,
  },
  { name: 'project', parameter: 'project', legend: 'Project' },
  { name: 'model', parameter: 'model', legend: 'Model' },
  { name: 'tool', parameter: 'tool', legend: 'Tool', label: toolLabel },
  { name: 'status', parameter: 'status', legend: 'Result of the tool call', label: capitalised },
  { name: 'is', parameter: 'is', legend: 'State', label: stateLabel },
]

/** What the hits could be narrowed to: who said it, where, with what. Several values of one kind mean any of them. */
export function Facets({ facets, search, onSearch }: Props) {
  if (!facets) return null
  return FACETS.map(({ name, parameter, legend, label }) => {
    const chosen = search[parameter]?.split(',') ?? []
    const options = facets[name].map((option) => (label ? { ...option, label: label(option.value) } : option))
    return (
      <Facet
        key={name}
        legend={legend}
        options={withChosen(options, chosen, label)}
        chosen={chosen}
        onToggle={(value, isChosen) => {
          onSearch((before) => ({ [parameter]: withValue(before[parameter], value, isChosen) }))
        }}
      />
    )
  })
}

/** A value that finds nothing now can still be taken off. */
function withChosen(
  options: FacetOption[],
  chosen: string[],
  label = (value: string) => value,
): FacetOption[] {
  const missing = chosen.filter((value) => options.every((option) => option.value !== value))
  return [...options, ...missing.map((value) => ({ value, label: label(value), count: 0 }))]
}

export function stateLabel(state: string): string {
  const known = SEARCH_STATES.find((each) => each === state)
  return known === undefined ? state : SEARCH_STATE_LABELS[known]
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

type FacetOption = { value: string; label: string; count: number }

/** One that is called otherwise than it was recorded says both. */
function tooltipOf({ value, label }: FacetOption): string {
  return value.toLowerCase() === label.toLowerCase() ? label : `${label} (${value})`
}

type FacetProps = {
  legend: string
  options: FacetOption[]
  chosen: readonly string[]
  onToggle: (value: string, isChosen: boolean) => void
}

/** One dimension of a result: its values with their hits, to narrow it down. */
function Facet({ legend, options, chosen, onToggle }: FacetProps) {
  const [showsAll, setShowsAll] = useState(false)
  const around = useHeldFocus<HTMLFieldSetElement>()
  if (options.length === 0) return null
  const most = Math.max(...options.map((option) => option.count))
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
          <span className="name" dir="auto" title={tooltipOf(option)}>
            {option.label}
          </span>
          <span className="count">{formatCount(option.count)}</span>
          <svg aria-hidden="true">
            <rect width={`${most > 0 ? (option.count / most) * 100 : 0}%`} height="100%" />
          </svg>
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
