import './search-progress.css'
import type { SearchResult } from '@gemini-dash/api'
import { useQueryClient } from '@tanstack/react-query'
import { leadsOn, type SearchRequest, searchQuery } from '../../api/search.ts'
import type { FindSearch } from '../../lib/address/find-search.ts'
import { formatCount, formatPlural } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import type { JoinedSearch } from './join-parts.ts'

type Props = {
  coverage: SearchResult['coverage']
  state: 'growing' | 'stopped'
  /** After which it stopped by itself; absent: somebody stopped it. */
  seconds?: number
  onStop: () => void
  /** null: hits of what was searched come first. */
  onGoOn: (() => void) | null
}

/** How far a search over the files has come, and the way to end it, or to have all of it after all. */
export function SearchProgress({
  coverage: { filesDone, filesTotal },
  state,
  seconds,
  onStop,
  onGoOn,
}: Props) {
  const isGrowing = state === 'growing'
  const press = isGrowing ? onStop : onGoOn
  const after = seconds === undefined ? '' : ` ${formatPlural(seconds, 'second')} and`
  return (
    <div className="scan-progress">
      <p>
        {isGrowing ? 'Searching' : `Stopped after${after}`} {formatCount(filesDone)} of{' '}
        {formatPlural(filesTotal, 'file')}, newest first
      </p>
      <progress max={filesTotal} value={filesDone} aria-label="Files searched" />
      {press !== null && (
        <Button look="quiet" size="tiny" onClick={press}>
          {isGrowing ? 'Stop' : seconds === undefined ? 'Search all' : 'Search on'}
        </Button>
      )}
    </div>
  )
}

type StoppedProps = {
  request: SearchRequest
  /** Seconds. */
  stoppedAfter: number
  first: JoinedSearch
  /** Pages that are there. */
  loaded: number
  isSearchingOn: boolean
  onSearch: (change: Partial<FindSearch>, isSameStep: boolean) => void
}

/** A search whose time was over: what was searched by then, and the way on. */
export function StoppedSearch({
  request,
  stoppedAfter,
  first,
  loaded,
  isSearchingOn,
  onSearch,
}: StoppedProps) {
  const client = useQueryClient()
  const { queryKey } = searchQuery(request)
  return (
    <SearchProgress
      coverage={first.coverage}
      state={isSearchingOn ? 'growing' : 'stopped'}
      seconds={stoppedAfter}
      onStop={() => {
        onSearch({ pages: loaded }, true)
        void client.cancelQueries({ queryKey })
      }}
      onGoOn={leadsOn(first) ? () => onSearch({ pages: loaded + 1 }, true) : null}
    />
  )
}
