import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { searchQuery } from '../api/search.ts'
import { FirstRun, useEmptyHomes } from '../features/first-run/first-run.tsx'
import { joinParts } from '../features/search/join-parts.ts'
import { Facets } from '../features/search/query/facets.tsx'
import { QueryBox } from '../features/search/query/query-box.tsx'
import { SearchChips } from '../features/search/query/search-chips.tsx'
import { TimeFacet } from '../features/search/query/time-facet.tsx'
import { SearchResults } from '../features/search/search-results.tsx'
import { SearchStart } from '../features/search/search-start.tsx'
import { toSearchRequest } from '../features/search/to-search-request.ts'
import { useSearchActions } from '../features/search/use-search-actions.ts'
import type { FindChange } from '../lib/address/find-search.ts'
import { rememberSearch } from '../lib/address/recent-searches.ts'
import { useDocumentTitle } from '../lib/hooks/use-document-title.ts'
import { RailFrame } from '../ui/frames/rail-frame.tsx'

const route = getRouteApi('/search')

/** A query that stands for so long was meant, and is remembered. */
const REMEMBER_AFTER_MS = 3_000

/** Search over all sessions. */
export function SearchPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useInfiniteQuery(searchQuery(toSearchRequest(search)))
  const result = data && joinParts(data.pages)
  const q = search.q ?? ''
  const hasQuery = q.trim() !== ''
  const emptyHomes = useEmptyHomes({ isOnlyIfUntouched: true })
  useDocumentTitle(search.q, 'Search')
  useEffect(() => {
    const timer = window.setTimeout(() => rememberSearch(q), REMEMBER_AFTER_MS)
    return () => window.clearTimeout(timer)
  }, [q])

  function onSearch(change: FindChange, isSameStep = false) {
    // Typing is one step back, every filter is one of its own. Another search begins at its first page.
    void navigate({
      search: (before) => ({
        ...before,
        pages: undefined,
        ...(typeof change === 'function' ? change(before) : change),
      }),
      replace: isSameStep,
      resetScroll: false,
    })
  }
  useSearchActions(search, onSearch)
  if (emptyHomes !== null) return <FirstRun homes={emptyHomes} />
  return (
    <RailFrame
      railLabel="Filters"
      rail={
        hasQuery && (
          <>
            <TimeFacet search={search} onSearch={onSearch} />
            <Facets facets={result?.facets} search={search} onSearch={onSearch} />
          </>
        )
      }
    >
      <h1 className="visually-hidden">Search</h1>
      <QueryBox
        value={q}
        onChange={(text) => onSearch({ q: text || undefined }, true)}
        onSubmit={rememberSearch}
      />
      {hasQuery ? (
        <>
          <SearchChips search={search} result={result} onSearch={onSearch} />
          <SearchResults search={search} onSearch={onSearch} />
        </>
      ) : (
        <SearchStart />
      )}
    </RailFrame>
  )
}
