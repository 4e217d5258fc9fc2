import { choiceHandlers, valuesOf } from '../../lib/actions/choice-actions.ts'
import { useActions } from '../../lib/actions/use-actions.ts'
import {
  type FindChange,
  type FindSearch,
  NO_FACET,
  NO_TIME,
  SEARCH_MODE_LABELS,
  SEARCH_ORDER_LABELS,
  SEARCH_STATES,
  SEARCH_TIME_LABELS,
  SEARCHED_FIELDS,
  withValue,
} from '../../lib/address/find-search.ts'
import { forgetSearches, useRecentSearches } from '../../lib/address/recent-searches.ts'

/** What the palette can do with a search: its facets of time, voice and state, its switches; before it, to forget earlier ones. */
export function useSearchActions(search: FindSearch, onSearch: (change: FindChange) => void): void {
  const hasQuery = (search.q ?? '').trim() !== ''
  const hasRecent = useRecentSearches().length > 0
  const isNarrowed = Object.keys(NO_FACET).some((name) => search[name as keyof typeof NO_FACET] !== undefined)
  const turn = (parameter: 'in' | 'is', value: string) => {
    const isOn = search[parameter]?.split(',').includes(value) ?? false
    onSearch((before) => ({ [parameter]: withValue(before[parameter], value, !isOn) }))
  }
  useActions({
    ...(hasQuery && {
      ...choiceHandlers('when', valuesOf(SEARCH_TIME_LABELS), (range) =>
        onSearch({ ...NO_TIME, range: range || undefined }),
      ),
      ...choiceHandlers('said', SEARCHED_FIELDS, (field) => turn('in', field)),
      ...choiceHandlers('state', SEARCH_STATES, (state) => turn('is', state)),
      ...choiceHandlers('mode', valuesOf(SEARCH_MODE_LABELS), (mode) =>
        onSearch({ mode: mode || undefined }),
      ),
      ...choiceHandlers('found', valuesOf(SEARCH_ORDER_LABELS), (sort) =>
        onSearch({ sort: sort || undefined }),
      ),
    }),
    ...(hasQuery && isNarrowed && { clearFacets: () => void onSearch(NO_FACET) }),
    ...(!hasQuery && hasRecent && { forgetSearches: () => void forgetSearches() }),
  })
}
