import '../../ui/ui.css'
import type { UsageRow } from '@gemini-dash/api'
import { useNavigate } from '@tanstack/react-router'
import type { scaleBand } from '@visx/scale'
import type { Cost, TokenUsage } from 'gemini-sessions'
import {
  type AnchorHTMLAttributes,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  useState,
} from 'react'
import { type Asked, isUnanswered } from '../../api/request.ts'
import { choiceHandlers, valuesOf } from '../../lib/action-table.ts'
import {
  addDays,
  formatCost,
  formatCount,
  formatDate,
  formatMonth,
  formatTokens,
  formatUsd,
  lastDays,
  nextMonth,
  startOfDay,
  weekdayOf,
} from '../../lib/figures.ts'
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
import { Failed } from '../../ui/states.tsx'
import { USAGE_TEXT as TEXT } from './text.ts'

export type UsageMetric = 'cost' | 'tokens' | 'sessions'

type Figures = { usage: TokenUsage | null; cost: Cost | null; sessions: number }

/** How each metric is read from a row, and written on an axis and in full. */
export const usageMetrics: Record<
  UsageMetric,
  {
    label: string
    read: (row: Figures) => number
    write: (value: number) => string
    writeRow: (row: Figures) => string
  }
> = {
  cost: {
    label: TEXT.cost,
    read: (row) => row.cost?.usd ?? 0,
    write: formatUsd,
    writeRow: (row) => formatCost(row.cost),
  },
  tokens: {
    label: TEXT.tokens,
    read: (row) => row.usage?.total ?? 0,
    write: formatTokens,
    writeRow: (row) => (row.usage ? formatTokens(row.usage.total) : '-'),
  },
  sessions: {
    label: TEXT.sessions,
    read: (row) => row.sessions,
    write: formatCount,
    writeRow: (row) => formatCount(row.sessions),
  },
}

interface Props {
  title: string
  /** Its queries, including the failed ones. */
  asked: readonly Asked[]
}

/** Replaces a panel whose data could not be loaded. */
export function FailedPanel({ title, asked }: Props) {
  return (
    <section className="panel" aria-label={title}>
      <header className="panel-head">
        <h2>{title}</h2>
      </header>
      <div className="panel-body">
        <NotLoaded asked={asked} />
      </div>
    </section>
  )
}

/** Renders nothing if everything is loaded or loading. */
export function NotLoaded({ asked }: Pick<Props, 'asked'>) {
  const failed = asked.filter(isUnanswered)
  const error = failed[0]?.error
  if (!error) return null
  return (
    <Failed
      what={TEXT.notLoaded}
      error={error}
      onRetry={() => {
        for (const each of failed) void each.refetch()
      }}
    />
  )
}

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
  return unit === 'week' ? TEXT.weekOf(day) : day
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

const STEPS: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/**
 * Makes the marks of a chart one tab stop with navigation by arrow keys, Home and End. Each mark has its position in `data-cell="x,y"` and
 * its value in `aria-label`; the hovered or focused one is `shown`.
 */
export function useCellWalk(start: string) {
  const [current, setCurrent] = useState(start)
  const [shown, setShown] = useState<string | null>(null)

  function onKeyDown(event: KeyboardEvent<Element>) {
    const cell = cellOf(event.target)
    const [x, y] = (cell?.getAttribute('data-cell') ?? '').split(',').map(Number)
    if (!cell || x === undefined || y === undefined) return
    const target = STEPS[event.key]
      ? step(event.currentTarget, x, y, event.key)
      : edge(event.currentTarget, y, event.key)
    if (!target) return
    event.preventDefault()
    target.focus()
  }
  function onFocus(event: FocusEvent<Element>) {
    const cell = cellOf(event.target)
    if (!cell) return
    setCurrent(cell.getAttribute('data-cell') ?? start)
    setShown(cell.getAttribute('aria-label'))
  }
  /** A tap neither hovers nor, on a button in Safari, focuses. */
  const point = (event: MouseEvent<Element>) => {
    const cell = cellOf(event.target)
    if (cell) setShown(cell.getAttribute('aria-label'))
  }
  const forget = () => setShown(null)
  return {
    shown,
    handlers: {
      onKeyDown,
      onFocus,
      onMouseOver: point,
      onClick: point,
      onMouseLeave: forget,
      onBlur: forget,
    },
    /** Attributes of the mark at a position. */
    cell: (x: number, y: number) => {
      const place = `${x},${y}`
      return { 'data-cell': place, tabIndex: place === current ? 0 : -1 }
    },
  }
}

function cellOf(target: EventTarget): Element | null {
  return target instanceof Element ? target.closest('[data-cell]') : null
}

function step(chart: Element, x: number, y: number, key: string): HTMLElement | null {
  const [dx, dy] = STEPS[key] ?? [0, 0]
  return chart.querySelector(`[data-cell="${x + dx},${y + dy}"]`)
}

function edge(chart: Element, y: number, key: string): HTMLElement | null {
  if (key !== 'Home' && key !== 'End') return null
  const row = chart.querySelectorAll<HTMLElement>(`[data-cell$=",${y}"]`)
  return row[key === 'Home' ? 0 : row.length - 1] ?? null
}
