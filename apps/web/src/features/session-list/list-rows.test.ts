import type { SessionSummary } from 'gemini-sessions'
import { describe, expect, test } from 'vitest'
import { toListRows } from './virtual-rows.tsx'

const spent = {
  usage: { input: 9, output: 0, cached: 0, thoughts: 0, tool: 0, total: 9, calls: 1, callsWithoutTokens: 0 },
  cost: { usd: 1, unpricedCalls: 0 },
}
const totals = { sessions: 2, ...spent, withSubagents: spent }

describe('toListRows', () => {
  test('puts a heading with its totals before the sessions of each day', () => {
    const sessions = [
      session('a', '2026-11-21T20:00:00'),
      session('b', '2026-11-21T08:00:00'),
      session('c', '2026-11-20T23:59:00'),
    ]
    const rows = toListRows(sessions, [{ day: '2026-11-21', ...totals }])
    expect(rows.map((row) => (row.kind === 'day' ? row.day : row.key))).toEqual([
      '2026-11-21',
      'a',
      'b',
      '2026-11-20',
      'c',
    ])
    expect(rows[0]).toMatchObject({ totals: { sessions: 2 } })
    expect(rows[3]).toMatchObject({ totals: undefined })
  })

  test('marks where days before the first one of the newer program follow, and nowhere else', () => {
    const sessions = [
      session('a', '2026-11-21T20:00:00'),
      session('b', '2026-11-20T08:00:00'),
      session('c', '2026-11-18T23:59:00'),
      session('d', '2026-11-17T23:59:00'),
    ]
    const kindsSince = (since: string | null) => toListRows(sessions, [], since).map(({ key }) => key)
    const marked = kindsSince('2026-11-20')
    expect(marked.slice(marked.indexOf('b'), marked.indexOf('c'))).toEqual(['b', 'since', 'day 2026-11-18'])
    expect(marked.filter((key) => key === 'since')).toHaveLength(1)
    for (const since of [null, '2026-11-17', '2026-11-22']) expect(kindsSince(since)).not.toContain('since')
    expect(toListRows(sessions, null, '2026-11-20').map(({ kind }) => kind)).not.toContain('since')
  })

  test('tells where each sheet of rows begins and ends', () => {
    const sessions = [
      session('a', '2026-11-21T20:00:00'),
      session('b', '2026-11-21T08:00:00'),
      session('c', '2026-11-20T23:59:00'),
    ]
    const edges = toListRows(sessions, []).flatMap((row) =>
      row.kind === 'session' ? [[row.key, row.isFirst, row.isLast]] : [],
    )
    expect(edges).toEqual([
      ['a', true, false],
      ['b', false, true],
      ['c', true, true],
    ])
  })

  test('makes one sheet without headings when rows are not in order of time', () => {
    const rows = toListRows([session('a', '2026-11-21T20:00:00'), session('b', '2026-11-19T08:00:00')], null)
    expect(rows.map((row) => row.kind)).toEqual(['session', 'session'])
    expect(rows).toMatchObject([
      { isFirst: true, isLast: false },
      { isFirst: false, isLast: true },
    ])
  })

  test('gathers sessions without any time under a day of their own', () => {
    const rows = toListRows([session('a', null)], [])
    expect(rows[0]).toMatchObject({ kind: 'day', day: 'unknown' })
  })
})

function session(key: string, localTime: string | null): SessionSummary {
  const time = localTime && new Date(localTime).toISOString()
  return {
    key,
    sessionId: key,
    kind: 'main',
    source: 'gemini-cli',
    parentKey: null,
    subagentKeys: [],
    sameRunKeys: [],
    project: { key: 'p', name: 'p', path: null },
    title: key,
    titleSource: 'prompt',
    startTime: time,
    endTime: time,
    lastUpdated: null,
    deletedAfter: null,
    mark: null,
    deletedSeen: null,
    deletedBy: null,
    copiedFrom: null,
    indexed: 'head',
    buried: false,
    empty: false,
    live: false,
    ended: null,
    verdict: null,
    outcome: null,
    failures: null,
    fates: null,
    recorded: null,
    issues: 0,
    firstPrompt: null,
    trace: [],
    models: null,
    counts: null,
    usage: null,
    liveUsage: null,
    cost: null,
    withSubagents: { usage: null, cost: null, toolCalls: null, failures: null },
    files: [],
  }
}
