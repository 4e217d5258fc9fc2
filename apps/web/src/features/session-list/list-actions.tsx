import type { SessionList } from '@gemini-dash/api'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { type SessionCriteria, sessionKeysQuery } from '../../api/sessions.ts'
import { choiceHandlers, valuesOf } from '../../lib/actions/choice-actions.ts'
import { useActions } from '../../lib/actions/use-actions.ts'
import {
  DELETED_LABELS,
  LIST_KINDS,
  LIST_ORDER_LABELS,
  LIST_TIME_LABELS,
  type ListSearch,
  NO_LIST_FILTER,
} from '../../lib/address/list-search.ts'
import { sayError } from '../../lib/browser/say.ts'
import { formatCount, formatPlural } from '../../lib/figures/format.ts'
import { lazyDialog } from '../../ui/lazy/lazy-dialog.tsx'
import { activeFilters } from './active-filters.ts'
import { offeredKinds } from './offered-kinds.ts'

const ExportSeveralDialog = lazyDialog(() => import('../../content/leaving/export-several-dialog.tsx'))

interface Props {
  search: ListSearch
  filter: SessionCriteria
  list: SessionList | undefined
  onSearch: (change: Partial<ListSearch>) => void
  onChooseRows: () => void
  /** So many sessions can leave together. */
  most: number
}

/** What the palette can do with a list: each filter and order of its toolbar, and the export of all that it shows. */
export function ListActions({ search, filter, list, onSearch, onChooseRows, most }: Props) {
  const client = useQueryClient()
  const [leaving, setLeaving] = useState<{ keys: string; said: string } | null>(null)
  const { kinds = [], deleted = 0, total = 0 } = list ?? {}
  const offered = offeredKinds(search.kind, kinds)

  async function exportShown() {
    const keys = await client.fetchQuery(sessionKeysQuery(filter, most))
    const said =
      keys.length < total
        ? `the first ${formatCount(keys.length)} of ${formatPlural(total, 'session')}`
        : formatPlural(keys.length, 'session')
    setLeaving({ keys: keys.join(','), said })
  }
  useActions({
    onlyFailed: () => void onSearch({ has: search.has === 'errors' ? undefined : 'errors' }),
    onlyLive: () => void onSearch({ has: search.has === 'live' ? undefined : 'live' }),
    onlyStarred: () => void onSearch({ starred: search.starred === undefined ? 'yes' : undefined }),
    chooseRows: () => void onChooseRows(),
    ...(total > 0 && { exportShown: () => void exportShown().catch(sayError) }),
    ...(activeFilters(search).length > 0 && { clearFilters: () => void onSearch(NO_LIST_FILTER) }),
    ...choiceHandlers('order', valuesOf(LIST_ORDER_LABELS), (sort) => onSearch({ sort: sort || undefined })),
    ...choiceHandlers('time', valuesOf(LIST_TIME_LABELS), (range) =>
      onSearch({ range: range || undefined, from: undefined, to: undefined }),
    ),
    ...(offered.length > 0 &&
      choiceHandlers('kind', ['main', ...offered], (kind) =>
        onSearch({ kind: LIST_KINDS.find((each) => each === kind), parent: undefined }),
      )),
    ...((deleted > 0 || search.deleted !== undefined) &&
      choiceHandlers('deleted', valuesOf(DELETED_LABELS), (which) =>
        onSearch({ deleted: which || undefined }),
      )),
  })
  if (leaving === null) return null
  const { keys, said } = leaving
  return (
    <Suspense>
      <ExportSeveralDialog which={{ keys }} said={said} onClose={() => setLeaving(null)} />
    </Suspense>
  )
}
