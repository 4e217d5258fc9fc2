import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { searchQuery, stopSearch } from '../../api/search.ts'
import type { FindSearch } from '../../lib/address/find-search.ts'
import { classNames } from '../../lib/browser/class-names.ts'
import { formatCount, formatPlural } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import { DayHistogram } from './day-histogram.tsx'
import { NothingFound } from './nothing-found.tsx'
import { groupHits } from './result/group-hits.ts'
import { ResultGroup } from './result/result-group.tsx'
import { useHitKeys } from './result/use-hit-keys.ts'
import { ScanProgress } from './scan-progress.tsx'
import { toSearchRequest } from './to-search-request.ts'

type Props = { search: FindSearch; onSearch: (change: Partial<FindSearch>) => void }

const MODES = [
  { value: '', label: 'Words', title: 'Whole words, in any order; "quoted" words as a phrase' },
  { value: 'substring', label: 'Exact text', title: 'These characters, also within words' },
  { value: 'regex', label: 'Pattern', title: 'A regular expression; (?-i) makes case matter' },
] as const
const SORTS = [
  { value: '', label: 'Newest' },
  { value: 'relevance', label: 'Relevance' },
] as const

/** What was found, by session; an earlier answer stays, dimmed, until the new one is there. */
export function SearchResults({ search, onSearch }: Props) {
  const request = toSearchRequest(search)
  const result = useInfiniteQuery(searchQuery(request))
  const hitsRef = useHitKeys()
  const first = result.data?.pages[0]
  const sessions = Object.assign(
    {},
    ...(result.data?.pages.map((page) => page.sessions) ?? []),
  ) as NonNullable<typeof first>['sessions']
  const groups = groupHits(result.data?.pages.flatMap((page) => page.hits) ?? [])
  const { coverage, notes, state = 'complete' } = first ?? {}
  return (
    <>
      {first && <DayHistogram days={first.facets.day} chosenDay={search.day} />}
      <div className="search-toolbar">
        <p className="result-count" aria-live={state === 'growing' ? 'off' : 'polite'}>
          {first && !result.isError && (
            <>
              <b>{formatPlural(first.total, 'hit')}</b> in {formatPlural(first.sessionTotal, 'session')}
              {state === 'growing' && ' so far'}
            </>
          )}
        </p>
        <Segmented
          label="How to search"
          value={search.mode ?? ''}
          options={MODES}
          onChange={(mode) => onSearch({ mode: mode || undefined })}
        />
        <Segmented
          label="Order"
          value={search.sort ?? ''}
          options={SORTS}
          onChange={(sort) => onSearch({ sort: sort || undefined })}
        />
      </div>
      <div className={classNames('results grid gap-2', result.isPlaceholderData && 'stale')}>
        {coverage && state !== 'complete' && (
          <ScanProgress
            coverage={coverage}
            state={state}
            onStop={() => stopSearch(request)}
            onGoOn={() => void result.refetch()}
          />
        )}
        {coverage && state === 'complete' && coverage.filesDone < coverage.filesTotal && (
          <Notice>
            Searched {formatCount(coverage.filesDone)} of {formatCount(coverage.filesTotal)} sessions. The
            index is still being built, newest first.
          </Notice>
        )}
        {notes?.map((note) => (
          <Notice key={note}>{note}</Notice>
        ))}
        {result.isPending && <SkeletonRows count={8} label="Searching" />}
        {result.isError && (
          <Failed what="The search failed." error={result.error} onRetry={() => void result.refetch()} />
        )}
        {first?.named && (
          <Notice>
            This is a session’s id:{' '}
            <Link to="/s/$key" params={{ key: first.named.key }} className="link" dir="auto">
              {first.named.title || first.named.key}
            </Link>
          </Notice>
        )}
        {first?.total === 0 && state === 'complete' && !result.isError && (
          <NothingFound search={search} result={first} onSearch={onSearch} />
        )}
        {groups.length > 0 && !result.isError && (
          <div className="sheet" ref={hitsRef}>
            {groups.map((group) => (
              <ResultGroup
                key={group.sessionKey}
                group={group}
                session={sessions[group.sessionKey]}
                search={search}
              />
            ))}
          </div>
        )}
        {first && groups.length > 0 && !result.isError && (
          <p className="dim flex items-center gap-4 px-3 py-2 text-xs">
            {groups.length < first.sessionTotal && (
              <span>
                {formatCount(groups.length)} of {formatPlural(first.sessionTotal, 'session')}
              </span>
            )}
            {result.hasNextPage && (
              <Button
                look="quiet"
                disabled={result.isFetchingNextPage}
                onClick={() => void result.fetchNextPage()}
              >
                Show more
              </Button>
            )}
          </p>
        )}
      </div>
    </>
  )
}
