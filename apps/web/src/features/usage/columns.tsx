import './usage.css'
import '../../ui/ui.css'
import type { UsageRow } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { scaleBand, scaleLinear } from '@visx/scale'
import { type ReactNode, type SVGAttributes, useMemo } from 'react'
import { isUnanswered } from '../../api/request.ts'
import { usageQuery } from '../../api/usage.ts'
import { optionsOf } from '../../lib/action-table.ts'
import { useElementWidth } from '../../lib/hooks.ts'
import { USAGE_METRIC_LABELS, USAGE_UNIT_LABELS } from '../../lib/page-searches.ts'
import { SelectButton } from '../../ui/buttons/button.tsx'
import { Segmented } from '../../ui/controls.tsx'
import { TICK_GAP_PX, ValueAxis } from '../../ui/plot.tsx'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import { FailedPanel, type UsageMetric, usageMetrics } from './metrics.tsx'
import {
  describePeriod,
  endOfPeriod,
  PeriodReach,
  type PeriodUnit,
  startOfPeriod,
  unitsFor,
} from './usage-range.tsx'
import { useCellWalk } from './use-cell-walk.ts'

const HEIGHT = 180
const BASE = 156
const TOP = 22
const LEAST_LEFT = 44
/** Width of a digit on the axis, with some margin. */
const DIGIT_PX = 7
/** Half of the last column's date label. */
const RIGHT = 24
/** Minimum column width: with more columns the chart scrolls, starting at the newest. */
const LEAST_STEP = 8
const BAR_SHARE = 0.66
/** Any usage is visible. */
const LEAST_HEIGHT = 1.5

type Props = { columns: Column[]; unit: PeriodUnit; metric: UsageMetric; projectKey: string | undefined }

/** A column chart over time, drawn at the measured width so that text keeps its size. Each column links to its sessions. */
function ColumnChart({ columns, unit, metric, projectKey }: Props) {
  const { ref, width: visibleWidth } = useElementWidth()
  const { shown, handlers, cell } = useCellWalk(`${columns.length - 1},0`)
  const { write, label } = usageMetrics[metric]
  const highest = columns.reduce((most, column) => (column.value > most.value ? column : most))
  const y = scaleLinear({ domain: [0, highest.value || 1], range: [BASE, TOP], nice: 4 })
  const left = Math.max(LEAST_LEFT, TICK_GAP_PX + longestTick(y, write) * DIGIT_PX)
  const width = Math.max(visibleWidth, left + RIGHT + columns.length * LEAST_STEP)
  const x = scaleBand({
    domain: columns.map((column) => column.start),
    range: [left, width - RIGHT],
    padding: 1 - BAR_SHARE,
  })
  const center = (start: string) => (x(start) ?? 0) + x.bandwidth() / 2
  const summary = `Highest: ${write(highest.value)}, ${describePeriod(highest.start, unit)}.`
  const title = `${label} per ${unit}`
  return (
    <div ref={ref}>
      <ColumnFrame
        label={title}
        name={`${title}. ${summary} Arrow keys walk the columns.`}
        width={width}
        height={HEIGHT}
        isMeasured={visibleWidth > 0}
        handlers={handlers}
      >
        <ColumnAxes columns={columns} unit={unit} x={x} y={y} write={write} />
        <g className="bars">
          {columns.map(({ start, value }) => {
            if (value <= 0) return null
            const height = Math.max(BASE - y(value), LEAST_HEIGHT)
            return <rect key={start} x={x(start)} y={BASE - height} width={x.bandwidth()} height={height} />
          })}
        </g>
        <PeriodReach
          starts={columns.map(({ start }) => start)}
          unit={unit}
          x={x}
          top={TOP}
          base={BASE}
          describe={(position) => describeColumn(columns[position], unit, write)}
          cell={cell}
          projectKey={projectKey}
        />
        {highest.value > 0 && (
          <text className="highest" x={center(highest.start)} y={y(highest.value) - 6} textAnchor="middle">
            {write(highest.value)}
          </text>
        )}
      </ColumnFrame>
      <p className="chart-readout meta">{shown ?? summary}</p>
    </div>
  )
}

function describeColumn(column: Column | undefined, unit: PeriodUnit, write: (value: number) => string) {
  if (!column) return ''
  const { start, value, models } = column
  const parts = models.map((model) => `${model.name} ${write(model.value)}`)
  const total = `${describePeriod(start, unit)}: ${write(value)}`
  return parts.length > 1 ? `${total} (${parts.join(', ')})` : total
}

type ColumnAxesProps = {
  columns: { start: string }[]
  unit: PeriodUnit
  x: ReturnType<typeof scaleBand<string>>
  y: ReturnType<typeof scaleLinear<number>>
  write: (value: number) => string
}

const VALUE_TICKS = 4
/** Width needed for a label. */
const LABEL_PX = 48
const DAYS_A_WEEK = 7

/** Values of the grid lines. */
function valueTicks(y: ColumnAxesProps['y']): { value: number; y: number }[] {
  return y.ticks(VALUE_TICKS).map((value) => ({ value, y: y(value) }))
}

/** Length of the longest value label. */
function longestTick(y: ColumnAxesProps['y'], write: ColumnAxesProps['write']): number {
  return Math.max(...valueTicks(y).map(({ value }) => writeTick(value, write).length))
}

/** Grid lines with values, and the dates that fit below the columns; the newest is always labeled. */
function ColumnAxes({ columns, unit, x, y, write }: ColumnAxesProps) {
  const [left, right] = x.range()
  const base = y(0)
  const every = labelStep(unit, x.step(), columns.length)
  return (
    <>
      <ValueAxis ticks={valueTicks(y)} left={left} right={right} write={(value) => writeTick(value, write)} />
      {columns.map(
        ({ start }, position) =>
          (columns.length - 1 - position) % every === 0 && (
            <text key={start} x={(x(start) ?? 0) + x.bandwidth() / 2} y={base + 18} textAnchor="middle">
              {describePeriod(start, unit === 'week' ? 'day' : unit)}
            </text>
          ),
      )}
    </>
  )
}

/** Interval between labels in columns; days over more than two weeks are labeled weekly or every few weeks. */
export function labelStep(unit: PeriodUnit, stepPx: number, columnCount: number): number {
  const every = Math.max(1, Math.ceil(LABEL_PX / stepPx))
  return unit === 'day' && every > 1 && columnCount > 2 * DAYS_A_WEEK
    ? Math.ceil(every / DAYS_A_WEEK) * DAYS_A_WEEK
    : every
}

/** Prices too small to differ with two decimals get as many as needed. */
function writeTick(value: number, write: (value: number) => string): string {
  const written = write(value)
  const isPrice = written.includes('$')
  if (isPrice && value > 0 && value !== Math.round(value * 100) / 100)
    return `$${Number(value.toPrecision(2))}`
  return written.replace(/\.00$/, '')
}

type ColumnFrameProps = {
  /** Accessible names of the scrollable box and of the drawing. */
  label: string
  name: string
  width: number
  height: number
  /** Space is reserved until the width is known. */
  isMeasured: boolean
  handlers: SVGAttributes<SVGSVGElement>
  children: ReactNode
}

/** A drawing over time that scrolls if it is too wide, starting at the newest end. */
function ColumnFrame({ label, name, width, height, isMeasured, handlers, children }: ColumnFrameProps) {
  return (
    <ScrollRegion label={label} className="from-end">
      <div className="column-place" style={{ height }}>
        {isMeasured && (
          <svg
            className="column-chart"
            viewBox={`0 0 ${width} ${height}`}
            width={width}
            height={height}
            aria-label={name}
            {...handlers}
          >
            {children}
          </svg>
        )}
      </div>
    </ScrollRegion>
  )
}

/** A column: a day, week or month from `start` on, and its value. */
interface Column {
  start: string
  value: number
  /** Its composition, largest first; sessions with several models are not split. */
  models: { name: string; value: number }[]
}

/** Limits the effect of a wrong clock. */
const MOST_COLUMNS = 800

/** A column for every day, week or month in a range, including empty ones; `rows` are from the API. */
export function toColumns(
  rows: readonly UsageRow[],
  { first, last }: { first: string; last: string },
  unit: PeriodUnit,
  metric: UsageMetric,
): Column[] {
  const { read } = usageMetrics[metric]
  const byStart = new Map(rows.map((row) => [unit === 'month' ? `${row.key}-01` : row.key, row]))
  const starts: string[] = []
  for (let start = startOfPeriod(unit, first); start <= last; start = endOfPeriod(unit, start))
    starts.push(start)
  return starts.slice(-MOST_COLUMNS).map((start) => {
    const row = byStart.get(start)
    if (row === undefined) return { start, value: 0, models: [] }
    const models = metric === 'sessions' ? [] : (row.models ?? [])
    return {
      start,
      value: read(row),
      models: models
        .map((model) => ({ name: model.name, value: read(model) }))
        .filter(({ value }) => value > 0),
    }
  })
}

const UNITS = optionsOf(USAGE_UNIT_LABELS)
const METRICS = optionsOf(USAGE_METRIC_LABELS)

interface UsageChartProps {
  from: string | undefined
  /** Range of days that is drawn. */
  days: { first: string; last: string }
  projectKey: string | undefined
  unit: PeriodUnit
  onUnit: (unit: PeriodUnit) => void
  metric: UsageMetric
  onMetric: (metric: UsageMetric) => void
  hasPrices: boolean
}

/** Cost, tokens or sessions over time. */
export function UsageChart({
  from,
  days,
  projectKey,
  unit,
  onUnit,
  metric,
  onMetric,
  hasPrices,
}: UsageChartProps) {
  const usage = useQuery(usageQuery({ by: unit, from, project: projectKey }))
  const rows = usage.isPlaceholderData ? undefined : usage.data?.rows
  const columns = useMemo(() => rows && toColumns(rows, days, unit, metric), [rows, days, unit, metric])
  const units = unitsFor(days)
  const title = `${usageMetrics[metric].label} per ${unit}`
  if (isUnanswered(usage)) return <FailedPanel title={title} asked={[usage]} />
  return (
    <section className="panel" aria-label={title}>
      <header className="panel-head">
        <h2>{title}</h2>
        <div className="push">
          <SelectButton
            label="Chart"
            value={metric}
            isMarked={false}
            options={hasPrices ? METRICS : METRICS.filter(({ value }) => value !== 'cost')}
            onChange={(value) => onMetric(METRICS.find((each) => each.value === value)?.value ?? metric)}
          />
          <Segmented
            label="Interval"
            value={unit}
            options={UNITS.filter(({ value }) => units.includes(value))}
            onChange={onUnit}
          />
        </div>
      </header>
      <div className="panel-body usage-chart" aria-busy={columns === undefined}>
        {columns !== undefined && (
          <ColumnChart key={`${unit} ${columns.length}`} {...{ columns, unit, metric, projectKey }} />
        )}
      </div>
    </section>
  )
}
