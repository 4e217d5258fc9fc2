import { SESSION_ORDERS, sessionListSchema, sessionQuerySchema } from '@gemini-dash/api'
import { NO_USAGE, type SessionSummary } from 'gemini-sessions'
import { describe, expect, it } from 'vitest'
import { summaryFixture } from '../../test/record-fixture.ts'
import { listPage, resolveList, SessionLists } from './list.ts'

const at = (day: number, hour = 10) =>
  `2026-11-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`

function session(key: string, fields: Partial<SessionSummary> = {}): SessionSummary {
  return summaryFixture({ key, ...fields })
}

function list(sessions: SessionSummary[], query: Record<string, unknown>, projects: string[] | null = null) {
  const answer = listPage(
    sessions,
    resolveList(
      sessionQuerySchema.parse({ tz: 'UTC', ...(projects !== null && { project: 'any' }), ...query }),
      () => new Set(projects),
    ),
  )
  return sessionListSchema.omit({ coverage: true }).parse(answer)
}

const keysOf = (answer: { sessions: SessionSummary[] }) => answer.sessions.map(({ key }) => key)

const NO_NAMES = new Map<string, string>()

describe('the list of sessions', () => {
  const mixed = [
    session('old', { startTime: at(1), endTime: at(1, 12) }),
    session('sub', { kind: 'subagent', startTime: at(2), endTime: at(2) }),
    session('saved', { kind: 'checkpoint', startTime: at(3), endTime: at(3) }),
    session('new', { startTime: at(5), endTime: at(6) }),
    session('long', { startTime: at(2), endTime: at(7) }),
  ]

  it('shows main sessions, the one with the latest message first', () => {
    expect(keysOf(list(mixed, {}))).toEqual(['long', 'new', 'old'])
  })

  it('shows sub-agents or everything when asked', () => {
    expect(keysOf(list(mixed, { kind: 'subagent' }))).toEqual(['sub'])
    expect(list(mixed, { kind: 'all' }).total).toBe(5)
  })

  it('C10: shows saved chats, sessions of prompts alone, and the sub-agents of one session; and how many of each there are', () => {
    const all = [
      ...mixed,
      session('asked', { kind: 'prompts-only' }),
      session('child', { kind: 'subagent', parentKey: 'new' }),
    ]
    expect(keysOf(list(all, { kind: 'checkpoint' }))).toEqual(['saved'])
    expect(keysOf(list(all, { kind: 'prompts-only' }))).toEqual(['asked'])
    expect(keysOf(list(all, { kind: 'subagent', parent: 'new' }))).toEqual(['child'])
    for (const kind of ['main', 'checkpoint'])
      expect(list(all, { kind, title: 'nothing is called so' })).toMatchObject({
        total: 0,
        kinds: [
          { kind: 'main', sessions: 3 },
          { kind: 'subagent', sessions: 2 },
          { kind: 'checkpoint', sessions: 1 },
          { kind: 'prompts-only', sessions: 1 },
        ],
      })
  })

  it('C10, T3: adds up what the rows of the whole filter show, and of several kinds each token, call and failure once', () => {
    const spent = (input: number) => ({
      usage: { ...NO_USAGE, input },
      cost: { usd: input, unpricedCalls: 0 },
    })
    const failures = { tools: 1, refused: 2, unanswered: 3 }
    const ofAgent = { tools: 4, refused: 0, unanswered: 0 }
    const own = { failures, recorded: { turns: 1, toolCalls: 5 } }
    const agents = { failures: ofAgent, recorded: { turns: 0, toolCalls: 7 } }
    const together = { toolCalls: 12, failures: { tools: 5, refused: 2, unanswered: 3 } }
    const unread = { toolCalls: null, failures: null }
    const all = [
      session('main', { ...spent(1), ...own, withSubagents: { ...spent(11), ...together } }),
      session('other', {
        ...spent(100),
        recorded: null,
        failures: null,
        withSubagents: { ...spent(100), ...unread },
      }),
      session('child', {
        ...spent(10),
        ...agents,
        kind: 'subagent',
        parentKey: 'main',
        withSubagents: { ...spent(10), toolCalls: 7, failures: ofAgent },
      }),
      session('saved', {
        ...spent(1),
        ...own,
        kind: 'checkpoint',
        withSubagents: { ...spent(1), toolCalls: 5, failures },
      }),
    ]
    const sumOf = (query: object) => {
      const { usage, cost, ...counted } = list(all, { limit: 1, ...query }).sums
      return [usage.input, cost.usd, counted]
    }
    expect(sumOf({})).toEqual([111, 111, together])
    expect(sumOf({ has: 'errors' })).toEqual([11, 11, together])
    expect(sumOf({ kind: 'all' })).toEqual([111, 111, together])
    expect(sumOf({ kind: 'checkpoint' })).toEqual([1, 1, { toolCalls: 5, failures }])
    const days = (query: Record<string, unknown>) =>
      list(all, query).days.map(({ usage, withSubagents }) => [usage.input, withSubagents.usage.input])
    expect([days({}), days({ kind: 'all' })]).toEqual([[[101, 111]], [[111, 111]]])
  })

  it('T9: leaves empty sessions out when asked, counts them under the filter, and lists them by their kind', () => {
    const all = [
      ...mixed,
      session('empty', { empty: true, models: [], startTime: at(4), endTime: at(4) }),
      session('elsewhere', { empty: true, models: [], project: { key: 'other', name: 'other', path: null } }),
    ]
    expect(keysOf(list(all, {})).toSorted()).toEqual(['elsewhere', 'empty', 'long', 'new', 'old'])
    expect(list(all, {})).toMatchObject({ total: 5, empty: 2 })
    const shown = list(all, { empty: 'exclude' })
    expect([keysOf(shown), shown.total, shown.empty]).toEqual([['long', 'new', 'old'], 3, 2])
    expect(shown.days.map(({ day }) => day)).not.toContain('2026-11-04')
    expect(list(all, { empty: 'exclude' }, ['other'])).toMatchObject({ total: 0, empty: 1 })
    expect(list(all, { empty: 'exclude', to: at(3) }).empty).toBe(0)
    expect(keysOf(list(all, { kind: 'empty' })).toSorted()).toEqual(['elsewhere', 'empty'])
    expect(list(all, { kind: 'subagent' }).kinds).toEqual([
      { kind: 'main', sessions: 5 },
      { kind: 'subagent', sessions: 1 },
      { kind: 'checkpoint', sessions: 1 },
      { kind: 'empty', sessions: 2 },
    ])
  })

  it('takes a range as overlap, its end exclusive, bare dates in the zone', () => {
    expect(keysOf(list(mixed, { from: '2026-11-03', to: '2026-11-05' }))).toEqual(['long'])
    expect(keysOf(list(mixed, { from: '2026-11-05', to: '2026-11-06' }))).toEqual(['long', 'new'])
    expect(keysOf(list(mixed, { to: at(2) }))).toEqual(['old'])
  })

  it('puts sessions without a time last, whichever way the times go', () => {
    const timeless = session('timeless', { startTime: null, endTime: null, lastUpdated: null })
    for (const sort of ['recent', 'oldest', 'duration', '-recent', '-oldest', '-duration'])
      expect(keysOf(list([timeless, ...mixed], { sort })).at(-1)).toBe('timeless')
  })

  it('tells the totals of the days of its rows alone, or of none, where that is enough', () => {
    const all = list(mixed, {}).days
    expect(all.map(({ day }) => day)).toEqual(['2026-11-07', '2026-11-06', '2026-11-01'])
    const first = list(mixed, { limit: 1, days: 'rows' })
    expect(first.days).toEqual(all.slice(0, 1))
    const rest = list(mixed, { limit: 2, days: 'rows', cursor: first.nextCursor ?? '' })
    expect(rest.days).toEqual(all.slice(1))
    expect(list(mixed, { days: 'none' })).toMatchObject({ total: 3, days: [] })
  })

  it('sorts by turns and by calls of tools as the rows show them: what nobody counted comes last', () => {
    const sessions = [
      session('few', { recorded: { turns: 2, toolCalls: 0 } }),
      session('many', { recorded: { turns: 9, toolCalls: 4 } }),
      session('before 0.9', { recorded: { turns: 5, toolCalls: 0 }, startTime: '2025-09-18T08:00:00.000Z' }),
      session('unread', { recorded: null }),
    ]
    const sorted = (sort: string) => keysOf(list(sessions, { sort }))
    expect(sorted('turns')).toEqual(['many', 'before 0.9', 'few', 'unread'])
    expect(sorted('-turns')).toEqual(['few', 'before 0.9', 'many', 'unread'])
    expect(sorted('tools')).toEqual(['many', 'few', 'before 0.9', 'unread'])
    expect(sorted('-tools')).toEqual(['few', 'many', 'before 0.9', 'unread'])
  })

  it('C8: sorts by failures and by length, and turns each order around', () => {
    const failures = (tools: number, refused = 0) => ({ tools, refused, unanswered: 0 })
    const sessions = [
      session('short', { startTime: at(3), endTime: at(3, 1), failures: failures(0) }),
      session('long', { startTime: at(2), endTime: at(4), failures: failures(1, 4) }),
      session('middle', { startTime: at(1), endTime: at(1, 5), failures: failures(2) }),
      session('unread', { startTime: at(5), endTime: null, failures: null }),
    ]
    const sorted = (sort: string) => keysOf(list(sessions, { sort }))
    expect(sorted('failed')).toEqual(['long', 'middle', 'short', 'unread'])
    expect(sorted('-failed')).toEqual(['short', 'middle', 'long', 'unread'])
    expect(sorted('duration')).toEqual(['long', 'middle', 'short', 'unread'])
    expect(sorted('-duration')).toEqual(['short', 'middle', 'long', 'unread'])
    expect(sorted('-recent')).toEqual([...sorted('recent')].reverse())
    expect(sorted('-oldest')).toEqual([...sorted('oldest')].reverse())
  })

  it('walks through all rows page by page, whatever the order', () => {
    for (const sort of [...SESSION_ORDERS, ...SESSION_ORDERS.map((order) => `-${order}`)]) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = list(mixed, { kind: 'all', sort, limit: 2, cursor })
        seen.push(...keysOf(page))
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      expect(seen).toEqual(keysOf(list(mixed, { kind: 'all', sort })))
      expect(new Set(seen).size).toBe(5)
    }
  })

  it('sums days over the whole filter, not over the page, in the reader’s zone', () => {
    const late = [
      session('a', { endTime: '2026-11-20T23:30:00.000Z' }),
      session('b', { endTime: '2026-11-21T08:00:00.000Z', cost: { usd: null, unpricedCalls: 1 } }),
    ]
    expect(list(late, { tz: 'Europe/Vienna', limit: 1 }).days).toEqual([
      {
        day: '2026-11-21',
        sessions: 2,
        usage: expect.objectContaining({ input: 200, output: 20, calls: 2 }),
        cost: { usd: 0.01, unpricedCalls: 1 },
        withSubagents: {
          usage: expect.objectContaining({ input: 200, output: 20, calls: 2 }),
          cost: { usd: 0.02, unpricedCalls: 0 },
        },
      },
    ])
  })

  it('filters by project, model, failures, live and title, without regard to case and accents', () => {
    const sessions = [
      session('a', { title: 'Café prices', models: [{ name: 'gemini-3-pro-preview', calls: 2 }] }),
      session('b', { live: true, project: { key: 'other', name: 'other', path: null } }),
    ]
    expect(keysOf(list(sessions, { title: 'CAFE' }))).toEqual(['a'])
    expect(keysOf(list(sessions, { title: 'pries cafe' }))).toEqual([])
    expect(keysOf(list(sessions, { title: 'pries cafe', match: 'near' }))).toEqual(['a'])
    expect(keysOf(list(sessions, { title: 'cafe shop', match: 'near' }))).toEqual([])
    expect(keysOf(list(sessions, { model: 'gemini-3-pro-preview' }))).toEqual(['a'])
    expect(keysOf(list(sessions, { has: 'live' }))).toEqual(['b'])
    expect(keysOf(list(sessions, { has: 'errors' }))).toEqual([])
    expect(keysOf(list(sessions, {}, ['other']))).toEqual(['b'])
  })

  it('keeps what a person starred, by one of its messages too, or gave a tag', () => {
    const none = {
      star: false,
      note: '',
      tags: [],
      title: null,
      seen: null,
      messages: { starred: 0, noted: 0 },
    }
    const sessions = [
      session('plain'),
      session('noted', { mark: { ...none, note: 'x', messages: { starred: 0, noted: 1 } } }),
      session('starred', { mark: { ...none, star: true, tags: ['Später'] } }),
      session('message', { mark: { ...none, messages: { starred: 1, noted: 0 } } }),
    ]
    expect(keysOf(list(sessions, { starred: 'true' })).toSorted()).toEqual(['message', 'starred'])
    expect(keysOf(list(sessions, { starred: 'false' })).toSorted()).toEqual(['noted', 'plain'])
    expect(keysOf(list(sessions, { tag: 'spater' }))).toEqual(['starred'])
    expect(keysOf(list(sessions, { tag: 'spat' }))).toEqual([])
  })

  it('C3: takes for failed what was refused or never answered, as well as failed tools', () => {
    const failed = (key: string, failures: Partial<NonNullable<SessionSummary['failures']>>) =>
      session(key, { failures: { tools: 0, refused: 0, unanswered: 0, ...failures } })
    const sessions = [
      failed('tool', { tools: 1 }),
      failed('refused', { refused: 1 }),
      failed('unanswered', { unanswered: 1 }),
      failed('fine', {}),
      session('unread', { failures: null }),
    ]
    expect(keysOf(list(sessions, { has: 'errors' })).toSorted()).toEqual(['refused', 'tool', 'unanswered'])
  })

  it('A9, T3: sorts by what a session took together with its sub-agents', () => {
    const took = (key: string, own: number, all: number) => {
      const usage = (total: number) => ({ ...NO_USAGE, total })
      const cost = (usd: number) => ({ usd, unpricedCalls: 0 })
      const failures = (tools: number) => ({ tools, refused: 0, unanswered: 0 })
      return session(key, {
        usage: usage(own),
        cost: cost(own),
        recorded: { turns: 1, toolCalls: own },
        failures: failures(own),
        withSubagents: { usage: usage(all), cost: cost(all), toolCalls: all, failures: failures(all) },
      })
    }
    const sessions = [took('alone', 5, 5), took('parent', 1, 9)]
    for (const sort of ['tokens', 'cost', 'tools', 'failed'])
      expect(keysOf(list(sessions, { sort }))).toEqual(['parent', 'alone'])
  })

  it('T3: lists as failed a session of which only a sub-agent failed, as its row says', () => {
    const none = { tools: 0, refused: 0, unanswered: 0 }
    const { withSubagents } = session('parent')
    const sessions = [
      session('parent', {
        failures: none,
        withSubagents: { ...withSubagents, failures: { ...none, tools: 1 } },
      }),
      session('fine'),
    ]
    expect(keysOf(list(sessions, { has: 'errors' }))).toEqual(['parent'])
  })

  it('has the day of those without a time last', () => {
    const timeless = session('timeless', { startTime: null, endTime: null, lastUpdated: null })
    expect(
      list([timeless, ...mixed], {})
        .days.map(({ day }) => day)
        .at(-1),
    ).toBe('unknown')
  })

  it('counts models over the filter without the model itself, so that another can be chosen', () => {
    const sessions = [
      session('a', { models: [{ name: 'gemini-3-pro-preview', calls: 2 }] }),
      session('b'),
      session('c'),
    ]
    expect(list(sessions, { model: 'gemini-3-pro-preview' }).models).toEqual([
      { name: 'gemini-2.5-pro', sessions: 2 },
      { name: 'gemini-3-pro-preview', sessions: 1 },
    ])
  })

  it('clamps a limit and survives a broken cursor and sessions without times or figures', () => {
    const bare = session('bare', {
      startTime: null,
      endTime: null,
      counts: null,
      usage: null,
      cost: null,
      models: null,
      withSubagents: { usage: null, cost: null, toolCalls: null, failures: null },
    })
    expect(list([bare], { limit: 5000, cursor: '%%%', sort: 'cost' }).total).toBe(1)
    expect(list([bare], {}).days[0]?.day).toBe('unknown')
    expect(list([bare], { from: '2026-01-01' }).total).toBe(0)
  })
})

describe('lists that are asked for again', () => {
  it('are worked out once for all pages, until a row or a project changes', async () => {
    let revision = 0
    let projects: object = {}
    let worked = 0
    let sessions = [session('a', { endTime: at(5) }), session('b', { endTime: at(4) })]
    const held = new Map()
    const lists = new SessionLists({
      sync: {
        rows: {
          get revision() {
            return revision
          },
          sessions: () => held,
          projects: () => projects,
        },
        firstList: { answer: async () => null },
      },
      shown: {
        summaries: () => {
          worked += 1
          return sessions
        },
        findProjects: () => new Set<string>(),
        using: () => null,
      },
      homes: [],
      homeNames: { all: () => NO_NAMES },
    })
    const ask = async (query: Record<string, unknown> = {}) =>
      lists.answer(sessionQuerySchema.parse({ tz: 'UTC', limit: 1, ...query }))
    const first = await ask()
    const rest = await ask({ cursor: first.nextCursor ?? '', days: 'rows' })
    expect([keysOf(first), keysOf(rest), rest.days.length, worked]).toEqual([['a'], ['b'], 1, 1])
    expect([(await ask({ kind: 'all' })).total, worked]).toEqual([2, 2])

    sessions = [session('c', { endTime: at(6) }), ...sessions]
    revision += 1
    const grown = await ask()
    expect([keysOf(grown), grown.total, grown.sums.usage.calls, worked]).toEqual([['c'], 3, 3, 3])
    projects = {}
    await ask()
    expect(worked).toBe(4)
  })
})
