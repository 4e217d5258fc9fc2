import './list-toolbar.css'
import type { SessionList } from '@gemini-dash/api'
import { FolderTree } from 'lucide-react'
import { useHomes } from '../../api/health.ts'
import { optionsOf } from '../../lib/actions/choice-actions.ts'
import {
  DELETED_LABELS,
  LIST_KIND_LABELS,
  LIST_KINDS,
  LIST_ORDER_LABELS,
  LIST_ORDERS,
  LIST_TIME_LABELS,
  type ListOrder,
  type ListSearch,
  TIME_RANGES,
} from '../../lib/address/list-search.ts'
import { formatCount, formatModel } from '../../lib/figures/format.ts'
import { describeHourKey } from '../../lib/figures/hours.ts'
import { useSettlingText } from '../../lib/hooks/use-settling-text.ts'
import { DrawerButton } from '../../ui/buttons/drawer-button.tsx'
import { Chip } from '../../ui/controls/chip.tsx'
import { ChipSelect } from '../../ui/controls/chip-select.tsx'
import { TitleField } from '../../ui/controls/title-field.tsx'
import { describeDays } from './describe-days.ts'
import { countOfKind, offeredKinds } from './offered-kinds.ts'

type Props = {
  search: ListSearch
  /** What its filters can be. */
  list: Pick<SessionList, 'models' | 'kinds' | 'deleted'> | undefined
  onChange: (change: Partial<ListSearch>) => void
  /** Whether rows are picked, to be compared or exported. */
  isPicking: boolean
  onPicking: (isPicking: boolean) => void
}

/** The filters of a list of sessions. What is chosen stands in the address. */
export function ListToolbar({ search, list, onChange, isPicking, onPicking }: Props) {
  return (
    <div className="list-toolbar">
      <div className="chips chip-row">
        <DrawerButton icon={FolderTree} label="Projects" />
        <ChipSelect
          label="Time"
          value={search.range ?? describeDays(search) ?? ''}
          options={[...optionsOf(LIST_TIME_LABELS), ...daysOption(search)]}
          onChange={(value) =>
            onChange({
              range: TIME_RANGES.find((range) => range === value),
              from: undefined,
              to: undefined,
            })
          }
        />
        <ChipSelect
          label="Model"
          value={search.model ?? ''}
          options={modelOptions(list?.models ?? [], search.model)}
          onChange={(value) => onChange({ model: value || undefined })}
        />
        <KindFilter search={search} kinds={list?.kinds ?? []} onChange={onChange} />
        <HomeFilter search={search} onChange={onChange} />
        {search.parent !== undefined && (
          <Chip
            label="Sub-agents of one session"
            isPressed
            onToggle={() => onChange({ parent: undefined, kind: undefined })}
          />
        )}
        {search.hour !== undefined && (
          <Chip
            label={describeHourKey(search.hour) ?? ''}
            isPressed
            onToggle={() => onChange({ hour: undefined })}
          />
        )}
        <Chip
          label="Has errors"
          isPressed={search.has === 'errors'}
          onToggle={(isPressed) => onChange({ has: isPressed ? 'errors' : undefined })}
        />
        <Chip
          label="Live"
          isPressed={search.has === 'live'}
          onToggle={(isPressed) => onChange({ has: isPressed ? 'live' : undefined })}
        />
        <DeletedFilter search={search} count={list?.deleted ?? 0} onChange={onChange} />
        <Chip
          label="Starred"
          filter="starred"
          isPressed={search.starred !== undefined}
          onToggle={(isPressed) => onChange({ starred: isPressed ? 'yes' : undefined })}
        />
        {search.tag !== undefined && (
          <Chip label={`Tag ${search.tag}`} isPressed onToggle={() => onChange({ tag: undefined })} />
        )}
        <ChipSelect
          label="Order"
          value={search.sort ?? ''}
          options={orderOptions(search.sort)}
          onChange={(value) => onChange({ sort: LIST_ORDERS.find((order) => order === value) })}
        />
        <Chip label="Choose" isPressed={isPicking} onToggle={onPicking} />
      </div>
      <TitleFilter value={search.q ?? ''} onChange={(q) => onChange({ q: q || undefined })} />
    </div>
  )
}

/** Whose sessions are listed, where several homes are read. */
function HomeFilter({ search: { home }, onChange }: Pick<Props, 'search' | 'onChange'>) {
  const labels = useHomes().map(({ label }) => label)
  if (home !== undefined && !labels.includes(home)) labels.push(home)
  if (labels.length === 0) return null
  return (
    <ChipSelect
      label="Home"
      value={home ?? ''}
      options={[
        { value: '', label: 'All homes' },
        ...labels.map((label) => ({ value: label, label: `Home ${label}` })),
      ]}
      onChange={(value) => onChange({ home: value || undefined })}
    />
  )
}

type DeletedFilterProps = Pick<Props, 'search' | 'onChange'> & { count: number }

/** Whether sessions are listed that are left in the archive alone; not there where there are none. */
function DeletedFilter({ search: { deleted }, count, onChange }: DeletedFilterProps) {
  if (count === 0 && deleted === undefined) return null
  return (
    <ChipSelect
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

type KindFilterProps = Pick<Props, 'search' | 'onChange'> & { kinds: SessionList['kinds'] }

/** Which kind of session is listed; not there where all are of one kind. */
function KindFilter({ search: { kind }, kinds, onChange }: KindFilterProps) {
  const others = offeredKinds(kind, kinds)
  if (others.length === 0) return null
  return (
    <ChipSelect
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

/** What is turned around is chosen at the heads of the columns. */
function orderOptions(chosen: ListOrder | undefined) {
  return optionsOf(LIST_ORDER_LABELS).filter(({ value }) => value === chosen || !value.startsWith('-'))
}

/** Days that a link named are a choice of their own until another one is made. */
function daysOption(search: ListSearch) {
  const label = search.range ? undefined : describeDays(search)
  return label === undefined ? [] : [{ value: label, label }]
}

/** A model that the filter names stays in the menu, also when no session is left that used it. */
function modelOptions(models: SessionList['models'], chosen: string | undefined) {
  const names = models.map((model) => model.name)
  if (chosen && !names.includes(chosen)) names.push(chosen)
  return [
    { value: '', label: 'All models' },
    ...names.map((name) => ({ value: name, label: formatModel(name) })),
  ]
}

/** A box whose text reaches the address once typing pauses. */
function TitleFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [draft, type] = useSettlingText(value, onChange)
  return <TitleField className="title-filter" value={draft} onChange={type} />
}
