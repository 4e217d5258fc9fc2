import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { searchQuery } from '../api/search.ts'
import { Facets } from '../features/search/facets.tsx'
import { QueryBox } from '../features/search/query-box.tsx'
import { SearchChips } from '../features/search/search-chips.tsx'
import { SearchResults } from '../features/search/search-results.tsx'
import { SearchStart } from '../features/search/search-start.tsx'
import { toSearchRequest } from '../features/search/to-search-request.ts'
import type { FindSearch } from '../lib/find-search.ts'
import { useDocumentTitle } from '../lib/use-document-title.ts'
import { RailFrame } from '../ui/rail-frame.tsx'

const route = getRouteApi('/search')

/** Search over all sessions. */
export function SearchPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const result = useInfiniteQuery(searchQuery(toSearchRequest(search)))
  const facets = result.data?.pages[0]?.facets
  const hasQuery = (search.q ?? '').trim() !== ''
  useDocumentTitle(search.q, 'Search')

  function onSearch(change: Partial<FindSearch>) {
    // Typing is one step back, every filter is one of its own.
    void navigate({
      search: (before) => ({ ...before, ...change }),
      replace: 'q' in change,
      resetScroll: false,
    })
  }
  return (
    <RailFrame
      railLabel="Filters"
      rail={hasQuery && <Facets facets={facets} search={search} onSearch={onSearch} />}
    >
      <h1 className="visually-hidden">Search</h1>
      <QueryBox value={search.q ?? ''} onChange={(q) => onSearch({ q: q || undefined })} />
      {hasQuery ? (
        <>
          <SearchChips
            search={search}
            projectName={facets?.project.find((option) => option.value === search.project)?.label}
            onSearch={onSearch}
          />
          <SearchResults search={search} onSearch={onSearch} />
        </>
      ) : (
        <SearchStart />
      )}
    </RailFrame>
  )
}
