import type { UsageRow } from '@gemini-dash/api'
import { type PeriodUnit, periodUnit, startOfPeriod } from '../frame/periods.ts'
import { type UsageMetric, usageMetrics } from '../frame/usage-metric.ts'

/** One column of the chart: a day, or the week or month that begins on `start`. */
export type Column = { start: string; values: number[]; total: number }
/** `key` is null for what has no list of its own: all sessions, or what further colours would be needed for. */
export type Series = { key: string | null; name: string }
export type UsageSplit = 'model' | 'project'
export type Columns = { unit: PeriodUnit; series: Series[]; columns: Column[] }

/** The most series with a colour of their own; the last one takes all further models or projects. */
const MOST_SERIES = 5

/** Usage per day as stacked columns, the largest series first, over every day of `days`, also empty ones. */
export function toColumns(rows: UsageRow[], days: string[], metric: UsageMetric, split: UsageSplit): Columns {
  const unit = periodUnit(days.length)
  const series = isSplit(metric, split) ? rankParts(rows, metric, split) : [{ key: null, name: 'Sessions' }]
  const columns = new Map<string, Column>()
  for (const day of days) {
    const start = startOfPeriod(unit, day)
    if (!columns.has(start)) columns.set(start, { start, values: series.map(() => 0), total: 0 })
  }
  for (const row of rows) {
    const column = columns.get(startOfPeriod(unit, row.key))
    if (!column) continue
    const parts = isSplit(metric, split)
      ? partsOf(row, metric, split)
      : [{ key: null, name: 'Sessions', value: row.sessions }]
    for (const part of parts) addPart(column, part, series)
  }
  return { unit, series, columns: [...columns.values()] }
}

/** A session of two models is still one session, so models do not add up to the sessions of a day; projects do. */
export function isSplit(metric: UsageMetric, split: UsageSplit): boolean {
  return metric !== 'sessions' || split === 'project'
}

function rankParts(rows: UsageRow[], metric: UsageMetric, split: UsageSplit): Series[] {
  const totals = new Map<string | null, { name: string; value: number }>()
  for (const { key, name, value } of rows.flatMap((row) => partsOf(row, metric, split))) {
    totals.set(key, { name, value: (totals.get(key)?.value ?? 0) + value })
  }
  const series = [...totals]
    .sort(([, a], [, b]) => b.value - a.value)
    .map(([key, { name }]) => ({ key, name }))
  if (series.length <= MOST_SERIES) return series
  const others = series.length - MOST_SERIES + 1
  return [...series.slice(0, MOST_SERIES - 1), { key: null, name: `${others} other ${split}s` }]
}

function partsOf(row: UsageRow, metric: UsageMetric, split: UsageSplit): (Series & { value: number })[] {
  const { read } = usageMetrics[metric]
  const parts =
    split === 'project' ? row.projects : row.models?.map((model) => ({ ...model, key: model.name }))
  return (parts ?? [])
    .map((part) => ({ key: part.key, name: part.name, value: read(part) }))
    .filter(({ value }) => value > 0)
}

function addPart(column: Column, { key, value }: Series & { value: number }, series: Series[]) {
  const known = series.findIndex((each) => each.key === key)
  const position = known === -1 ? series.length - 1 : known
  column.values[position] = (column.values[position] ?? 0) + value
  column.total += value
}
