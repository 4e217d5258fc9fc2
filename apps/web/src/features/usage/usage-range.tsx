import '../../ui/ui.css'
import type { UsageRow } from '@gemini-dash/api'
import { useNavigate } from '@tanstack/react-router'
import type { scaleBand } from '@visx/scale'
import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { choiceHandlers, valuesOf } from '../../lib/action-table.ts'
import {
  addDays,
  formatDate,
  formatMonth,
  lastDays,
  nextMonth,
  startOfDay,
  weekdayOf,
} from '../../lib/dates.ts'
import {
  USAGE_METRIC_LABELS,
  USAGE_RANGE_LABELS,
  USAGE_TABLE_LABELS,
  USAGE_UNIT_LABELS,
  type UsageRangeName,
  type UsageSearch,
} from '../../lib/page-searches.ts'
import { plainSearchCodec } from '../../lib/search-params.ts'
import { useActions } from '../../lib/use-actions.ts'
import type { useCellWalk } from './use-cell-walk.ts'

export type UsageRange = {
  /** First day, `YYYY-MM-DD`; undefined: the first recorded one. */
  from: string | undefined
  /** The preceding period of equal length; undefined if there is none. */
  previous: { from: string; to: string; days: number } | undefined
}

/** A row of the usage by day. */
type Day = Pick<UsageRow, 'key'>

/** Ranges up to today, shortest first. */
const DAY_COUNTS: [UsageRangeName, number][] = [
  ['7d', 7],
  ['30d', 30],
  ['90d', 90],
  ['365d', 365],
]

/** The shortest range with records, given the rows of all days. */
export function shortestRange(rows: readonly Day[], now: Date): UsageRangeName {
  const last = recordedDays(rows).at(-1) ?? ''
  const [shortest] = DAY_COUNTS.filter(([, count]) => last >= (lastDays(count, now)[0] ?? ''))
  return shortest?.[0] ?? 'all'
}

export function usageRange(name: UsageRangeName, now: Date): UsageRange {
  const dayCount = new Map(DAY_COUNTS).get(name)
  if (dayCount === undefined) return { from: undefined, previous: undefined }
  const [from] = lastDays(dayCount, now)
  const [before] = lastDays(2 * dayCount, now)
  return { from, previous: from && before ? { from: before, to: from, days: dayCount } : undefined }
}

/** Oldest first, without rows that have no date. */
export function recordedDays(rows: readonly Day[]): string[] {
  return rows
    .map((row) => row.key)
    .filter((key) => /^\d{4}-/.test(key))
    .sort()
}

interface Shown {
  search: UsageSearch
  hasPrices: boolean
  onSearch: (change: Partial<UsageSearch>) => void
  onExport: () => void
}

/** Palette actions of the usage page: menus, switches and export. */
export function useUsageActions({ search, hasPrices, onSearch, onExport }: Shown): void {
  const metrics = valuesOf(USAGE_METRIC_LABELS).filter((metric) => hasPrices || metric !== 'cost')
  useActions({
    ...choiceHandlers('range', valuesOf(USAGE_RANGE_LABELS), (range) => onSearch({ range })),
    ...choiceHandlers('metric', metrics, (metric) => onSearch({ metric })),
    ...choiceHandlers('unit', valuesOf(USAGE_UNIT_LABELS), (unit) => onSearch({ unit })),
    ...choiceHandlers('table', valuesOf(USAGE_TABLE_LABELS), (table) => onSearch({ table })),
    ...(search.project !== undefined && { allProjects: () => void onSearch({ project: undefined }) }),
    exportUsage: () => void onExport(),
  })
}

type PeriodReachProps = {
  starts: string[]
  unit: PeriodUnit
  x: ReturnType<typeof scaleBand<string>>
  top: number
  base: number
  describe: (position: number) => string
  cell: ReturnType<typeof useCellWalk>['cell']
  projectKey: string | undefined
}

/** Full-height click targets of periods: accessible value and link to the sessions. */
export function PeriodReach({ starts, unit, x, top, base, describe, cell, projectKey }: PeriodReachProps) {
  return starts.map((start, position) => (
    <SessionsLink
      key={start}
      days={{ from: start, to: endOfPeriod(unit, start) }}
      projectKey={projectKey}
      aria-label={describe(position)}
      {...cell(position, 0)}
    >
      <rect
        className="reach"
        x={(x(start) ?? 0) - (x.step() - x.bandwidth()) / 2}
        y={top}
        width={x.step()}
        height={base - top}
      />
    </SessionsLink>
  ))
}

export type PeriodUnit = 'day' | 'week' | 'month'

const DAY_MS = 86_400_000

/** Limits of columns, beyond which they could not be told apart. */
const MOST_COLUMNS: Record<PeriodUnit, number> = { day: 400, week: 200, month: 400 }
const UNIT_DAYS: Record<PeriodUnit, number> = { day: 1, week: 7, month: 30 }
const UNITS: readonly PeriodUnit[] = ['day', 'week', 'month']
/** Maximum number of days for which a unit is the default. */
const MOST_DAYS: [PeriodUnit, number][] = [
  ['day', 31],
  ['week', 200],
]

interface Days {
  first: string
  last: string
}

/** Units available for a range of days. */
export function unitsFor(days: Days): PeriodUnit[] {
  return UNITS.filter((unit) => unit === 'month' || countDays(days) / UNIT_DAYS[unit] <= MOST_COLUMNS[unit])
}

/** Default unit of a range of days. */
export function unitOf(days: Days): PeriodUnit {
  return MOST_DAYS.find(([, most]) => countDays(days) <= most)?.[0] ?? 'month'
}

function countDays({ first, last }: Days): number {
  return Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1
}

/** First day of a day's week (from Monday) or month. */
export function startOfPeriod(unit: PeriodUnit, day: string): string {
  if (unit === 'day') return day
  if (unit === 'month') return `${day.slice(0, 7)}-01`
  return addDays(day, -weekdayOf(day))
}

/** The first day after a period. */
export function endOfPeriod(unit: PeriodUnit, start: string): string {
  return unit === 'month' ? nextMonth(start) : addDays(start, unit === 'week' ? 7 : 1)
}

/** `21 Nov`, `week of 16 Nov`, `Nov 2026` */
export function describePeriod(start: string, unit: PeriodUnit): string {
  if (unit === 'month') return formatMonth(start, true)
  const day = formatDate(startOfDay(start).toISOString())
  return unit === 'week' ? `week of ${day}` : day
}

type SessionsLinkProps = Pick<
  AnchorHTMLAttributes<HTMLAnchorElement>,
  'children' | 'className' | 'tabIndex' | 'aria-label'
> & {
  /** Days `YYYY-MM-DD`; `to` is exclusive. */
  days: { from?: string; to?: string }
  model?: string
  /** Order of the list; default: newest first. */
  sort?: 'cost' | 'tokens'
  projectKey?: string
  /** Position for arrow key navigation. */
  'data-cell'?: string
}

/**
 * Links a figure to its sessions, in one project or all. A plain anchor instead of the router's link: a usage page has six hundred, and
 * those took a third of its render time.
 */
export function SessionsLink({ days, model, sort, projectKey, children, ...rest }: SessionsLinkProps) {
  const navigate = useNavigate()
  const path = projectKey === undefined ? '/' : `/p/${encodeURIComponent(projectKey)}`
  const href = `${path}${plainSearchCodec.stringifySearch({ ...days, model, sort })}`
  function open(event: MouseEvent) {
    // with a modifier key the browser opens it in a tab or window
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void navigate({ href })
  }
  return (
    <a href={href} onClick={open} {...rest}>
      {children}
    </a>
  )
}
