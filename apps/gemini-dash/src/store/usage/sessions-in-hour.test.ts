import { NO_COST, NO_USAGE } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { summaryFixture } from '../record-fixture.ts'
import { sessionsInHour, toUsageSources } from './usage-source.ts'

const source = (key: string, quarterHours: (string | null)[], parentKey: string | null = null) => ({
  summary: summaryFixture({ key, parentKey, startTime: '2026-11-16T09:05:00.000Z' }),
  record: {
    buckets: quarterHours.map((quarterHour) => ({
      quarterHour,
      model: null,
      usage: NO_USAGE,
      cost: NO_COST,
    })),
    reasons: '',
    tools: [],
  },
})

// 2026-11-16 is a Monday
const SOURCES = toUsageSources([
  source('monday', ['2026-11-16T09:45:00.000Z']),
  source('tuesday', ['2026-11-17T09:00:00.000Z']),
  source('agent', ['2026-11-23T09:15:00.000Z'], 'parent'),
  source('untimed', [null]),
])

test('finds who called in that hour of any week, with the parent of an agent', () => {
  expect([...sessionsInHour(SOURCES, { hour: '1-09' }, 'UTC')]).toEqual([
    'monday',
    'agent',
    'parent',
    'untimed',
  ])
})

test('goes by the clock of the reader, and by the calls within the range', () => {
  expect([...sessionsInHour(SOURCES, { hour: '1-10' }, 'Europe/Vienna')]).toContain('monday')
  expect([...sessionsInHour(SOURCES, { hour: '1-09', from: '2026-11-17' }, 'UTC')]).toEqual([
    'agent',
    'parent',
  ])
})
