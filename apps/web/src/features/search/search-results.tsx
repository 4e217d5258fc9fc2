import '../../ui/states/load-state.css'
import type { SearchResult } from '@gemini-dash/api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type RefObject, useRef } from 'react'
import { leadsOn, searchQuery, stopSearch } from '../../api/search.ts'
import { ExportSeveralButton } from '../../content/leaving/export-several-button.tsx'
import { optionsOf } from '../../lib/actions/choice-actions.ts'
import { useActions } from '../../lib/actions/use-actions.ts'
import {
  type FindSearch,
  NO_TIME,
  SEARCH_MODE_LABELS,
  SEARCH_ORDER_LABELS,
} from '../../lib/address/find-search.ts'
import { classNames } from '../../lib/browser/class-names.ts'
import { formatCount, formatPlural } from '../../lib/figures/format.ts'
import { timeZone } from '../../lib/figures/time-zone.ts'
import { useShownPages } from '../../lib/hooks/use-shown-pages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import { DayHistogram } from './day-histogram.tsx'
import { joinParts } from './join-parts.ts'
import { groupHits } from './result/group-hits.ts'
import { ResultGroup } from './result/result-group.tsx'
import { SearchProgress, StoppedSearch } from './search-progress.tsx'
import { toSearchRequest } from './to-search-request.ts'

type Props = {
  search: FindSearch
  /** `isSameStep`: back does not lead to what was before. */
  onSearch: (change: Partial<FindSearch>, isSameStep?: boolean) => void
}

const MODE_TITLES = {
  '': 'Whole words, in any order; "quoted" words as a phrase',
  substring: 'These characters, also within words',
  regex:
    'A pattern of letters and signs (a regular expression): price|cost finds either word; (?-i) makes case matter',
}
const MODES = optionsOf(SEARCH_MODE_LABELS).map((mode) => ({ ...mode, title: MODE_TITLES[mode.value] }))
const SORTS = optionsOf(SEARCH_ORDER_LABELS)

/** What was found, by session; an earlier answer stays, dimmed, until the new one is there. */
export function SearchResults({ search, onSearch }: Props) {
  const request = toSearchRequest(search)
  const result = useInfiniteQuery(searchQuery(request))
  useShownPages(result, search.pages)
  const hitsRef = useHitKeys()
  const pages = result.data?.pages ?? []
  const first = joinParts(pages)
  const sessions: SearchResult['sessions'] = Object.assign({}, ...pages.map((page) => page.sessions))
  const groups = groupHits(pages.flatMap((page) => page.hits))
  const { coverage, notes, state = 'complete' } = first ?? {}
  const stoppedAfter = state === 'complete' ? (first?.partial?.seconds ?? null) : null
  return (
    <>
      {first && <DayHistogram days={first.facets.day} chosenDay={search.day} />}
      {/* seen when the days above it are, as these move it */}
      <div className={classNames('search-toolbar', result.isPending && 'invisible')}>
        <p className="result-count" aria-live={state === 'growing' ? 'off' : 'polite'}>
          {first && !result.isError && (
            <>
              <b>{formatPlural(first.total, 'hit')}</b>
              {first.sessionTotal !== null && ` in ${formatPlural(first.sessionTotal, 'session')}`}
              {(state === 'growing' || stoppedAfter !== null) && ' so far'}
            </>
          )}
        </p>
        {groups.length > 0 && state === 'complete' && stoppedAfter === null && !result.isError && (
          <ExportSeveralButton
            action="exportFound"
            which={{ ...request, sort: undefined, tz: timeZone() }}
            said={first?.sessionTotal == null ? 'the sessions' : formatPlural(first.sessionTotal, 'session')}
          />
        )}
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
      {/* another one than what stood for it: that stood elsewhere, without the days */}
      <div
        key={result.isPending ? 'pending' : 'results'}
        className={classNames('results grid gap-2', result.isPlaceholderData && 'stale')}
      >
        {coverage && state !== 'complete' && (
          <SearchProgress
            coverage={coverage}
            state={state}
            onStop={() => stopSearch(request)}
            onGoOn={() => void result.refetch()}
          />
        )}
        {first && stoppedAfter !== null && (
          <StoppedSearch
            {...{ request, stoppedAfter, first, onSearch }}
            loaded={pages.length}
            isSearchingOn={result.isFetchingNextPage}
          />
        )}
        {coverage &&
          state === 'complete' &&
          stoppedAfter === null &&
          coverage.filesDone < coverage.filesTotal && (
            <Notice>
              Searched {formatCount(coverage.filesDone)} of {formatPlural(coverage.filesTotal, 'session')}.
              The index is still being built, newest first.
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
        {first?.total === 0 &&
          state === 'complete' &&
          stoppedAfter === null &&
          !result.isError &&
          !result.isPlaceholderData && <NothingFound search={search} result={first} onSearch={onSearch} />}
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
            {first.sessionTotal !== null && groups.length < first.sessionTotal && (
              <span>
                {formatCount(groups.length)} of {formatPlural(first.sessionTotal, 'session')}
              </span>
            )}
            {result.hasNextPage && !leadsOn(first) && (
              <Button
                look="quiet"
                disabled={result.isFetchingNextPage}
                onClick={() => onSearch({ pages: pages.length + 1 }, true)}
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

/** j and k walk the hits by moving the focus, so that Enter and screen readers follow. Takes the element around them. */
function useHitKeys(): RefObject<HTMLDivElement | null> {
  const results = useRef<HTMLDivElement>(null)
  function step(direction: 1 | -1): undefined {
    const hits = [...(results.current?.querySelectorAll<HTMLElement>('.hit') ?? [])]
    const from = document.activeElement instanceof HTMLElement ? hits.indexOf(document.activeElement) : -1
    const position = from === -1 && direction === -1 ? hits.length - 1 : from + direction
    hits[position]?.focus()
  }
  useActions({
    nextRow: () => step(1),
    previousRow: () => step(-1),
    openRowInTab: () => {
      const hit = document.activeElement
      if (!(hit instanceof HTMLAnchorElement) || !results.current?.contains(hit)) return false
      window.open(hit.href, '_blank', 'noopener')
      return undefined
    },
  })
  return results
}

type NothingFoundProps = {
  search: FindSearch
  result: Pick<SearchResult, 'didYouMean' | 'relax'>
  onSearch: (change: Partial<FindSearch>) => void
}

/** No hit: what was meant perhaps, and what could be relaxed, each by one click and with what it would give. */
function NothingFound({ search, result, onSearch }: NothingFoundProps) {
  const { didYouMean, relax } = result
  const mode = search.mode === undefined ? ('substring' as const) : undefined
  return (
    <div className="blank-state sheet">
      <h2 dir="auto">Nothing found for “{search.q}”</h2>
      {didYouMean !== null && (
        <p>
          Did you mean{' '}
          <button type="button" className="link" dir="auto" onClick={() => onSearch({ q: didYouMean })}>
            {didYouMean}
          </button>
          ?
        </p>
      )}
      <div className="chips">
        {relax.map(({ label, q, parameter, total }) => (
          <Button key={`${parameter} ${label}`} onClick={() => onSearch(changeFor(parameter, q))}>
            Without {label}: {formatPlural(total, 'hit')}
          </Button>
        ))}
        <Button onClick={() => onSearch({ mode })}>
          {mode === undefined ? 'Search for words' : 'Search for parts of words'}
        </Button>
      </div>
    </div>
  )
}

function changeFor(parameter: SearchResult['relax'][number]['parameter'], q: string): Partial<FindSearch> {
  if (parameter === null) return { q }
  return parameter === 'time' ? NO_TIME : { [parameter]: undefined }
}
