import './session-list.css'
import '../../ui/states/load-state.css'
import './picking.css'
import '../../ui/buttons/button.css'
import type { SessionList } from '@gemini-dash/api'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { doctorNotesQuery } from '../../api/doctor.ts'
import { healthQuery, useHasPrices } from '../../api/health.ts'
import { hitCountQuery } from '../../api/search.ts'
import { sessionsQuery } from '../../api/sessions.ts'
import { ExportSeveralButton } from '../../content/leaving/export-several-button.tsx'
import type { ListSearch } from '../../lib/address/list-search.ts'
import { classNames } from '../../lib/browser/class-names.ts'
import { formatCount, formatPlural } from '../../lib/figures/format.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ZoneButton } from '../../ui/buttons/zone-button.tsx'
import { DrawnLater } from '../../ui/lazy/drawn-later.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import { activeFilters } from './active-filters.ts'
import { ColumnHeads } from './column-heads.tsx'
import { ListActions } from './list-actions.tsx'
import { type ListRow, toListRows } from './list-rows.ts'
import { ListStrip } from './list-strip.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { toSessionFilter } from './to-session-filter.ts'
import { VirtualRows } from './virtual-rows.tsx'

/** An address has no room for more keys. */
const MOST_PICKED = 400

type Props = {
  search: ListSearch
  /** Only its sessions. */
  project?: { key: string; name: string }
  onSearch: (change: Partial<ListSearch>) => void
}

/** All sessions under the filter of the address, by day, loaded as far as one scrolls. */
export function SessionTable({ search, project, onSearch }: Props) {
  const now = useNow()
  const hasPrices = useHasPrices()
  const filter = toSessionFilter(search, project?.key, now)
  const isByDay = search.sort === undefined
  const list = useInfiniteQuery(sessionsQuery({ ...filter, days: isByDay ? 'rows' : 'none' }))
  /** A list that was here before is drawn at once. */
  const [wasPending] = useState(list.isPending)
  const doctor = useQuery(doctorNotesQuery())
  /** Keys of the sessions that are picked to be compared or exported; null: rows open. */
  const [picked, setPicked] = useState<readonly string[] | null>(null)
  const pages = list.data?.pages
  const first = pages?.[0]
  // The rows are drawn again only where one of these is new.
  const rows = useMemo(() => toRows(pages ?? [], isByDay), [pages, isByDay])
  const shownCount = useMemo(() => rows.filter(({ kind }) => kind === 'session').length, [rows])
  const reasons = useMemo(
    () => new Map(doctor.data?.reasons.map(({ path, reason }) => [path, reason])),
    [doctor.data],
  )
  const pick = useCallback((key: string) => setPicked((before) => withPick(before ?? [], key)), [])
  const loading = <SkeletonRows count={12} label="Loading sessions" />
  const drawRows = () => (
    <>
      <ColumnHeads sort={search.sort} onSort={(sort) => onSearch({ sort })} />
      <VirtualRows
        rows={rows}
        filter={filter}
        reasons={reasons}
        now={now}
        picked={picked}
        onPick={pick}
        hasMore={list.hasNextPage}
        onNearEnd={() => !list.isFetchingNextPage && void list.fetchNextPage()}
      />
      <ListFoot shown={shownCount} total={first?.total ?? 0}>
        {first !== undefined && filter.empty === 'exclude' && (
          <EmptyNotShown count={first.empty} onShow={() => onSearch({ kind: 'empty' })} />
        )}
      </ListFoot>
    </>
  )
  return (
    <>
      <ListStrip list={first} search={search} filter={filter} project={project} hasPrices={hasPrices} />
      <ListToolbar
        search={search}
        list={first}
        onChange={onSearch}
        isPicking={picked !== null}
        onPicking={(isPicking) => setPicked(isPicking ? [] : null)}
      />
      <div
        className={classNames(
          'session-list',
          project !== undefined && 'of-one-project',
          list.isPlaceholderData && 'stale',
        )}
      >
        {list.isPending && loading}
        {list.isError && shownCount === 0 && (
          <Failed
            what="The sessions could not be loaded."
            error={list.error}
            onRetry={() => list.refetch()}
          />
        )}
        {first?.total === 0 && !list.isPlaceholderData && (
          <NoMatch
            search={search}
            projectKey={project?.key}
            emptyCount={filter.empty === 'exclude' ? first.empty : 0}
            onSearch={onSearch}
          />
        )}
        {shownCount > 0 &&
          (wasPending ? <DrawnLater placeholder={loading}>{drawRows}</DrawnLater> : drawRows())}
      </div>
      <ListActions
        search={search}
        filter={filter}
        list={first}
        onSearch={onSearch}
        onChooseRows={() => setPicked(picked === null ? [] : null)}
        most={MOST_PICKED}
      />
      {picked !== null && <PickBar keys={picked} onEnd={() => setPicked(null)} />}
    </>
  )
}

function toRows(pages: readonly SessionList[], isByDay: boolean): ListRow[] {
  const days = isByDay ? pages.flatMap((page) => page.days) : null
  return toListRows(
    pages.flatMap(({ sessions }) => sessions),
    days,
  )
}

function withPick(picked: readonly string[], key: string): string[] {
  return picked.includes(key) ? picked.filter((each) => each !== key) : [...picked, key].slice(-MOST_PICKED)
}

/** How much of the list is shown, how much of the disk is read, and in which zone the times are. */
function ListFoot({ shown, total, children }: { shown: number; total: number; children: ReactNode }) {
  const index = useQuery(healthQuery()).data?.index
  return (
    <p className="session-list-foot">
      <span>
        {shown < total
          ? `${formatCount(shown)} of ${formatPlural(total, 'session')}`
          : formatPlural(total, 'session')}
      </span>
      {children}
      {index?.state === 'ready' && <span>All files indexed</span>}
      <span>
        Times in <ZoneButton />
      </span>
    </p>
  )
}

/** Sessions in which nothing was said are left out; here is the way to them. */
function EmptyNotShown({ count, onShow }: { count: number; onShow: () => void }) {
  if (count === 0) return null
  return (
    <span>
      {formatPlural(count, 'empty session')} not shown{' '}
      <Button look="quiet" size="tiny" onClick={onShow}>
        Show
      </Button>
    </span>
  )
}

interface PickBarProps {
  keys: readonly string[]
  onEnd: () => void
}

/** How many sessions are picked, and what can be done with them. */
function PickBar({ keys, onEnd }: PickBarProps) {
  const [a, b] = keys
  const said = formatPlural(keys.length, 'session')
  return (
    <div className="pick-bar">
      <span role="status">
        {keys.length === 0 ? 'Choose sessions: two to compare, any to export.' : `${said} chosen.`}
      </span>
      {keys.length > 0 && <ExportSeveralButton which={{ keys: keys.join(',') }} said={said} />}
      {b !== undefined && keys.length === 2 && (
        <Link to="/compare" search={{ a, b }} className="button primary">
          Compare the two
        </Link>
      )}
      <Button look="quiet" onClick={onEnd}>
        Cancel
      </Button>
    </div>
  )
}

type NoMatchProps = {
  search: ListSearch
  projectKey: string | undefined
  /** Sessions that match but are left out, as nothing was said in them. */
  emptyCount: number
  onSearch: (change: Partial<ListSearch>) => void
}

/** No session passes the filter: which filters there are, each of them to be dropped. */
function NoMatch({ search, projectKey, emptyCount, onSearch }: NoMatchProps) {
  const filters = activeFilters(search)
  const first = filters.length === 1 ? firstWords(search) : null
  return (
    <div className="blank-state sheet mt-2">
      <h2>{first?.head ?? (filters.length > 0 ? 'No session matches' : 'No sessions here')}</h2>
      {first !== null && <p>{first.hint}</p>}
      {emptyCount > 0 && (
        <p>
          <EmptyNotShown count={emptyCount} onShow={() => onSearch({ kind: 'empty' })} />
        </p>
      )}
      {filters.length > 0 && (
        <div className="chips">
          {search.q !== undefined && <HitsInside q={search.q} project={projectKey} />}
          {filters.map((filter) => (
            <Button key={filter.words} onClick={() => onSearch(filter.change)}>
              Remove filter: {filter.words}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

/** Views that stand in menus before there is anything in them: what will be. */
function firstWords({ starred, kind }: ListSearch): { head: string; hint: string } | null {
  if (starred !== undefined)
    return { head: 'Nothing is starred here', hint: 'Each session has a star beside its title.' }
  if (kind === 'checkpoint')
    return { head: 'No saved chats', hint: 'What you keep in Gemini CLI with /chat save stands here.' }
  if (kind === 'prompts-only')
    return { head: 'No such prompts', hint: 'What you typed, and no session file holds, stands here.' }
  return null
}

/** What no title has, something that was said may have. */
function HitsInside({ q, project }: { q: string; project: string | undefined }) {
  const total = useQuery(hitCountQuery(q, project)).data?.total ?? 0
  if (total === 0) return null
  return (
    <Link to="/search" search={{ q, project }} className="button primary" dir="auto">
      {formatPlural(total, 'hit')} for “{q}” inside sessions
    </Link>
  )
}
