import type { UsageRow } from '@gemini-dash/api'
import { NO_USAGE } from 'gemini-sessions'
import { describe, expect, test } from 'vitest'
import { lastDays } from '../../../lib/figures/day-range.ts'
import { toColumns } from './columns.ts'

describe('toColumns', () => {
  test('draws every day of the range, the empty ones too', () => {
    const columns = toColumns(
      [row('2026-11-20', { pro: 2 })],
      ['2026-11-19', '2026-11-20', '2026-11-21'],
      'cost',
      'model',
    )
    expect(columns).toEqual({
      unit: 'day',
      series: [{ key: 'pro', name: 'pro' }],
      columns: [
        { start: '2026-11-19', values: [0], total: 0 },
        { start: '2026-11-20', values: [2], total: 2 },
        { start: '2026-11-21', values: [0], total: 0 },
      ],
    })
  })

  test('ranks models over the whole range, not per day', () => {
    const rows = [row('2026-11-20', { flash: 1, pro: 0.5 }), row('2026-11-21', { pro: 4 })]
    const { series, columns } = toColumns(rows, ['2026-11-20', '2026-11-21'], 'cost', 'model')
    expect(series.map(({ name }) => name)).toEqual(['pro', 'flash'])
    expect(columns.map((column) => column.values)).toEqual([
      [0.5, 1],
      [4, 0],
    ])
  })

  test('puts models beyond the fifth colour together', () => {
    const costs = { a: 7, b: 6, c: 5, d: 4, e: 3, f: 2 }
    const { series, columns } = toColumns([row('2026-11-20', costs)], ['2026-11-20'], 'cost', 'model')
    expect(series.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', '2 other models'])
    expect(series.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd', null])
    expect(columns[0]?.values).toEqual([7, 6, 5, 4, 5])
    expect(columns[0]?.total).toBe(27)
  })

  test('counts sessions once a day, not once a model', () => {
    const { series, columns } = toColumns(
      [row('2026-11-20', { pro: 1, flash: 1 })],
      ['2026-11-20'],
      'sessions',
      'model',
    )
    expect(series).toEqual([{ key: null, name: 'Sessions' }])
    expect(columns[0]?.total).toBe(3)
  })

  test('stacks sessions by project, as each session has one', () => {
    const day = row('2026-11-20', { pro: 1 })
    const part = { usage: NO_USAGE, cost: { usd: 1, unpricedCalls: 0 } }
    const projects = [
      { key: 'a', name: 'shop', ...part, sessions: 2 },
      { key: 'b', name: 'shop', ...part, sessions: 1 },
    ]
    const rows = [{ ...day, projects }]
    const { series, columns } = toColumns(rows, ['2026-11-20'], 'sessions', 'project')
    expect(series.map(({ key }) => key)).toEqual(['a', 'b'])
    expect(columns[0]).toEqual({ start: '2026-11-20', values: [2, 1], total: 3 })
  })

  test('gathers a long range by week, from Monday', () => {
    const days = lastDays(200, new Date(2026, 10, 21))
    const { unit, columns } = toColumns(
      [row('2026-11-16', { pro: 1 }), row('2026-11-21', { pro: 2 })],
      days,
      'cost',
      'model',
    )
    expect(unit).toBe('week')
    expect(columns.at(-1)).toEqual({ start: '2026-11-16', values: [3], total: 3 })
  })

  test('leaves out days outside the range', () => {
    const { columns } = toColumns([row('2020-01-01', { pro: 1 })], ['2026-11-20'], 'cost', 'model')
    expect(columns[0]?.total).toBe(0)
  })
})

function row(day: string, costs: Record<string, number>): UsageRow {
  const usage = {
    input: 1,
    output: 0,
    cached: 0,
    thoughts: 0,
    tool: 0,
    total: 1,
    calls: 1,
    callsWithoutTokens: 0,
  }
  const models = Object.entries(costs).map(([name, usd]) => ({
    name,
    usage,
    cost: { usd, unpricedCalls: 0 },
    sessions: 1,
  }))
  return { key: day, label: day, usage, cost: { usd: 1, unpricedCalls: 0 }, calls: 1, sessions: 3, models }
}
