import type { UsageRow } from '@gemini-dash/api'
import { dayOf, startOfDay } from '../../lib/format.ts'
import { type UsageMetric, usageMetrics } from './usage-metric.ts'

/** One column of the chart: a day, or the week or month that begins on `start`. */
export type Column = { start: string; values: number[]; total: number }
export type ColumnUnit = 'day' | 'week' | 'month'
export type Columns = { unit: ColumnUnit; series: string[]; columns: Column[] }

/** The most series with a colour of their own; the last one takes all further models. */
const MOST_SERIES = 5
const MOST_DAYS = 100
const MOST_WEEKS_IN_DAYS = 730

/** Usage per day as stacked columns: one series a model, the largest first, over every day of `days`, also empty ones. */
export function toColumns(rows: UsageRow[], days: string[], metric: UsageMetric): Columns {
  const unit = days.length <= MOST_DAYS ? 'day' : days.length <= MOST_WEEKS_IN_DAYS ? 'week' : 'month'
  const series = metric === 'sessions' ? ['Sessions'] : rankModels(rows, metric)
  const columns = new Map<string, Column>()
  for (const day of days) {
    const start = startOf(unit, day)
    if (!columns.has(start)) columns.set(start, { start, values: series.map(() => 0), total: 0 })
  }
  for (const row of rows) {
    const column = columns.get(startOf(unit, row.key))
    if (column) addRow(column, row, series, metric)
  }
  return { unit, series, columns: [...columns.values()] }
}

function rankModels(rows: UsageRow[], metric: UsageMetric): string[] {
  const totals = new Map<string, number>()
  for (const model of rows.flatMap((row) => row.models ?? [])) {
    const value = usageMetrics[metric].read({ ...model, sessions: 0 })
    totals.set(model.name, (totals.get(model.name) ?? 0) + value)
  }
  const names = [...totals]
    .filter(([, value]) => value > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name]) => name)
  if (names.length <= MOST_SERIES) return names
  const others = names.length - MOST_SERIES + 1
  return [...names.slice(0, MOST_SERIES - 1), `${others} other models`]
}

function addRow(column: Column, row: UsageRow, series: string[], metric: UsageMetric) {
  const { read } = usageMetrics[metric]
  const parts = metric === 'sessions' ? [{ name: 'Sessions', value: row.sessions }] : valuesOf(row, read)
  for (const { name, value } of parts) {
    const known = series.indexOf(name)
    const position = known === -1 ? series.length - 1 : known
    column.values[position] = (column.values[position] ?? 0) + value
    column.total += value
  }
}

function valuesOf(row: UsageRow, read: (typeof usageMetrics)[UsageMetric]['read']) {
  return (row.models ?? [])
    .map((model) => ({ name: model.name, value: read({ ...model, sessions: 0 }) }))
    .filter(({ value }) => value > 0)
}

/** The day on which the week (from Monday) or month of a day begins. */
function startOf(unit: ColumnUnit, day: string): string {
  if (unit === 'day') return day
  if (unit === 'month') return `${day.slice(0, 7)}-01`
  const date = startOfDay(day)
  const sinceMonday = (date.getDay() + 6) % 7
  return dayOf(new Date(date.getFullYear(), date.getMonth(), date.getDate() - sinceMonday))
}
