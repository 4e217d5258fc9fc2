import { usageQuerySchema, usageReportSchema } from '@gemini-dash/api'
import { NO_USAGE } from 'gemini-sessions'
import { describe, expect, it } from 'vitest'
import { summaryFixture } from '../../../test/record-fixture.ts'
import { reportUsage, toUsageSources } from './usage-source.ts'

const bucket = (quarterHour: string, model: string | null, input: number, usd: number | null) => ({
  quarterHour,
  model,
  usage: { ...NO_USAGE, input, total: input, calls: 1 },
  cost: { usd, unpricedCalls: usd === null ? 1 : 0 },
})

const sessions = [
  {
    summary: summaryFixture({
      key: 'parent',
      startTime: '2026-11-20T23:00:00.000Z',
      endTime: '2026-11-21T01:00:00.000Z',
      failures: { tools: 3, refused: 0, unanswered: 0 },
      fates: { laterSucceeded: 1, stillFailing: 0, neverRerun: 2 },
    }),
    buckets: [
      bucket('2026-11-20T23:15:00.000Z', 'gemini-2.5-pro', 100, 0.5),
      bucket('2026-11-21T00:45:00.000Z', 'mystery', 50, null),
    ],
    reasons: '',
    tools: [
      {
        name: 'run_shell_command',
        calls: 3,
        errors: 1,
        outputTokensEstimate: 40,
        maxTimeMs: 900,
        timedCalls: 2,
      },
    ],
  },
  {
    summary: summaryFixture({ key: 'child', kind: 'subagent', parentKey: 'parent' }),
    buckets: [bucket('2026-11-20T23:30:00.000Z', 'gemini-2.5-flash', 10, 0.25)],
    reasons: '',
    tools: [
      {
        name: 'run_shell_command',
        calls: 1,
        errors: 0,
        outputTokensEstimate: 2,
        maxTimeMs: 100,
        timedCalls: 1,
      },
    ],
  },
  {
    summary: summaryFixture({ key: 'saved', kind: 'checkpoint' }),
    buckets: [bucket('2026-11-20T23:30:00.000Z', 'gemini-2.5-flash', 999, 9)],
    reasons: '',
    tools: [],
  },
]

const sources = toUsageSources(sessions.map(({ summary, ...record }) => ({ summary, record })))

function report(query: Record<string, unknown>) {
  return usageReportSchema
    .omit({ coverage: true })
    .parse(reportUsage(sources, usageQuerySchema.parse({ tz: 'UTC', ...query }), null))
}

describe('the usage report', () => {
  it('counts calls on the day they were made, sub-agents under their parent, saved chats not at all', () => {
    const { rows, total } = report({ by: 'day' })
    expect(rows.map(({ key, usage, sessions }) => [key, usage?.input, sessions])).toEqual([
      ['2026-11-21', 50, 1],
      ['2026-11-20', 110, 1],
    ])
    expect(total).toMatchObject({ calls: 3, sessions: 1, cost: { usd: 0.75, unpricedCalls: 1 } })
  })

  it('puts days into the reader’s zone', () => {
    expect(report({ by: 'day', tz: 'Europe/Vienna' }).rows.map(({ key }) => key)).toEqual(['2026-11-21'])
  })

  it('adds days up to weeks and months, newest first', () => {
    const rowsBy = (by: string, tz = 'UTC') =>
      report({ by, tz, split: 'model' }).rows.map(({ key, usage, sessions, models }) => [
        key,
        usage?.input,
        sessions,
        models?.length,
      ])
    expect(rowsBy('week')).toEqual([['2026-11-16', 160, 1, 3]])
    expect(rowsBy('month')).toEqual([['2026-11', 160, 1, 3]])
  })

  it('splits days by model, and by project where that is asked for', () => {
    const [, day] = report({ by: 'day', split: 'project' }).rows
    expect(day?.models?.map(({ name, usage, sessions }) => [name, usage.input, sessions])).toEqual([
      ['gemini-2.5-pro', 100, 1],
      ['gemini-2.5-flash', 10, 1],
    ])
    expect(day?.projects?.map(({ key, usage, sessions }) => [key, usage.input, sessions])).toEqual([
      [sources[0]?.summary.project.key, 110, 1],
    ])
    expect(report({ by: 'day' }).rows[0]).not.toHaveProperty('projects')
  })

  it('puts hours into the week of the reader’s zone, from Monday', () => {
    const hours = (tz: string) =>
      report({ by: 'hour-of-week', tz }).rows.map(({ key, usage }) => [key, usage?.input])
    expect(hours('UTC')).toEqual([
      ['5-23', 110],
      ['6-00', 50],
    ])
    expect(hours('Asia/Kolkata')).toEqual([
      ['6-04', 100],
      ['6-05', 10],
      ['6-06', 50],
    ])
  })

  it('cuts a range exactly, not by session', () => {
    expect(report({ by: 'day', from: '2026-11-21' }).total.usage.input).toBe(50)
    expect(report({ by: 'day', to: '2026-11-21' }).total.usage.input).toBe(110)
  })

  it('names what each model spent, an unknown price as unknown', () => {
    expect(report({ by: 'model' }).rows.map(({ key, cost }) => [key, cost?.usd])).toEqual([
      ['gemini-2.5-pro', 0.5],
      ['gemini-2.5-flash', 0.25],
      ['mystery', null],
    ])
  })

  it('gives tools their calls and failures, but no tokens and no cost', () => {
    expect(report({ by: 'tool' }).rows).toEqual([
      {
        key: 'run_shell_command',
        label: 'run_shell_command',
        usage: null,
        cost: null,
        calls: 4,
        sessions: 1,
        errors: 1,
        outputTokensEstimate: 42,
        maxTimeMs: 1_000,
        timedCalls: 3,
      },
    ])
  })

  it('T3: has a sub-agent in the row of its main session, with the share of that by itself', () => {
    expect(
      report({ by: 'session' }).rows.map(({ key, usage, cost, own }) => [key, usage?.input, cost, own?.cost]),
    ).toEqual([['parent', 160, { usd: 0.75, unpricedCalls: 1 }, { usd: 0.5, unpricedCalls: 1 }]])
    // the part of each that is in the range
    const [late] = report({ by: 'session', from: '2026-11-21' }).rows
    expect([late?.usage?.input, late?.own?.usage.input]).toEqual([50, 50])
  })

  it('T3: counts tools and failures of a sub-agent with its main session, whenever it ran within that', () => {
    const late = report({ by: 'tool', from: '2026-11-21' })
    expect(late.rows.map(({ calls, errors }) => [calls, errors])).toEqual([[4, 1]])
    expect(late.total.toolCalls).toBe(4)
    expect(report({ by: 'day', to: '2026-11-19' }).total.toolCalls).toBe(0)
    // one that ran on a day later than all of its main session
    const times = { startTime: '2026-11-22T10:00:00.000Z', endTime: '2026-11-22T11:00:00.000Z' }
    const ranOn = sources.map((source) =>
      source.summary.key === 'child' ? { ...source, summary: { ...source.summary, ...times } } : source,
    )
    const query = usageQuerySchema.parse({ by: 'tool', tz: 'UTC', from: '2026-11-22' })
    expect(reportUsage(ranOn, query, null).total.toolCalls).toBe(0)
  })

  it('says of which project a session is, and what became of what failed', () => {
    const { rows, total } = report({ by: 'session' })
    expect(rows.map(({ project }) => project)).toEqual([sources[0]?.summary.project.name])
    expect(report({ by: 'project' }).rows.some((row) => 'project' in row)).toBe(false)
    expect(total.fates).toEqual({ laterSucceeded: 1, stillFailing: 0, neverRerun: 2 })
  })

  it('says the same total whatever the rows', () => {
    const totals = (
      ['day', 'week', 'month', 'hour-of-week', 'model', 'project', 'tool', 'session'] as const
    ).map((by) => report({ by }).total)
    for (const total of totals) expect(total).toEqual(totals[0])
  })
})
