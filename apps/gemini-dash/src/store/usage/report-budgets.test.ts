import { budgetReportSchema } from '@gemini-dash/api'
import { NO_COST, NO_USAGE } from 'gemini-sessions'
import { describe, expect, test } from 'vitest'
import { reportBudgets } from './usage-questions.ts'
import type { UsageFigures } from './usage-source.ts'

const NO_FATES = { laterSucceeded: 0, stillFailing: 0, neverRerun: 0 }
const NO_FAILURES = { tools: 0, refused: 0, unanswered: 0 }

const SHOP = { key: 'shop', hashes: ['aa'], folders: ['/h/tmp/aa'] }
const identity = { ...SHOP, name: 'webshop' } as Parameters<typeof reportBudgets>[0]['projects'][number]

/** 10 of 30 days are over: the forecast is three times the amount spent. */
const TENTH_DAY = Date.parse('2026-11-11T00:00:00Z')

function report(usd: number | null, budgets: number[], { now = TENTH_DAY, unpricedCalls = 0 } = {}) {
  const cost = { usd, unpricedCalls }
  const asked: string[][] = []
  const usageByProject = (from: string, to: string): UsageFigures => {
    asked.push([from, to])
    const figures = { usage: NO_USAGE, cost, calls: 1, sessions: 1 }
    const total = { ...figures, toolCalls: 0, failures: NO_FAILURES, fates: NO_FATES }
    return { rows: [{ key: 'shop', label: 'webshop', ...figures }], total }
  }
  const result = reportBudgets({
    budgets: budgets.map((usdPerMonth) => ({ project: null, usdPerMonth })),
    projects: [identity],
    usageByProject,
    nowMs: now,
    zone: 'UTC',
  })
  return { ...budgetReportSchema.parse(result), asked }
}

describe('a budget of the month', () => {
  test('is passed, on course to be, or held', () => {
    const { month, budgets, asked } = report(4, [3.99, 11.99, 12.01])
    expect(month).toMatchObject({ from: '2026-11-01', to: '2026-12-01' })
    expect(month.elapsed).toBeCloseTo(1 / 3, 12)
    expect(budgets.map(({ state }) => state)).toEqual(['passed', 'on-course', 'within'])
    expect(budgets[0]?.projectedUsd).toBeCloseTo(12, 9)
    expect(asked).toEqual([['2026-11-01', '2026-12-01']])
  })

  test('spent to the cent is not passed', () => {
    expect(report(4, [4]).budgets[0]?.state).toBe('on-course')
  })

  test('foretells nothing in the first three days, and says what is passed all the same', () => {
    const now = Date.parse('2026-11-03T23:59:59Z')
    const { budgets } = report(4, [3, 5], { now })
    expect(budgets.map(({ state, projectedUsd }) => [state, projectedUsd])).toEqual([
      ['passed', null],
      ['within', null],
    ])
  })

  test('of calls without any price is unknown; of no calls it is held', () => {
    expect(report(null, [5], { unpricedCalls: 2 }).budgets[0]).toMatchObject({
      state: 'unknown',
      projectedUsd: null,
    })
    expect(report(null, [5]).budgets[0]).toMatchObject({ state: 'within', spent: NO_COST })
  })

  test('asks for nothing where none is set', () => {
    expect(report(4, []).asked).toEqual([])
  })

  test('begins and ends with the month of the reader', () => {
    const nowMs = Date.parse('2026-12-31T23:30:00Z')
    const sources = { budgets: [], projects: [], usageByProject: () => expect.fail(), nowMs }
    expect(reportBudgets({ ...sources, zone: 'UTC' }).month).toMatchObject({ from: '2026-12-01' })
    expect(reportBudgets({ ...sources, zone: 'Europe/Vienna' }).month).toMatchObject({
      from: '2027-01-01',
      to: '2027-02-01',
    })
  })
})

describe('a budget of a project', () => {
  const of = (project: typeof SHOP) => ({ project, usdPerMonth: 3 })
  const sources = {
    projects: [identity],
    usageByProject: (): UsageFigures => ({
      rows: [
        {
          key: 'shop',
          label: '',
          usage: NO_USAGE,
          cost: { usd: 4, unpricedCalls: 0 },
          calls: 1,
          sessions: 1,
        },
      ],
      total: {
        usage: NO_USAGE,
        cost: { usd: 90, unpricedCalls: 0 },
        calls: 1,
        sessions: 1,
        toolCalls: 0,
        failures: NO_FAILURES,
        fates: NO_FATES,
      },
    }),
    nowMs: TENTH_DAY,
    zone: 'UTC',
  }

  test('counts that project alone, also when its key is another by now', () => {
    const { budgets } = reportBudgets({ ...sources, budgets: [of({ ...SHOP, key: 'before' })] })
    expect(budgets).toMatchObject([
      { project: { key: 'shop', name: 'webshop' }, spent: { usd: 4 }, state: 'passed' },
    ])
  })

  test('that is not in these homes says nothing', () => {
    const gone = of({ key: 'gone', hashes: [], folders: [] })
    expect(reportBudgets({ ...sources, budgets: [gone] }).budgets).toEqual([])
  })
})
