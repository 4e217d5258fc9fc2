import type { SessionList } from '@gemini-dash/api'
import { SOURCE_NAMES, SOURCES } from '@gemini-dash/api/source-names'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useHomes } from '../../api/queries.ts'
import { type SessionCriteria, sessionKeysQuery } from '../../api/sessions.ts'
import { usageQuery } from '../../api/usage.ts'
import { choiceHandlers, optionsOf, valuesOf } from '../../lib/action-table.ts'
import { sayError } from '../../lib/copy.ts'
import { addDays, formatDate, startOfDay } from '../../lib/dates.ts'
import { formatCount, formatModel, formatPlural } from '../../lib/figures.ts'
import {
  DELETED_LABELS,
  LIST_KIND_LABELS,
  LIST_KINDS,
  LIST_ORDER_LABELS,
  LIST_TIME_LABELS,
  type ListKind,
  type ListSearch,
  NO_LIST_FILTER,
  RANGE_LABELS,
} from '../../lib/page-searches.ts'
import { useActions } from '../../lib/use-actions.ts'
import { PanelCheck, PanelSelect } from '../../ui/buttons/button.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'

const ExportSeveralDialog = lazyDialog(() => import('../../content/export/export-several-dialog.tsx'))

interface Props {
  search: ListSearch
  filter: SessionCriteria
  list: SessionList | undefined
  onSearch: (change: Partial<ListSearch>) => void
  onChooseRows: () => void
  /** Limit of sessions per export. */
  most: number
}

/** Palette actions of a list: its filters and orders, and an export of everything it shows. */
export function ListActions({ search, filter, list, onSearch, onChooseRows, most }: Props) {
  const client = useQueryClient()
  const [exporting, setExporting] = useState<{ keys: string; said: string } | null>(null)
  const { kinds = [], deleted = 0, total = 0 } = list ?? {}
  const offered = offeredKinds(search.kind, kinds)

  async function exportShown() {
    const keys = await client.fetchQuery(sessionKeysQuery(filter, most))
    const said =
      keys.length < total
        ? `the first ${formatCount(keys.length)} of ${formatPlural(total, 'session')}`
        : formatPlural(keys.length, 'session')
    setExporting({ keys: keys.join(','), said })
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
  if (exporting === null) return null
  const { keys, said } = exporting
  return (
    <Suspense>
      <ExportSeveralDialog which={{ keys }} said={said} onClose={() => setExporting(null)} />
    </Suspense>
  )
}

interface ActiveFilter {
  /** Wording after the count: `39 sessions, last 7 days`. */
  words: string
  /** A time filter. */
  isTime?: true
  /** The change that removes it. */
  change: Partial<ListSearch>
}

/** The active filters of a list, in words. The order is not a filter. */
export function activeFilters(search: ListSearch): ActiveFilter[] {
  const { q, range, from, to, model, tool, attachments } = search
  const { parent, home, kind, has, deleted, starred, tag, source } = search
  const days = range === undefined ? describeDays(search) : lowerFirst(RANGE_LABELS[range])
  return [
    parent !== undefined && { words: 'of one session', change: { parent: undefined, kind: undefined } },
    kind !== undefined &&
      parent === undefined && {
        words: lowerFirst(LIST_KIND_LABELS[kind]),
        change: { kind: undefined },
      },
    home !== undefined && { words: `Gemini folder ${home}`, change: { home: undefined } },
    source !== undefined && { words: SOURCE_NAMES[source], change: { source: undefined } },
    q !== undefined && { words: `title contains “${q}”`, change: { q: undefined } },
    (range ?? from ?? to) !== undefined && {
      words: days ?? 'time',
      isTime: true as const,
      change: { range: undefined, from: undefined, to: undefined },
    },
    model !== undefined && { words: `model ${formatModel(model)}`, change: { model: undefined } },
    tool !== undefined && { words: `tool ${toolLabel(tool)}`, change: { tool: undefined } },
    attachments !== undefined && { words: 'with attachments', change: { attachments: undefined } },
    has === 'errors' && { words: 'failed', change: { has: undefined } },
    has === 'live' && { words: 'running', change: { has: undefined } },
    deleted !== undefined && {
      words: deleted === 'only' ? 'deleted' : 'not deleted',
      change: { deleted: undefined },
    },
    starred !== undefined && { words: 'starred', change: { starred: undefined } },
    tag !== undefined && { words: `tag ${tag}`, change: { tag: undefined } },
  ].filter((filter) => filter !== false)
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** `21 Nov`, `16 Nov to 22 Nov`, `from 16 Nov`, `until 22 Nov`; undefined without days. */
export function describeDays({ from, to }: Pick<ListSearch, 'from' | 'to'>): string | undefined {
  const first = from && formatDate(startOfDay(from).toISOString())
  // `to` is exclusive
  const lastDay = to && addDays(to, -1)
  const last = lastDay && formatDate(startOfDay(lastDay).toISOString())
  if (!first) return last && `until ${last}`
  if (!last) return `from ${first}`
  return first === last ? first : `${first} to ${last}`
}

/** Number of sessions of a kind, regardless of other filters; empty ones are a separate kind. */
function countOfKind(kinds: SessionList['kinds'], wanted: ListKind): number {
  if (wanted !== 'all') return kinds.find(({ kind }) => kind === wanted)?.sessions ?? 0
  return kinds.reduce((sum, { kind, sessions }) => sum + (kind === 'empty' ? 0 : sessions), 0)
}

/** Kinds with sessions, besides conversations, and the selected one. */
function offeredKinds(chosen: ListKind | undefined, kinds: SessionList['kinds']): ListKind[] {
  const offered = LIST_KINDS.filter((each) =>
    each === 'all'
      ? kinds.filter(({ kind }) => kind !== 'empty').length > 1
      : kinds.some((known) => known.kind === each),
  )
  return chosen === undefined || offered.includes(chosen) ? offered : [...offered, chosen]
}

/** Available filter values. */
type ListOffers = Pick<SessionList, 'models' | 'kinds' | 'sources' | 'deleted'>

interface ListOffersProps {
  search: ListSearch
  offers: ListOffers | undefined
  project: { key: string } | undefined
  onChange: (change: Partial<ListSearch>) => void
}

/** Filter fields; the selection is in the address. */
export function ListFilter({ search, offers, project, onChange }: ListOffersProps) {
  return (
    <>
      <PanelSelect
        label="Model"
        value={search.model ?? ''}
        options={modelOptions(offers?.models ?? [], search.model)}
        onChange={(value) => onChange({ model: value || undefined })}
      />
      <ToolField search={search} project={project} onChange={onChange} />
      <KindField search={search} kinds={offers?.kinds ?? []} onChange={onChange} />
      <HomeField search={search} onChange={onChange} />
      <SourceField search={search} sources={offers?.sources ?? []} onChange={onChange} />
      <DeletedField search={search} count={offers?.deleted ?? 0} onChange={onChange} />
      <PanelCheck
        label="Has attachments"
        isChecked={search.attachments !== undefined}
        onChange={(isWanted) => onChange({ attachments: isWanted ? 'yes' : undefined })}
      />
    </>
  )
}

/** Tools by number of calls; their names are loaded only here. */
function ToolField({
  search: { tool },
  project,
  onChange,
}: Pick<ListOffersProps, 'search' | 'project' | 'onChange'>) {
  const { data } = useQuery(usageQuery({ by: 'tool', project: project?.key }))
  // a call without a name is recorded, too
  const named = (data?.rows ?? []).filter(({ key }) => key !== '')
  const names = named.toSorted((a, b) => b.calls - a.calls).map(({ key }) => key)
  if (tool !== undefined && !names.includes(tool)) names.push(tool)
  return (
    <PanelSelect
      label="Tool"
      value={tool ?? ''}
      options={[
        { value: '', label: 'All tools' },
        ...names.map((name) => ({ value: name, label: toolLabel(name) })),
      ]}
      onChange={(value) => onChange({ tool: value || undefined })}
    />
  )
}

/** Gemini folder of the sessions, if there are several. */
function HomeField({ search: { home }, onChange }: Pick<ListOffersProps, 'search' | 'onChange'>) {
  const labels = useHomes().map(({ label }) => label)
  if (home !== undefined && !labels.includes(home)) labels.push(home)
  if (labels.length === 0) return null
  return (
    <PanelSelect
      label="Folder"
      value={home ?? ''}
      options={[
        { value: '', label: 'All Gemini folders' },
        ...labels.map((label) => ({ value: label, label })),
      ]}
      onChange={(value) => onChange({ home: value || undefined })}
    />
  )
}

type SourceFieldProps = Pick<ListOffersProps, 'search' | 'onChange'> & { sources: SessionList['sources'] }

/** Program that recorded the sessions; hidden if all are from one. */
function SourceField({ search: { source }, sources, onChange }: SourceFieldProps) {
  if (sources.length < 2 && source === undefined) return null
  return (
    <PanelSelect
      label="Recorded by"
      value={source ?? ''}
      options={[
        { value: '', label: 'All programs' },
        ...SOURCES.map((each) => ({ value: each, label: SOURCE_NAMES[each] })),
      ]}
      onChange={(value) => onChange({ source: SOURCES.find((each) => each === value) })}
    />
  )
}

type DeletedFieldProps = Pick<ListOffersProps, 'search' | 'onChange'> & { count: number }

/** Filter for sessions that exist only in the archive; hidden if there are none. */
function DeletedField({ search: { deleted }, count, onChange }: DeletedFieldProps) {
  if (count === 0 && deleted === undefined) return null
  return (
    <PanelSelect
      label="Deleted"
      value={deleted ?? ''}
      options={optionsOf(DELETED_LABELS).map(({ value, label }) => ({
        value,
        label: value === 'only' ? `${label} (${formatCount(count)})` : label,
      }))}
      onChange={(value) => onChange({ deleted: value === 'only' || value === 'exclude' ? value : undefined })}
    />
  )
}

type KindFieldProps = Pick<ListOffersProps, 'search' | 'onChange'> & { kinds: SessionList['kinds'] }

/** Kind of session; hidden if there is only one. */
function KindField({ search: { kind }, kinds, onChange }: KindFieldProps) {
  const others = offeredKinds(kind, kinds)
  if (others.length === 0) return null
  return (
    <PanelSelect
      label="Kind"
      value={kind ?? ''}
      options={[
        { value: '', label: LIST_KIND_LABELS.main },
        ...others.map((each) => ({
          value: each,
          label: `${LIST_KIND_LABELS[each]} (${formatCount(countOfKind(kinds, each))})`,
        })),
      ]}
      onChange={(value) => onChange({ kind: LIST_KINDS.find((each) => each === value), parent: undefined })}
    />
  )
}

/** The selected model stays in the menu even if no session used it. */
function modelOptions(models: SessionList['models'], chosen: string | undefined) {
  const names = models.map((model) => model.name)
  if (chosen && !names.includes(chosen)) names.push(chosen)
  return [
    { value: '', label: 'All models' },
    ...names.map((name) => ({ value: name, label: formatModel(name) })),
  ]
}
