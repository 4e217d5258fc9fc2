import { useId, useState } from 'react'
import {
  type FindSearch,
  NO_TIME,
  SEARCH_RANGES,
  SEARCH_TIME_LABELS,
  type SearchRange,
} from '../../../lib/address/find-search.ts'
import { addDays } from '../../../lib/figures/calendar-day.ts'
import { currentTime } from '../../../lib/figures/current-time.ts'
import { dayOf, formatDate, startOfDay } from '../../../lib/figures/format.ts'

interface Props {
  search: FindSearch
  onSearch: (change: Partial<FindSearch>) => void
}

/** When the hits were said: today, some days up to it, or days of the reader's own. */
export function TimeFacet({ search, onSearch }: Props) {
  const name = useId()
  const [isOwnWanted, setIsOwnWanted] = useState(false)
  const first = search.day ?? search.from
  const last = search.day ?? (search.to && addDays(search.to, -1))
  const hasDays = first !== undefined || last !== undefined
  const isOwn = hasDays || isOwnWanted
  const chosen = isOwn ? 'own' : (search.range ?? 'any')
  function choose(range: SearchRange | undefined) {
    setIsOwnWanted(false)
    onSearch({ ...NO_TIME, range })
  }
  const setDays = (from: string | undefined, until: string | undefined) =>
    onSearch({ ...NO_TIME, from, to: until && addDays(until, 1) })
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
      {SEARCH_RANGES.map((range) => radio(range, SEARCH_TIME_LABELS[range], () => choose(range)))}
      {radio('own', 'Own days', () => setIsOwnWanted(true))}
      {isOwn && (
        <div className="facet-days">
          <label>
            <span>From</span>
            <input
              type="date"
              value={first ?? ''}
              max={last ?? dayOf(currentTime())}
              onChange={(event) => setDays(event.target.value || undefined, last)}
            />
          </label>
          <label>
            <span>To</span>
            <input
              type="date"
              value={last ?? ''}
              min={first}
              onChange={(event) => setDays(first, event.target.value || undefined)}
            />
          </label>
        </div>
      )}
    </fieldset>
  )
}

/** The chosen time in words; undefined: any, or one day. */
export function describeTime({ range, from, to, day }: FindSearch): string | undefined {
  if (day !== undefined) return undefined
  if (range !== undefined) return SEARCH_TIME_LABELS[range].toLowerCase()
  const written = (of: string) => formatDate(startOfDay(of).toISOString())
  if (from !== undefined && to !== undefined) return `${written(from)} to ${written(addDays(to, -1))}`
  if (from !== undefined) return `from ${written(from)}`
  return to && `to ${written(addDays(to, -1))}`
}
