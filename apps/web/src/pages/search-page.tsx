import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { searchQuery } from '../api/search.ts'
import { FirstRun, useEmptyHomes } from '../features/first-run.tsx'
import { joinParts } from '../features/search/join-parts.ts'
import { SearchResults, SearchStart, toSearchRequest, useSearchActions } from '../features/search/search.tsx'
import { Facets, SearchChips, TimeFacet } from '../features/search/search-filters.tsx'
import { useDocumentTitle } from '../lib/hooks.ts'
import type { FindChange } from '../lib/page-searches.ts'
import { rememberSearch } from '../lib/session-search.ts'
import { RailFrame } from '../ui/dialog.tsx'

const route = getRouteApi('/search')

/** A query that stays this long is saved as a recent search. */
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
    // Typing adds one history entry in total, each filter one of its own. A new search starts at the first page.
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
      {!hasQuery && <h1 className="visually-hidden">Search</h1>}
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
