import '../../ui/ui.css'
import './search.css'
import type { SearchResult } from '@gemini-dash/api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useRef } from 'react'
import { isGoingOn, type SearchRequest, searchQuery, stopSearch } from '../../api/search.ts'
import { ExportSeveralButton } from '../../content/export/export-several-button.tsx'
import { choiceHandlers, optionsOf, valuesOf } from '../../lib/action-table.ts'
import { classNames } from '../../lib/browser.ts'
import { addDays, currentTime, firstDay, timeZone } from '../../lib/dates.ts'
import { formatCount, formatPlural } from '../../lib/figures.ts'
import { useShownPages } from '../../lib/list-hooks.ts'
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
} from '../../lib/page-searches.ts'
import { forgetSearches, useRecentSearches } from '../../lib/session-search.ts'
import { useActions } from '../../lib/use-actions.ts'
import { Button, DrawerButton, SelectButton } from '../../ui/buttons/button.tsx'
import { Failed, Notice, SkeletonRows } from '../../ui/states.tsx'
import { joinParts } from './join-parts.ts'
import { groupHits, ResultGroup } from './result.tsx'

type Props = {
  search: FindSearch
  /** `isSameStep`: replaces the history entry. */
  onSearch: (change: Partial<FindSearch>, isSameStep?: boolean) => void
}

const SORTS = optionsOf(SEARCH_ORDER_LABELS)

/** Results by session; the previous answer stays, dimmed, until the new one arrives. */
export function SearchResults({ search, onSearch }: Props) {
  const request = toSearchRequest(search)
  const result = useInfiniteQuery(searchQuery(request))
  useShownPages(result, search.pages)
  const hitsRef = useHitKeys()
  const pages = result.data?.pages ?? []
  const joined = joinParts(pages)
  const sessions: SearchResult['sessions'] = Object.assign({}, ...pages.map((page) => page.sessions))
  const groups = groupHits(pages.flatMap((page) => page.hits))
  const { coverage, notes, total = 0, sessionTotal = 0, state = 'complete' } = joined ?? {}
  const stoppedAfter = state === 'complete' ? (joined?.partial?.seconds ?? null) : null
  const isCut = stoppedAfter !== null
  const isGoingOnNext = isGoingOn(joined?.nextCursor)
  const loadNext = () => onSearch({ pages: pages.length + 1 }, true)
  return (
    <>
      <div className="search-toolbar">
        <h1 className="result-count page-title" aria-live={state === 'growing' ? 'off' : 'polite'}>
          {joined && !result.isError ? (
            <>
              {formatPlural(total, 'result')}
              {sessionTotal !== null && ` in ${formatPlural(sessionTotal, 'session')}`}
              {(state === 'growing' || isCut) && ' so far'}
            </>
          ) : (
            'Search'
          )}
        </h1>
        <DrawerButton label="Filters" />
        <SelectButton
          label="Order"
          value={search.sort ?? ''}
          options={SORTS}
          onChange={(sort) => onSearch({ sort: sort === 'recent' ? sort : undefined })}
        />
      </div>
      {/* a different element than its placeholder, which was elsewhere and without the days */}
      <div
        key={result.isPending ? 'pending' : 'results'}
        className={classNames('results grid gap-2', result.isPlaceholderData && 'stale')}
      >
        {coverage && (state !== 'complete' || isCut) && (
          <ScanProgress
            coverage={coverage}
            state={state !== 'complete' ? state : result.isFetchingNextPage ? 'going-on' : 'cut'}
            seconds={stoppedAfter}
            onStop={() => stopSearch(request)}
            onGoOn={!isCut ? () => void result.refetch() : isGoingOnNext ? loadNext : null}
          />
        )}
        {notes?.map((note) => (
          <Notice key={note}>{note}</Notice>
        ))}
        {result.isPending && <SkeletonRows count={8} label="Searching" />}
        {result.isError && (
          <Failed what="The search failed." error={result.error} onRetry={() => void result.refetch()} />
        )}
        {joined?.named && (
          <Notice>
            This is a session’s id:{' '}
            <Link to="/s/$key" params={{ key: joined.named.key }} className="link" dir="auto">
              {joined.named.title || joined.named.key}
            </Link>
          </Notice>
        )}
        {joined &&
          total === 0 &&
          state === 'complete' &&
          !isCut &&
          !result.isError &&
          !result.isPlaceholderData && <NothingFound search={search} result={joined} onSearch={onSearch} />}
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
        {joined && groups.length > 0 && !result.isError && (
          <p className="search-foot meta">
            {sessionTotal !== null &&
              groups.length < sessionTotal &&
              formatPlural(sessionTotal - groups.length, 'more session')}
            {result.hasNextPage && !isGoingOnNext && (
              <Button disabled={result.isFetchingNextPage} onClick={loadNext}>
                Show more
              </Button>
            )}
            <span>
              Press <kbd className="key-cap">?</kbd> in the search box for filters such as <code>file:</code>,{' '}
              <code>tool:</code> and <code>"exact words"</code>.
            </span>
            {state === 'complete' && !isCut && (
              <ExportSeveralButton
                action="exportFound"
                which={{ ...request, sort: undefined, tz: timeZone() }}
                said={sessionTotal === null ? 'the sessions' : formatPlural(sessionTotal, 'session')}
              />
            )}
          </p>
        )}
      </div>
    </>
  )
}

type ScanProgressProps = {
  coverage: SearchResult['coverage']
  /** `cut`: hit the time limit; `going-on`: continued from there. */
  state: 'growing' | 'stopped' | 'cut' | 'going-on'
  /** The time limit that was hit. */
  seconds: number | null
  onStop: () => void
  /** null while unshown hits remain. */
  onGoOn: (() => void) | null
}

/** Progress of a search over the files, with a button to stop or continue it. */
function ScanProgress({ coverage, state, seconds, onStop, onGoOn }: ScanProgressProps) {
  const { filesDone, filesTotal } = coverage
  const isRunning = state === 'growing' || state === 'going-on'
  const press = isRunning ? onStop : onGoOn
  const words = {
    growing: 'Searching',
    stopped: 'Stopped after',
    cut: `Stopped after ${formatPlural(seconds ?? 0, 'second')}: searched`,
    'going-on': 'Searching on from',
  }
  return (
    <div className="scan-progress meta">
      <p role={state === 'growing' ? undefined : 'status'}>
        {words[state]} {formatCount(filesDone)} of {formatPlural(filesTotal, 'file')}, newest first
      </p>
      <progress max={filesTotal} value={filesDone} aria-label="Files searched" />
      {press !== null && (
        <Button look="quiet" size="tiny" onClick={press}>
          {isRunning ? 'Stop' : state === 'cut' ? 'Search on' : 'Search all'}
        </Button>
      )}
    </div>
  )
}

/** j and k move the focus between hits, so that Enter and screen readers follow. Returns the ref for the container. */
function useHitKeys(): RefObject<HTMLDivElement | null> {
  const results = useRef<HTMLDivElement>(null)
  function step(direction: 1 | -1): undefined {
    const hits = [
      ...(results.current?.querySelectorAll<HTMLElement>('.hit, .result-group-head:has(mark) a') ?? []),
    ]
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
  result: Pick<SearchResult, 'didYouMean' | 'relax' | 'otherwise'>
  onSearch: (change: Partial<FindSearch>) => void
}

/** No hits: suggestions and relaxed queries, each with its number of hits. */
function NothingFound({ search, result, onSearch }: NothingFoundProps) {
  const { didYouMean, relax, otherwise = [] } = result
  const exact = otherwise.find(({ kind }) => kind === 'exact')
  const mode = search.mode === undefined ? ('substring' as const) : undefined
  return (
    <div className="blank-state sheet">
      <h2 dir="auto">Nothing found for “{search.q}”</h2>
      {otherwise
        .filter(({ kind }) => kind !== 'exact')
        .map(({ sentence, sessions }) => (
          <div key={sentence}>
            <p dir="auto">{sentence}</p>
            {sessions.map(({ key, title }) => (
              <p key={key}>
                <Link to="/s/$key" params={{ key }} className="link" dir="auto">
                  {title || key}
                </Link>
              </p>
            ))}
          </div>
        ))}
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
            Without {label}: {formatPlural(total, 'result')}
          </Button>
        ))}
        <Button onClick={() => onSearch({ mode })}>
          {mode === undefined ? 'Search for words' : 'Match parts of words'}
          {exact !== undefined && `: ${formatPlural(exact.total ?? 0, 'result')}`}
        </Button>
      </div>
    </div>
  )
}

function changeFor(parameter: SearchResult['relax'][number]['parameter'], q: string): Partial<FindSearch> {
  if (parameter === null) return { q }
  return parameter === 'time' ? NO_TIME : { [parameter]: undefined }
}

/** The address in API form: `to` is exclusive. A single day takes precedence over a range. */
export function toSearchRequest(
  { q, day, range, from, to, pages: _, ...filters }: FindSearch,
  now = currentTime(),
): SearchRequest {
  const asked = { ...filters, q: q?.trim() }
  if (day !== undefined) return { ...asked, from: day, to: addDays(day, 1) }
  if (range !== undefined) return { ...asked, from: firstDay(range, now) }
  return { ...asked, from, to }
}

/** Before any search: recent searches and examples. */
export function SearchStart() {
  const recent = useRecentSearches()
  return (
    <div className="blank-state sheet mt-3">
      <h2>Every word of every session</h2>
      <p>Prompts, answers, thoughts, tool calls and what they returned, in all projects.</p>
      {recent.length > 0 && (
        <section className="recent-searches" aria-label="Recent searches">
          <h3>
            Recent searches
            <Button look="quiet" size="tiny" onClick={clear}>
              Clear
            </Button>
          </h3>
          <ul>
            {recent.map((query) => (
              <li key={query}>
                <Link to="/search" search={{ q: query }} className="link" dir="auto">
                  {query}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <dl className="cheatsheet">
        <Example typed="price rounding">both words, in any order</Example>
        <Example typed={'"price rounding"'}>the phrase</Example>
        <Example typed="rounding -lockfile">exclude a word</Example>
        <Example typed="voucher OR coupon">either word; use parentheses</Example>
        <Example typed="round*">words starting with it</Example>
        <Example typed="価格">works in Chinese and Japanese</Example>
        <Example typed="project:webshop model:*flash*">in sessions of a project, with a model</Example>
        <Example typed="tool:run_shell_command is:error">messages whose shell command failed</Example>
        <Example typed="in:prompt,answer">by you or the model; also thought, tool-args, tool-output</Example>
        <Example typed="file:src/*.ts has:diff">edits of these files</Example>
        <Example typed="is:superseded">rewound or compressed messages; also live, subagent</Example>
        <Example typed="tokens:>50k cost:>0.10">large and expensive calls</Example>
        <Example typed="after:-7d before:yesterday">when; also 2026-01-31 or monday</Example>
        <Example typed="session:477739d0">in one session</Example>
        <Example typed="is:starred tag:later note:proxy">what you marked: stars, tags and notes</Example>
      </dl>
    </div>
  )
}

/** The button disappears with what it clears and passes the focus to the input. */
function clear() {
  forgetSearches()
  document.querySelector<HTMLElement>('.one-box input')?.focus()
}

function Example({ typed, children }: { typed: string; children: ReactNode }) {
  return (
    <>
      <dt>
        <Link to="/search" search={{ q: typed }} className="link">
          <code>{typed}</code>
        </Link>
      </dt>
      <dd>{children}</dd>
    </>
  )
}

/** Actions of a search in the palette: facets of time, speaker and state, and switches; before a search, clearing the recent ones. */
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
