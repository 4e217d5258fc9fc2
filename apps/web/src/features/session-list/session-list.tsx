import './session-list.css'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { doctorQuery } from '../../api/doctor.ts'
import { sessionsQuery } from '../../api/sessions.ts'
import type { ListSearch } from '../../lib/address/list-search.ts'
import { classNames } from '../../lib/browser/class-names.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { DrawnLater } from '../../ui/lazy/drawn-later.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import { ColumnHeads } from './column-heads.tsx'
import { ListFoot } from './list-foot.tsx'
import { toListRows } from './list-rows.ts'
import { ListToolbar } from './list-toolbar.tsx'
import { NoMatch } from './no-match.tsx'
import { PickBar } from './pick-bar.tsx'
import { toSessionFilter } from './to-session-filter.ts'
import { VirtualRows } from './virtual-rows.tsx'

type Props = {
  search: ListSearch
  /** Only this project's sessions. */
  projectKey?: string
  onSearch: (change: Partial<ListSearch>) => void
}

/** All sessions under the filter of the address, by day, loaded as far as one scrolls. */
export function SessionList({ search, projectKey, onSearch }: Props) {
  const now = useNow()
  const filter = toSessionFilter(search, projectKey, now)
  const list = useInfiniteQuery(sessionsQuery(filter))
  /** A list that was here before is drawn at once. */
  const [wasPending] = useState(list.isPending)
  const doctor = useQuery(doctorQuery())
  /** Keys of the sessions that are picked to be compared; null: rows open. */
  const [picked, setPicked] = useState<readonly string[] | null>(null)
  const pages = list.data?.pages ?? []
  const sessions = pages.flatMap((page) => page.sessions)
  const isByDay = search.sort === undefined
  const reasons = new Map(doctor.data?.files.skipped.map((file) => [file.path, file.reason]))
  const loading = <SkeletonRows count={12} label="Loading sessions" />
  const drawRows = () => (
    <>
      <ColumnHeads />
      <VirtualRows
        rows={toListRows(sessions, isByDay ? (pages[0]?.days ?? []) : null)}
        filter={filter}
        reasons={reasons}
        now={now}
        picked={picked}
        onPick={(key) => setPicked((before) => withPick(before ?? [], key))}
        hasMore={list.hasNextPage}
        onNearEnd={() => !list.isFetchingNextPage && void list.fetchNextPage()}
      />
      <ListFoot shown={sessions.length} total={pages[0]?.total ?? 0} />
    </>
  )
  return (
    <>
      <ListToolbar
        search={search}
        models={pages[0]?.models ?? []}
        onChange={onSearch}
        isPicking={picked !== null}
        onPicking={(isPicking) => setPicked(isPicking ? [] : null)}
      />
      <div
        className={classNames(
          'session-list',
          projectKey !== undefined && 'of-one-project',
          list.isPlaceholderData && 'stale',
        )}
      >
        {list.isPending && loading}
        {list.isError && sessions.length === 0 && (
          <Failed
            what="The sessions could not be loaded."
            error={list.error}
            onRetry={() => list.refetch()}
          />
        )}
        {pages[0]?.total === 0 && <NoMatch search={search} onSearch={onSearch} />}
        {sessions.length > 0 &&
          (wasPending ? <DrawnLater placeholder={loading}>{drawRows}</DrawnLater> : drawRows())}
      </div>
      {picked !== null && <PickBar keys={picked} onEnd={() => setPicked(null)} />}
    </>
  )
}

/** Two at most: a third takes the place of the first. */
function withPick(picked: readonly string[], key: string): string[] {
  return picked.includes(key) ? picked.filter((each) => each !== key) : [...picked, key].slice(-2)
}
