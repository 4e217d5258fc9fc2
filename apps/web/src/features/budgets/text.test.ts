import type { Budget } from '@gemini-dash/api'
import { describe, expect, test } from 'vitest'
import { budgetState, budgetWarning } from './budget-notices.tsx'

const month = { from: '2026-11-01', to: '2026-12-01', elapsed: 10.5 / 30 }
const budget = (change: Partial<Budget>): Budget => ({
  project: null,
  usdPerMonth: 10,
  spent: { usd: 4, unpricedCalls: 0 },
  projectedUsd: 11.428,
  state: 'on-course',
  ...change,
})

describe('what is said of a budget unasked', () => {
  test('is nothing while it holds, or is not known', () => {
    expect(budgetWarning(budget({ state: 'within' }), month)).toBeNull()
    expect(budgetWarning(budget({ state: 'unknown' }), month)).toBeNull()
  })

  test('is how much is over once it is passed', () => {
    const passed = budget({ state: 'passed', spent: { usd: 12.5, unpricedCalls: 1 } })
    expect(budgetWarning(passed, month)).toBe(
      'This month has cost $12.50, $2.50 over the budget of $10.00 (all projects). 1 request of unknown price not counted.',
    )
  })

  test('is a pace, and of how many days, before that', () => {
    expect(budgetWarning(budget({ project: { key: 'k', name: 'shop' } }), month)).toBe(
      'At the pace of its first 10 days this month comes to $11.43, over the budget of $10.00 (shop).',
    )
  })
})

test('each state has its words', () => {
  expect([
    budgetState(budget({ state: 'within', projectedUsd: null })),
    budgetState(budget({ state: 'within', projectedUsd: 9 })),
    budgetState(budget({})),
    budgetState(budget({ state: 'passed', spent: { usd: 12.5, unpricedCalls: 0 } })),
    budgetState(budget({ state: 'unknown', spent: { usd: null, unpricedCalls: 3 } })),
  ]).toEqual([
    'not enough data',
    'on track for $9.00',
    'on track for $11.43',
    '$2.50 over',
    'not known: no request of this month has a price',
  ])
})
