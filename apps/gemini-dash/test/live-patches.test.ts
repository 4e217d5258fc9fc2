import { type ProjectList, type SessionList, sessionQuerySchema, type UsageReport } from '@gemini-dash/api'
import { type Placed, patchList, patchProjects, patchUsage, toRowChange } from '@gemini-dash/api/patches'
import fc from 'fast-check'
import { addCost, addUsage, type Cost, NO_COST, NO_USAGE, type TokenUsage } from 'gemini-sessions'
import type { ProjectIdentity } from 'gemini-sessions/node'
import { expect, test } from 'vitest'
import { Catalog } from '../src/store/catalog/catalog.ts'
import { RowNews } from '../src/store/changes/row-news.ts'
import { recordFixture } from '../src/store/fixtures/record-fixture.ts'
import { listPage } from '../src/store/list/list-sessions.ts'
import { resolveList } from '../src/store/list/resolve-list.ts'
import { listProjects } from '../src/store/projects/list-projects.ts'
import { localDay } from '../src/store/times/time-zone.ts'
import { reportUsage } from '../src/store/usage/report-usage.ts'
import { toUsageSources } from '../src/store/usage/usage-source.ts'

const ZONES = ['UTC', 'America/New_York', 'Pacific/Auckland']
const MODELS = ['gemini-2.5-pro', 'gemini-3-flash', null]
const TOOLS = ['read_file', 'run_shell_command']
const SESSIONS = 12
const START_MS = Date.parse('2026-11-01T00:00:00Z')
const QUARTER_MS = 15 * 60_000
/** A week and a half: sessions share days, and leave them. */
const QUARTERS = 10 * 96

/** One more call in a session: when, by what, with which tool. */
const growthArbitrary = fc.record({
  session: fc.nat(SESSIONS - 1),
  quarter: fc.nat(QUARTERS),
  model: fc.constantFrom(...MODELS),
  tool: fc.constantFrom(null, ...TOOLS),
  tokens: fc.integer({ min: 1, max: 5_000 }),
  fails: fc.boolean(),
})
type Growth = typeof growthArbitrary extends fc.Arbitrary<infer Value> ? Value : never

/** Of the day that what is loaded ends in, others may come later. */
const INTO_THE_LAST_DAY: Growth[] = [
  [10, 768],
  [0, 672],
  [0, 700],
].map(([session = 0, quarter = 0]) => ({
  ...{ session, quarter, model: 'gemini-2.5-pro', tool: null },
  ...{ tokens: 1, fails: false },
}))

type Fixture = ReturnType<typeof recordFixture>

test('R53: whatever row of changes comes, what the page holds equals what it would be answered', () => {
  let patches = 0
  fc.assert(
    fc.property(
      fc.array(growthArbitrary, { minLength: 1, maxLength: 25 }),
      fc.constantFrom(...ZONES),
      fc.integer({ min: 1, max: 7 }),
      (growths, zone, pageSize) => {
        const home = new Home(zone)
        let page = home.load(pageSize)
        for (const growth of growths) {
          const change = toRowChange(home.at + 1, home.grow(growth))
          if (change === null) throw new Error('A session that grows alone has its row in the news.')
          page = page.map((shown) => {
            const patched = shown.patch(change)
            if (patched !== null) patches += 1
            return patched ?? shown.reload()
          })
          for (const shown of page) shown.compare()
        }
      },
    ),
    { numRuns: 40, examples: [[INTO_THE_LAST_DAY, 'UTC', 1]] },
  )
  // Whoever asks again for everything is right, too.
  expect(patches).toBeGreaterThan(1_000)
})

type Change = NonNullable<ReturnType<typeof toRowChange>>

interface Shown {
  /** null: it is to be asked for again. */
  patch: (change: Change) => Shown | null
  reload: () => Shown
  compare: () => void
}

/** Sessions as the store has them, each of a project of two, and the answers that are made of them. */
class Home {
  at = 0
  readonly #catalog = new Catalog()
  readonly #records: Fixture[]
  readonly #dayOf: (time: string | null) => string
  readonly #zone: string

  constructor(zone: string) {
    this.#zone = zone
    this.#dayOf = (time) => localDay(time ?? '', zone)
    const projects = ['shop', 'site'].map((name) => project(name))
    this.#catalog.setProjects(projects)
    this.#records = Array.from({ length: SESSIONS }, (_, index) => firstRecord(index))
    for (const [index, record] of this.#records.entries()) this.#put(index, record)
    this.#catalog.sessions()
  }

  grow(growth: Growth) {
    const record = grown(this.#records[growth.session] as Fixture, growth)
    this.#records[growth.session] = record
    this.#put(growth.session, record)
    const news = new RowNews(
      { catalog: this.#catalog, live: { isLive: () => false } },
      { rowOf: ({ summary }) => summary, isHeard: () => true },
    )
    const event = news.tell({ kind: 'changed', sessionKey: record.summary.key })
    this.at += 1
    return event
  }

  load(limit: number): Shown[] {
    const lists: Record<string, string>[] = [
      {},
      { kind: 'all' },
      { empty: 'exclude' },
      { kind: 'empty' },
      { model: MODELS[0] ?? '' },
      { project: 'shop' },
      { days: 'rows' },
      { days: 'none' },
    ]
    const from = this.#dayOf('2026-11-05T12:00:00Z')
    const reports = [
      { by: 'day' },
      { by: 'day', from },
      { by: 'tool', from },
      { by: 'tool' },
      { by: 'day', project: 'site' },
    ] as const
    return [
      ...lists.map((criteria) => this.#list(criteria, limit)),
      this.#projects(),
      ...reports.map((query) => this.#usage(query)),
    ]
  }

  #put(index: number, record: Fixture): void {
    const file = { absolutePath: `/h/${index}`, projectFolder: index % 2 === 0 ? 'shop' : 'site' }
    this.#catalog.put({ id: String(index), fingerprint: String(this.at), files: [file] } as never, [record])
  }

  #summaries() {
    return [...this.#catalog.sessions().values()].map(({ summary }) => summary)
  }

  #list(criteria: Record<string, string>, limit: number, known?: Placed<SessionList>[]): Shown {
    const ask = (cursor?: string): Placed<SessionList> => {
      const query = sessionQuerySchema.parse({
        ...criteria,
        limit,
        tz: this.#zone,
        ...(cursor && { cursor }),
      })
      const page = listPage(
        this.#summaries(),
        resolveList(query, (wanted) => new Set([wanted])),
      )
      return { ...page, coverage: { filesDone: 1, filesTotal: 1 }, at: this.at }
    }
    const first = known?.[0] ?? ask()
    const pages = known ?? (first.nextCursor === null ? [first] : [first, ask(first.nextCursor)])
    return {
      patch: (change) => {
        const patched = patchList(pages, criteria, change, this.#dayOf)
        return patched && this.#list(criteria, limit, [...patched])
      },
      reload: () => this.#list(criteria, limit),
      compare: () => {
        const query = sessionQuerySchema.parse({ ...criteria, days: 'all', limit: 1_000, tz: this.#zone })
        const all = listPage(
          this.#summaries(),
          resolveList(query, (wanted) => new Set([wanted])),
        )
        const sessions = pages.flatMap((page) => page.sessions)
        const shownDays = new Set(sessions.map(({ endTime, startTime }) => this.#dayOf(endTime ?? startTime)))
        const isShown = ({ day }: { day: string }) =>
          criteria.days === undefined || (criteria.days === 'rows' && shownDays.has(day))
        expect(sessions).toEqual(all.sessions.slice(0, sessions.length))
        if (pages.at(-1)?.nextCursor === null) expect(sessions.length).toBe(all.total)
        for (const page of pages)
          expect([page.total, page.empty, page.models, page.sums, page.kinds]).toEqual([
            all.total,
            all.empty,
            all.models,
            all.sums,
            all.kinds,
          ])
        const days = new Map(pages.flatMap((page) => page.days).map((day) => [day.day, day]))
        expect([...days.values()]).toEqual(all.days.filter(isShown))
      },
    }
  }

  #projects(known?: Placed<ProjectList>): Shown {
    const ask = () => ({
      ...listProjects(this.#catalog.projects(), this.#summaries(), () => null),
      at: this.at,
    })
    const list = known ?? ask()
    return {
      patch: (change) => {
        const patched = patchProjects(list, change)
        return patched && this.#projects(patched)
      },
      reload: () => this.#projects(),
      compare: () => expect(list).toEqual(ask()),
    }
  }

  #usage(query: { by: 'day' | 'tool'; from?: string; project?: string }, known?: Placed<UsageReport>): Shown {
    const ask = (): Placed<UsageReport> => {
      const sources = toUsageSources([...this.#catalog.sessions().values()])
      const keys = query.project === undefined ? null : new Set([query.project])
      return {
        ...reportUsage(sources, { ...query, tz: this.#zone }, keys),
        coverage: { filesDone: 1, filesTotal: 1 },
        at: this.at,
      }
    }
    const report = known ?? ask()
    return {
      patch: (change) => {
        const patched = patchUsage(report, query, change, this.#dayOf)
        return patched && this.#usage(query, patched)
      },
      reload: () => this.#usage(query),
      compare: () => expect(report).toEqual(ask()),
    }
  }
}

function project(name: string): ProjectIdentity {
  return {
    key: name,
    name,
    nameSource: 'path',
    path: `/${name}`,
    pathSource: 'marker',
    candidates: [],
    folders: [name],
  } as never
}

function firstRecord(index: number): Fixture {
  const startTime = new Date(START_MS + index * 70 * QUARTER_MS).toISOString()
  const record = recordFixture({})
  return {
    ...record,
    buckets: [],
    tools: [],
    ownKeys: [],
    parentSessionId: null,
    agentIds: [],
    summary: {
      ...record.summary,
      key: `k${String(index).padStart(2, '0')}`,
      sessionId: `id-${index}`,
      kind: 'main',
      // until something is said in it
      empty: index % 3 === 0,
      indexed: 'full',
      startTime,
      endTime: startTime,
      models: [],
      failures: { tools: 0, refused: 0, unanswered: 0 },
      usage: NO_USAGE,
      cost: NO_COST,
      files: [{ home: '/h', path: `${index}`, sizeBytes: 1, format: 'jsonl', role: 'current' }],
    },
  }
}

function grown(record: Fixture, { quarter, model, tool, tokens, fails }: Growth): Fixture {
  const { summary } = record
  const time = new Date(
    Math.max(START_MS + quarter * QUARTER_MS, Date.parse(summary.startTime ?? '')),
  ).toISOString()
  const usage: TokenUsage = { ...NO_USAGE, input: tokens, total: tokens, calls: 1 }
  const cost: Cost =
    model === null ? { usd: null, unpricedCalls: 1 } : { usd: tokens / 1e8, unpricedCalls: 0 }
  const slot = record.buckets.findIndex((bucket) => bucket.quarterHour === time && bucket.model === model)
  const bucket = record.buckets[slot] ?? { quarterHour: time, model, usage: NO_USAGE, cost: NO_COST }
  const sum = { ...bucket, usage: addUsage(bucket.usage, usage), cost: addCost(bucket.cost, cost) }
  const known = record.tools.find(({ name }) => name === tool)
  const stats = known ?? {
    name: tool ?? '',
    calls: 0,
    errors: 0,
    outputTokensEstimate: 0,
    maxTimeMs: 0,
    timedCalls: 0,
  }
  const used = {
    ...stats,
    calls: stats.calls + 1,
    errors: stats.errors + Number(fails),
    maxTimeMs: stats.maxTimeMs + 7,
  }
  const models = new Map((summary.models ?? []).map(({ name, calls }) => [name, calls]))
  if (model !== null) models.set(model, (models.get(model) ?? 0) + 1)
  const endTime = time > (summary.endTime ?? '') ? time : summary.endTime
  return {
    ...record,
    buckets: slot === -1 ? [...record.buckets, sum] : record.buckets.with(slot, sum),
    tools: tool === null ? record.tools : [...record.tools.filter((each) => each !== known), used],
    summary: {
      ...summary,
      empty: false,
      endTime,
      models: [...models].map(([name, calls]) => ({ name, calls })),
      failures: {
        tools: (summary.failures?.tools ?? 0) + Number(fails && tool !== null),
        refused: 0,
        unanswered: 0,
      },
      recorded: { turns: 1, toolCalls: (summary.recorded?.toolCalls ?? 0) + Number(tool !== null) },
      usage: addUsage(summary.usage ?? NO_USAGE, usage),
      cost: addCost(summary.cost ?? NO_COST, cost),
    },
  }
}
