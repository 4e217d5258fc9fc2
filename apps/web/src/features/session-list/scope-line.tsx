import './session-list.css'
import type { SessionList } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { type ReactNode, useSyncExternalStore } from 'react'
import { hitCountQuery } from '../../api/search.ts'
import { optionsOf } from '../../lib/action-table.ts'
import { addDays, currentTime, dayOf, firstDay } from '../../lib/dates.ts'
import { describeCost, formatCost, formatCount, formatPlural } from '../../lib/figures.ts'
import { useIsNarrow } from '../../lib/hooks.ts'
import {
  LIST_ORDER_LABELS,
  LIST_ORDERS,
  LIST_TIME_LABELS,
  type ListSearch,
  TIME_RANGES,
} from '../../lib/page-searches.ts'
import { density } from '../../lib/preferences.ts'
import { runAction } from '../../lib/use-actions.ts'
import {
  Button,
  DrawerButton,
  PanelButton,
  PanelCheck,
  PanelSelect,
  SelectButton,
} from '../../ui/buttons/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { DayFields } from '../../ui/to-message.tsx'
import { addedColumns, COLUMNS, MORE_COLUMNS } from './columns.tsx'
import { activeFilters, describeDays, ListFilter } from './list-actions.tsx'

interface Props {
  list: SessionList | undefined
  search: ListSearch
  project: { key: string; name: string } | undefined
  hasPrices: boolean
  /** The heading. */
  children: ReactNode
  /** Additional actions for the list. */
  menu?: ReactNode
  onSearch: (change: Partial<ListSearch>) => void
}

/** The scope of a list, its filters, and totals of all matching sessions, loaded or not. */
export function ScopeLine({ list, search, project, hasPrices, children, menu, onSearch }: Props) {
  const isNarrow = useIsNarrow()
  const filters = activeFilters(search)
  const time = listTimeField({ search, onChange: onSearch })
  const hasOwnDays = search.range === undefined && (search.from ?? search.to) !== undefined
  const filterCount = filters.filter(({ isTime }) => isTime !== true).length
  return (
    <>
      <div className="scope-line">
        {children}
        <DrawerButton label="Projects" />
        {!isNarrow && <SelectButton {...time} />}
        <PanelButton label="Filter" count={filterCount}>
          {isNarrow && <PanelSelect {...time} />}
          <ListFilter search={search} offers={list} project={project} onChange={onSearch} />
          {isNarrow && <ListDisplay search={search} onChange={onSearch} />}
        </PanelButton>
        {!isNarrow && (
          <PanelButton label="Display">
            <ListDisplay search={search} onChange={onSearch} />
          </PanelButton>
        )}
        {menu}
        <p className="scope-sum">{list && <Sum {...{ list, search, project, hasPrices }} />}</p>
      </div>
      {(filterCount > 0 || hasOwnDays) && (
        <div className="scope-filters">
          {hasOwnDays && (
            <DayFields
              from={search.from}
              to={search.to}
              today={dayOf(currentTime())}
              onChange={(days) => onSearch(days)}
            />
          )}
          {filters.map(
            ({ words, change, isTime }) =>
              isTime !== true && (
                <button key={words} type="button" className="scope-filter" onClick={() => onSearch(change)}>
                  <span className="visually-hidden">Remove filter: </span>
                  <span dir="auto">{words}</span>
                  <Icon of={X} small />
                </button>
              ),
          )}
          {search.q !== undefined && <HitsInside q={search.q} project={project?.key} />}
        </div>
      )}
    </>
  )
}

type SumProps = Required<Pick<Props, 'search' | 'project' | 'hasPrices'>> & { list: SessionList }

function Sum({ list, search, project, hasPrices }: SumProps) {
  const { total, sums } = list
  const [count, ...noun] = formatPlural(total, 'session').split(' ')
  return (
    <>
      <b>{count}</b> {noun.join(' ')}
      {hasPrices && sums.cost.usd !== null && (
        <>
          {' · '}
          <b title={describeCost(sums.cost)}>{formatCost({ usd: sums.cost.usd, unpricedCalls: 0 })}</b>
          {sums.cost.unpricedCalls > 0 && ` + ${formatCount(sums.cost.unpricedCalls)} unpriced`}{' '}
          <WhyLink search={search} projectKey={project?.key} />
        </>
      )}
    </>
  )
}

/** Link to the cost breakdown of the same sessions, if the usage page supports their filter: a range of days and nothing else. */
function WhyLink({ search, projectKey }: { search: ListSearch; projectKey: string | undefined }) {
  const { range, from, to } = search
  const isOfRange = activeFilters(search).every(({ change }) => 'range' in change)
  if (!isOfRange || range === 'today' || from !== undefined || to !== undefined) return null
  return (
    <Link to="/usage" search={{ range: range ?? 'all', project: projectKey }} className="link">
      Why?
    </Link>
  )
}

/** Text that is not in any title may be in the messages. */
function HitsInside({ q, project }: { q: string; project: string | undefined }) {
  const total = useQuery(hitCountQuery(q, project)).data?.total ?? 0
  if (total === 0) return null
  return (
    <Link to="/search" search={{ q, project }} className="link" dir="auto">
      {formatPlural(total, 'result')} for “{q}” in messages
    </Link>
  )
}

interface ListDisplayProps {
  search: ListSearch
  onChange: (change: Partial<ListSearch>) => void
}

/** Display options of a list: order, columns, density; and actions for its rows. */
function ListDisplay({ search: { sort }, onChange }: ListDisplayProps) {
  const added = useSyncExternalStore(addedColumns.subscribe, addedColumns.get)
  const isCompact = useSyncExternalStore(density.subscribe, density.get) === 'compact'
  return (
    <>
      <PanelSelect
        label="Order"
        value={sort ?? ''}
        options={optionsOf(LIST_ORDER_LABELS)}
        onChange={(value) => onChange({ sort: LIST_ORDERS.find((order) => order === value) })}
      />
      <fieldset className="wide-only">
        <legend>More columns</legend>
        {MORE_COLUMNS.map((name) => (
          <PanelCheck
            key={name}
            label={COLUMNS[name].label}
            isChecked={added.includes(name)}
            onChange={(isShown) =>
              addedColumns.set(
                MORE_COLUMNS.filter((each) => (each === name ? isShown : added.includes(each))),
              )
            }
          />
        ))}
      </fieldset>
      <PanelCheck
        label="Compact rows"
        isChecked={isCompact}
        onChange={(wanted) => density.set(wanted ? 'compact' : 'comfortable')}
      />
      <div className="panel-actions">
        <PanelAction name="chooseRows">Select</PanelAction>
        <PanelAction name="exportShown">Export…</PanelAction>
        <PanelAction name="saveView">Save this view…</PanelAction>
      </div>
    </>
  )
}

interface ActionProps {
  name: 'chooseRows' | 'exportShown' | 'saveView'
  children: string
}

/** Closes the panel first, so that the focus returns to its button afterwards. */
function PanelAction({ name, children }: ActionProps) {
  return (
    <Button
      onClick={(event) => {
        event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
        runAction(name)
      }}
    >
      {children}
    </Button>
  )
}

const OWN_DAYS = 'own'

/**
 * Options of the time menu. Custom days start with the last 30; their fields are below. Days from a link stay an option of their own until
 * another one is chosen.
 */
function listTimeField({ search, onChange }: ListDisplayProps) {
  const days = search.range === undefined ? describeDays(search) : undefined
  return {
    label: 'Time',
    value: search.range ?? (days === undefined ? '' : OWN_DAYS),
    options: [...optionsOf(LIST_TIME_LABELS), { value: OWN_DAYS, label: days ?? 'Custom range…' }],
    onChange: (value: string) => {
      const now = currentTime()
      onChange(
        value === OWN_DAYS
          ? { range: undefined, from: firstDay('30d', now), to: addDays(dayOf(now), 1) }
          : { range: TIME_RANGES.find((range) => range === value), from: undefined, to: undefined },
      )
    },
  }
}
