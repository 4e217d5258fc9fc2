import './session-list.css'
import '../../ui/ui.css'
import '../../ui/buttons/button.css'
import type { SessionList } from '@gemini-dash/api'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  type ComponentType,
  type CSSProperties,
  type ReactNode,
  useCallback,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { healthQuery, useHasPrices } from '../../api/queries.ts'
import { firstDayOfProgramQuery, type SessionCriteria, sessionsQuery } from '../../api/sessions.ts'
import { ExportSeveralButton } from '../../content/export/export-several-button.tsx'
import { classNames } from '../../lib/browser.ts'
import { firstDay } from '../../lib/dates.ts'
import { formatCount, formatPlural } from '../../lib/figures.ts'
import { useNow } from '../../lib/list-hooks.ts'
import { type ListSearch, NO_LIST_FILTER } from '../../lib/page-searches.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ZoneButton } from '../../ui/buttons/menu-item.tsx'
import { DrawnLater } from '../../ui/lazy.tsx'
import { Failed, SkeletonRows } from '../../ui/states.tsx'
import { addedColumns, ColumnHeads, columnWidths, shownColumns } from './columns.tsx'
import { activeFilters, ListActions } from './list-actions.tsx'
import { ScopeLine } from './scope-line.tsx'
import { type ListRow, type RowMenuProps, toListRows, VirtualRows } from './virtual-rows.tsx'

/** Limited by the length of an address. */
const MOST_PICKED = 400

type Props = {
  search: ListSearch
  /** Lists only its sessions. */
  project?: { key: string; name: string } | undefined
  /** Heading of the list. */
  heading: ReactNode
  /** Actions for the whole list, beside the filters. */
  menu?: ReactNode
  /** Between the filters and the rows. */
  notices?: ReactNode
  /** Whether notices are still pending: they would push down rows shown earlier. */
  isWaiting?: boolean
  /** Menu of a row. */
  RowMenu: ComponentType<RowMenuProps>
  onSearch: (change: Partial<ListSearch>) => void
}

/** Sessions that match the filters in the address, by day, loaded on scrolling. */
export function SessionTable({
  search,
  project,
  heading,
  menu,
  notices,
  isWaiting = false,
  RowMenu,
  onSearch,
}: Props) {
  const now = useNow()
  const hasPrices = useHasPrices()
  const filter = toSessionFilter(search, project?.key, now)
  const isByDay = search.sort === undefined
  const list = useInfiniteQuery(sessionsQuery({ ...filter, days: isByDay ? 'rows' : 'none' }))
  /** A cached list is drawn at once. */
  const [wasPending] = useState(list.isPending)
  /** Keys of sessions selected for comparison or export; null: rows open. */
  const [picked, setPicked] = useState<readonly string[] | null>(null)
  const added = useSyncExternalStore(addedColumns.subscribe, addedColumns.get)
  const isOfOneProject = project !== undefined
  const columns = useMemo(() => shownColumns(added, isOfOneProject), [added, isOfOneProject])
  const pages = list.data?.pages
  const first = pages?.[0]
  // Rows are redrawn only if one of these changes.
  const since = useFirstDayOfNewer(first, project?.key, isByDay && search.source === undefined)
  const rows = useMemo(() => toRows(pages ?? [], isByDay, since), [pages, isByDay, since])
  const shownCount = useMemo(() => rows.filter(({ kind }) => kind === 'session').length, [rows])
  const pick = useCallback((key: string) => setPicked((before) => withPick(before ?? [], key)), [])
  const loading = <SkeletonRows count={12} label="Loading sessions" />
  const drawRows = () => (
    <>
      <ColumnHeads columns={columns} sort={search.sort} />
      <VirtualRows
        rows={rows}
        columns={columns}
        now={now}
        RowMenu={RowMenu}
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
      <ScopeLine {...{ list: first, search, project, hasPrices, menu, onSearch }}>{heading}</ScopeLine>
      {notices}
      <div
        className={classNames('session-list', list.isPlaceholderData && 'stale')}
        style={{ '--columns': columnWidths(columns) } as CSSProperties}
      >
        {(list.isPending || isWaiting) && loading}
        {list.isError && shownCount === 0 && (
          <Failed
            what="The sessions could not be loaded."
            error={list.error}
            onRetry={() => list.refetch()}
          />
        )}
        {first?.total === 0 && !isWaiting && !list.isPlaceholderData && (
          <NoMatch
            search={search}
            emptyCount={filter.empty === 'exclude' ? first.empty : 0}
            onSearch={onSearch}
          />
        )}
        {shownCount > 0 &&
          !isWaiting &&
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

/** For a project with sessions of both programs; null: no mark. */
function useFirstDayOfNewer(
  list: SessionList | undefined,
  project: string | undefined,
  isMarked: boolean,
): string | null {
  const enabled = isMarked && project !== undefined && (list?.sources.length ?? 0) > 1
  const query = firstDayOfProgramQuery(project ?? '', 'antigravity-cli')
  return useQuery({ ...query, enabled }).data ?? null
}

function toRows(pages: readonly SessionList[], isByDay: boolean, since: string | null): ListRow[] {
  const days = isByDay ? pages.flatMap((page) => page.days) : null
  return toListRows(
    pages.flatMap(({ sessions }) => sessions),
    days,
    since,
  )
}

function withPick(picked: readonly string[], key: string): string[] {
  return picked.includes(key) ? picked.filter((each) => each !== key) : [...picked, key].slice(-MOST_PICKED)
}

/** How much of the list is shown, progress of the scan, and the time zone. */
function ListFoot({ shown, total, children }: { shown: number; total: number; children: ReactNode }) {
  const index = useQuery(healthQuery()).data?.index
  return (
    <p className="session-list-foot meta">
      <span>
        {shown < total
          ? `${formatCount(shown)} of ${formatPlural(total, 'session')}`
          : formatPlural(total, 'session')}
      </span>
      {children}
      {index?.state === 'ready' && <span>Index complete</span>}
      <span>
        Times in <ZoneButton />
      </span>
    </p>
  )
}

/** Empty sessions are hidden; this link shows them. */
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

/** Number of selected sessions, with actions. */
function PickBar({ keys, onEnd }: PickBarProps) {
  const [a, b] = keys
  const said = formatPlural(keys.length, 'session')
  return (
    <div className="pick-bar">
      <span role="status">
        {keys.length === 0 ? 'Select two sessions to compare, or any to export.' : `${said} selected.`}
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
  /** Number of matching sessions hidden for being empty. */
  emptyCount: number
  onSearch: (change: Partial<ListSearch>) => void
}

/** No session matches: ways to see more. */
function NoMatch({ search, emptyCount, onSearch }: NoMatchProps) {
  const filters = activeFilters(search)
  const [filter] = filters
  const first = filters.length === 1 ? firstWords(search) : null
  const isOfTime = filters.length === 1 && filter?.isTime === true
  const head = isOfTime ? `Nothing in the ${filter.words}` : 'No matching sessions'
  return (
    <div className="blank-state sheet mt-2">
      <h2>{first?.head ?? (filters.length > 0 ? head : 'No sessions here')}</h2>
      {first !== null && <p>{first.hint}</p>}
      {emptyCount > 0 && (
        <p>
          <EmptyNotShown count={emptyCount} onShow={() => onSearch({ kind: 'empty' })} />
        </p>
      )}
      {filters.length > 0 && (
        <Button onClick={() => onSearch(NO_LIST_FILTER)}>
          {isOfTime ? 'Show all time' : 'Clear filter'}
        </Button>
      )}
    </div>
  )
}

/** What a built-in view will contain, while it is empty. */
function firstWords({ starred, kind }: ListSearch): { head: string; hint: string } | null {
  if (starred !== undefined)
    return { head: 'Nothing is starred here', hint: 'Press s on a session, or use its menu of more actions.' }
  if (kind === 'checkpoint')
    return { head: 'No saved chats', hint: 'Chats you saved with /chat save appear here.' }
  if (kind === 'prompts-only')
    return { head: 'No such prompts', hint: 'Prompts that aren’t in any session file appear here.' }
  return null
}

/** The filters in API form. */
export function toSessionFilter(search: ListSearch, project: string | undefined, now: Date): SessionCriteria {
  return {
    project,
    title: search.q,
    model: search.model,
    tool: search.tool,
    attachments: search.attachments && 'true',
    has: search.has,
    deleted: search.deleted,
    starred: search.starred === 'yes' ? 'true' : undefined,
    tag: search.tag,
    kind: search.kind,
    // empty sessions have their own kind
    empty: search.kind === undefined ? 'exclude' : undefined,
    parent: search.parent,
    home: search.home,
    source: search.source,
    sort: search.sort,
    from: search.range ? firstDay(search.range, now) : search.from,
    to: search.range ? undefined : search.to,
  }
}
