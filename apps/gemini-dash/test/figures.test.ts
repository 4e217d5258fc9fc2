import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type {
  CostWhy,
  Health,
  SearchResult,
  SessionDetail,
  SessionList,
  UsageReport,
  UsageRow,
  UsageWhy,
} from '@gemini-dash/api'
import {
  formatColumnCost,
  formatCost,
  formatCount,
  formatPlural,
  formatUsage,
} from '@gemini-dash/api/figures'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import {
  addCost,
  addUsage,
  NO_COST,
  NO_USAGE,
  type SessionFigures,
  type SessionSummary,
} from 'gemini-sessions'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { machineTime } from '../../../fixtures/machine-time.ts'
import { movedClock } from '../../../fixtures/moved-clock.ts'
import { FAMILY, writeFamilyHome } from '../../../fixtures/write-family-home.ts'
import { roundUsd } from '../src/mcp/answer-rows.ts'
import { programEnvironment, type RunningProgram, runProgram, startProgram } from './run-program.ts'

// Queries every interface about the same sessions and ranges, and compares the answers.

const DEMO = fileURLToPath(new URL('../../../fixtures/home', import.meta.url))
const KEYS = ['day', 'hour-of-week', 'model', 'project', 'tool', 'session'] as const
const ZONES = ['UTC', 'Asia/Kolkata', 'America/Los_Angeles']
const folder = mkdtempSync(join(tmpdir(), 'gemini-dash-figures-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Texts of the page, from the page's own modules: not part of this program, so they are loaded by path. */
interface PageTexts {
  headTotals: (detail: SessionDetail, hasPrices: boolean) => { text: string; title: string }
  rowFigures: (row: SessionSummary) => Omit<SessionFigures, 'usage'> & { tokens: number | null }
  toFigureRows: (sides: Record<'a' | 'b', SessionSummary>) => { label: string; a: string }[]
  formatFineCost: (cost: SessionFigures['cost']) => string
  formatFineUsd: (usd: number) => string
}

async function loadPageTexts(): Promise<PageTexts> {
  const load = (path: string) => import(new URL(`../../web/src/${path}`, import.meta.url).href)
  return {
    ...(await load('features/session-head/head-facts.tsx')),
    ...(await load('features/session-list/row.tsx')),
    ...(await load('features/compare.tsx')),
    ...(await load('lib/figures.ts')),
  }
}

/** A home and what answers for it: a server, separate commands, and an MCP server. */
class Surfaces {
  readonly #home: string
  readonly #env: Record<string, string>
  readonly #server: RunningProgram
  readonly #client = new Client({ name: 'test', version: '1' })
  #origin = ''

  constructor(home: string, env: Record<string, string> = {}) {
    this.#home = home
    this.#env = env
    const flags = ['--port', '0', '--no-open', '--no-token', '--json']
    this.#server = startProgram(['serve', ...this.#own('server'), ...flags], env)
  }

  #own(name: string): string[] {
    const own = join(folder, Buffer.from(this.#home).toString('base64url').slice(-12), name)
    return ['--home', this.#home, '--cache-dir', join(own, 'cache'), '--data-dir', join(own, 'data')]
  }

  async open(): Promise<void> {
    this.#origin = new URL(JSON.parse(await this.#server.firstLine).url).origin
    await vi.waitFor(async () => expect((await this.api<Health>('/api/health')).index.state).toBe('ready'), {
      timeout: 60_000,
      interval: 200,
    })
    const args = [join(inject('program'), 'cli.js'), 'mcp', ...this.#own('mcp')]
    const env = programEnvironment({ HOME: folder, ...this.#env })
    await this.#client.connect(
      new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' }),
    )
  }

  async close(): Promise<void> {
    await this.#client.close()
    this.#server.child.kill()
    await this.#server.finished
  }

  async api<Answer>(path: string): Promise<Answer> {
    const response = await fetch(this.#origin + path)
    expect([path, response.status]).toEqual([path, 200])
    return (await response.json()) as Answer
  }

  async print(...args: string[]): Promise<string> {
    return (await runProgram([...args, ...this.#own('commands')], this.#env)).stdout
  }

  async json<Answer>(...args: string[]): Promise<Answer> {
    return JSON.parse(await this.print(...args, '--json')) as Answer
  }

  /** All rows of a tool, over all pages. */
  async mcp<Row>(name: string, args: object, rowsOf: (answer: never) => Row[]): Promise<Row[]> {
    const rows: Row[] = []
    let cursor: string | null | undefined
    do {
      const answer = await this.#client.callTool({
        name,
        arguments: { ...args, limit: 1_000, ...(cursor != null && { cursor }) },
      })
      expect([name, args, answer.isError]).toEqual([name, args, undefined])
      const data = readAnswer(answer) as { nextCursor: string | null }
      rows.push(...rowsOf(data as never))
      cursor = data.nextCursor
    } while (cursor !== null)
    return rows
  }

  async mcpAnswer<Answer>(name: string, args: object): Promise<Answer> {
    return readAnswer(await this.#client.callTool({ name, arguments: { ...args } })) as Answer
  }
}

/** A row of an answer to an agent, rounded. */
interface ToldRow {
  key: string
  tokens?: number
  usd?: number
}

const readAnswer = ({ content }: Awaited<ReturnType<Client['callTool']>>): unknown =>
  JSON.parse((content as { text: string }[])[0]?.text ?? '')
const toldOf = (rows: readonly Pick<UsageRow, 'key' | 'usage' | 'cost'>[]) =>
  byKey(
    rows.map(({ key, usage, cost }) => [
      key,
      { tokens: usage?.total, usd: roundUsd(cost?.usd) ?? undefined },
    ]),
  )
const answeredBy = (rows: readonly ToldRow[]) =>
  byKey(rows.map(({ key, tokens, usd }) => [key, { tokens, usd }]))
const toldSessions = (sessions: readonly SessionSummary[]) =>
  toldOf(sessions.map(({ key, withSubagents }) => ({ key, ...withSubagents })))
const sum = <Part>(parts: readonly Part[], read: (part: Part) => number | null | undefined) =>
  parts.reduce((total, part) => total + (read(part) ?? 0), 0)
const sessionsOf = ({ sessions }: { sessions: ToldRow[] }) => sessions
const rowsOf = ({ rows }: { rows: ToldRow[] }) => rows
const sumOf = (parts: readonly Pick<SessionFigures, 'usage' | 'cost'>[]) => ({
  usage: parts.reduce((total, { usage }) => addUsage(total, usage ?? NO_USAGE), NO_USAGE),
  cost: parts.reduce((total, { cost }) => addCost(total, cost ?? NO_COST), NO_COST),
})
const spentOf = ({ key, usage, cost }: Pick<UsageRow, 'key' | 'usage' | 'cost'>) => [key, { usage, cost }]
const byKey = (rows: readonly unknown[][]) => Object.fromEntries(rows)
const params = (query: Record<string, string>) => new URLSearchParams(query).toString()
const flags = (query: Record<string, string>) =>
  Object.entries(query).flatMap(([name, value]) => [`--${name}`, value])
const isCounted = ({ kind }: SessionSummary) => kind === 'main' || kind === 'subagent'
/** Sessions with a row in usage by session: main sessions, and sub-agents whose main session is gone. */
const isOwner = (row: SessionSummary) => isCounted(row) && row.parentKey === null

let page: PageTexts
beforeAll(async () => {
  page = await loadPageTexts()
})

const familyHome = join(folder, 'family')
mkdirSync(familyHome)
writeFamilyHome(familyHome)

describe.each([
  ['the demo home', DEMO, ZONES],
  // days are computed the same way for all homes: one zone, with a half-hour offset
  ['a home of sub-agents', familyHome, ['Asia/Kolkata']],
])('T3: one price, one count of %s', (_, home, zones) => {
  const surfaces = new Surfaces(home)
  let rows: SessionSummary[]
  let owners: SessionSummary[]
  let mains: SessionSummary[]
  /** Sessions for interfaces that take a second: those with sub-agents, and some without. */
  let chosen: SessionSummary[]

  beforeAll(async () => {
    await surfaces.open()
    rows = (await surfaces.api<SessionList>('/api/sessions?kind=all&limit=1000')).sessions
    owners = rows.filter(isOwner)
    mains = owners.filter(({ kind }) => kind === 'main')
    const parents = rows.filter(({ subagentKeys }) => subagentKeys.length > 0)
    const refused = mains.filter(({ failures }) => (failures?.refused ?? 0) > 0)
    chosen = [...new Set([...parents, ...refused.slice(0, 2), ...mains.slice(0, 1)])]
    expect(parents.length).toBeGreaterThan(0)
  })
  afterAll(() => surfaces.close())

  const figuresOf = (sessions: readonly SessionSummary[]) =>
    byKey(sessions.map(({ key, withSubagents }) => [key, withSubagents]))

  test('a row adds up its own figures and the rows of its sub-agents', () => {
    const at = (key: string) => rows.find((row) => row.key === key) as SessionSummary
    for (const row of rows) {
      const agents = row.subagentKeys.map((key) => at(key).withSubagents)
      const { withSubagents: all } = row
      expect([row.key, sumOf([row, ...agents])]).toEqual([row.key, { usage: all.usage, cost: all.cost }])
      expect([row.key, (row.recorded?.toolCalls ?? 0) + sum(agents, (each) => each.toolCalls)]).toEqual([
        row.key,
        all.toolCalls,
      ])
      for (const kind of ['tools', 'refused', 'unanswered'] as const)
        expect([
          row.key,
          kind,
          (row.failures?.[kind] ?? 0) + sum(agents, ({ failures }) => failures?.[kind]),
        ]).toEqual([row.key, kind, all.failures?.[kind]])
    }
  })

  test('list, detail, usage by session, its sum and MCP say the same of a session', async () => {
    const details = await Promise.all(
      mains.map(({ key }) => surfaces.api<SessionDetail>(`/api/sessions/${key}`)),
    )
    expect(figuresOf(details.map(({ session }) => session))).toEqual(figuresOf(mains))
    expect(figuresOf((await surfaces.json<SessionList>('list')).sessions)).toEqual(figuresOf(mains))
    const listed = await surfaces.mcp('list_sessions', {}, sessionsOf)
    expect(answeredBy(listed)).toEqual(toldSessions(mains))

    const expected = byKey(owners.map(({ key, withSubagents }) => spentOf({ key, ...withSubagents })))
    const own = byKey(
      owners
        .filter(({ subagentKeys }) => subagentKeys.length > 0)
        .map(({ key, usage, cost }) => spentOf({ key, usage, cost })),
    )
    const reports = [
      (await surfaces.api<UsageReport>('/api/usage?by=session')).rows,
      (await surfaces.json<UsageReport>('usage', '--by', 'session')).rows,
    ]
    expect(answeredBy(await surfaces.mcp('get_usage', { by: 'session' }, rowsOf))).toEqual(
      toldSessions(owners),
    )
    for (const report of reports) {
      expect(byKey(report.map(spentOf))).toEqual(expected)
      expect(byKey(report.flatMap((row) => (row.own === undefined ? [] : [[row.key, row.own]])))).toEqual(own)
      expect(sum(report, ({ sessions }) => sessions)).toBe(mains.length)
    }
    const why = await surfaces.api<UsageWhy>('/api/usage/why')
    expect(why.by).toBe('session')
    for (const { key, usd } of why.lines) {
      const owner = owners.find((row) => row.key === key)
      expect([key, usd]).toEqual([key, owner?.withSubagents.cost?.usd])
      const ofSession = await surfaces.api<CostWhy>(`/api/sessions/${key}/why`)
      expect([key, ofSession.total, ofSession.own]).toEqual([key, usd, owner?.cost?.usd ?? null])
    }
  })

  test('show, export, compare and the texts of the page say the same of a session', async () => {
    for (const row of chosen) {
      const { key, withSubagents } = row
      const { usage, cost, toolCalls, failures } = withSubagents
      const printed = (await surfaces.print('show', key)).split('\n\n')[0]
      expect(printed).toContain(`${formatUsage(usage)} tokens, ${formatCost(cost)}`)
      expect(printed).toMatch(new RegExp(`, ${formatCount(toolCalls)} tool calls?`))
      expect(printed?.includes(`(${failures?.tools} failed`)).toBe((failures?.tools ?? 0) > 0)
      expect(printed?.includes(`${failures?.refused} refused`)).toBe((failures?.refused ?? 0) > 0)

      const front = (await surfaces.print('export', key, '--format', 'markdown')).split('\n---\n')[0]
      expect(front?.split('\n')).toEqual(
        expect.arrayContaining([
          `tokens: ${usage?.total}`,
          `cost_usd: ${cost?.usd}`,
          `calls_without_price: ${cost?.unpricedCalls}`,
          `tool_calls: ${toolCalls}`,
          `failed_tool_calls: ${failures?.tools}`,
          `refused_requests: ${failures?.refused}`,
        ]),
      )

      const answered = await surfaces.mcpAnswer<{ session: ToldRow }>('get_session', { key })
      expect(answeredBy([answered.session])).toEqual(toldSessions([row]))

      const compared = new Map(page.toFigureRows({ a: row, b: row }).map(({ label, a }) => [label, a]))
      expect([compared.get('Tool calls'), compared.get('Failed tool calls')]).toEqual([
        formatCount(toolCalls),
        formatCount(failures?.tools),
      ])
      if (cost?.usd != null) expect(compared.get('Cost')).toBe(page.formatFineUsd(cost.usd))

      const cells = page.rowFigures(row)
      expect([cells.cost, cells.toolCalls, cells.failures]).toEqual([cost, toolCalls, failures])
      const detail = await surfaces.api<SessionDetail>(`/api/sessions/${key}`)
      const head = page.headTotals(detail, true)
      const said = [
        ...(toolCalls === null ? [] : [formatPlural(toolCalls, 'tool call')]),
        ...(usage === null || usage.total === 0 ? [] : [`${formatUsage(usage)} tokens`]),
        formatCost(cost),
      ]
      expect(head.text.split(', ')).toEqual(expect.arrayContaining(said))
      expect(head.title.split('\n')).toContain(formatPlural(usage?.calls ?? 0, 'request'))
    }
  })

  test('the columns of list and usage are those figures', async () => {
    const lines = (await surfaces.print('list', '--plain')).trimEnd().split('\n')
    expect(byKey(lines.map((line) => [line.split('\t')[0], line.split('\t').slice(-3)]))).toEqual(
      byKey(
        mains.map(({ key, withSubagents: { failures, usage, cost } }) => [
          key,
          [
            formatCount(failures && failures.tools + failures.refused + failures.unanswered),
            formatUsage(usage),
            formatColumnCost(cost),
          ],
        ]),
      ),
    )
    const csv = (await surfaces.print('usage', '--by', 'session', '--csv')).trimEnd().split('\r\n')
    const column = csv[0]?.split(',').indexOf('cost_usd') ?? -1
    const places = csv.slice(1).map((line) => line.split(',').slice(column - FIGURES_BEFORE_COST))
    expect(places.map((cells) => [Number(cells[0]), cells[1]]).toSorted()).toEqual(
      owners
        .map(({ withSubagents: { usage, cost } }) => [
          usage?.total,
          cost?.usd == null ? '' : String(cost.usd),
        ])
        .toSorted(),
    )
    const table = (await surfaces.print('usage', '--by', 'session', '--plain')).trimEnd().split('\n')
    const costs = table.slice(0, -1).map((line) => line.split('\t').at(-3))
    expect(costs.toSorted()).toEqual(
      owners.map(({ withSubagents }) => formatColumnCost(withSubagents.cost)).toSorted(),
    )
  })

  test('T5: sums of lists and of usage by every key are those of the sessions, requests apart from tools', async () => {
    const main = (await surfaces.api<SessionList>('/api/sessions?limit=1')).sums
    const all = (await surfaces.api<SessionList>('/api/sessions?kind=all&limit=1')).sums
    const figures = (of: readonly SessionSummary[]) => ({
      ...sumOf(of.map(({ withSubagents }) => withSubagents)),
      toolCalls: sum(of, ({ withSubagents }) => withSubagents.toolCalls),
      failures: {
        tools: sum(of, ({ withSubagents }) => withSubagents.failures?.tools),
        refused: sum(of, ({ withSubagents }) => withSubagents.failures?.refused),
        unanswered: sum(of, ({ withSubagents }) => withSubagents.failures?.unanswered),
      },
    })
    expect(main).toEqual(figures(mains))
    expect(all).toEqual(figures(owners))
    const counted = rows.filter(isCounted)
    const fates = {
      laterSucceeded: sum(counted, (row) => row.fates?.laterSucceeded),
      stillFailing: sum(counted, (row) => row.fates?.stillFailing),
      neverRerun: sum(counted, (row) => row.fates?.neverRerun),
    }
    for (const by of KEYS) {
      const { rows: parts, total } = await surfaces.api<UsageReport>(`/api/usage?by=${by}`)
      const { usage, cost, toolCalls, failures } = all
      expect([by, total]).toEqual([
        by,
        { usage, cost, calls: usage.calls, toolCalls, sessions: mains.length, failures, fates },
      ])
      if (by === 'tool')
        expect([sum(parts, ({ calls }) => calls), sum(parts, ({ errors }) => errors)]).toEqual([
          toolCalls,
          failures.tools,
        ])
      else expect([by, sumOf(parts)]).toEqual([by, { usage, cost }])
    }
  })

  test('T5: a refused request is no tool call, and none that failed', async () => {
    const refused = mains.filter(({ failures }) => (failures?.refused ?? 0) > 0)
    expect(refused.length).toBeGreaterThan(0)
    for (const { key, withSubagents } of refused) {
      const detail = await surfaces.api<SessionDetail>(`/api/sessions/${key}`)
      expect(page.headTotals(detail, true).text.split(', ')).toEqual(
        expect.arrayContaining([
          formatPlural(withSubagents.toolCalls ?? 0, 'tool call'),
          formatPlural(withSubagents.failures?.refused ?? 0, 'API error'),
        ]),
      )
    }
  })

  test.each(zones)('every surface cuts the same ranges of days alike in %s', async (tz) => {
    const days = (await surfaces.api<UsageReport>(`/api/usage?by=day&tz=${tz}`)).rows.map(({ key }) => key)
    const [first = '', middle = '', last = ''] = [days.at(-1), days[Math.floor(days.length / 2)], days[0]]
    const ranges: Record<string, string>[] = [
      { tz, from: middle },
      { tz, to: middle },
      { tz, from: first, to: last },
    ]
    for (const range of ranges) {
      const list = await surfaces.api<SessionList>(`/api/sessions?limit=1000&${params(range)}`)
      const orphans = (
        await surfaces.api<SessionList>(`/api/sessions?kind=subagent&limit=1000&${params(range)}`)
      ).sessions.filter(isOwner)
      // each start takes a second: only for the range with both ends
      const isPrinted = 'from' in range && 'to' in range
      if (isPrinted) {
        const printed = await surfaces.json<SessionList>('list', ...flags(range))
        expect([range, printed.sums, figuresOf(printed.sessions)]).toEqual([
          range,
          list.sums,
          figuresOf(list.sessions),
        ])
      }
      const answered = await surfaces.mcp('list_sessions', range, sessionsOf)
      expect([range, answeredBy(answered)]).toEqual([range, toldSessions(list.sessions)])
      const totals: UsageReport['total'][] = []
      for (const by of KEYS) {
        const report = await surfaces.api<UsageReport>(`/api/usage?by=${by}&${params(range)}`)
        totals.push(report.total)
        if (by === 'tool') {
          // tools and failures count at the time of their session, so they equal those of the listed rows in that range
          const listed = [...list.sessions, ...orphans].map(({ withSubagents }) => withSubagents)
          expect([range, sum(report.rows, ({ calls }) => calls)]).toEqual([
            range,
            sum(listed, ({ toolCalls }) => toolCalls),
          ])
          expect([range, report.total.failures.tools]).toEqual([
            range,
            sum(listed, ({ failures }) => failures?.tools),
          ])
        } else expect([range, by, sumOf(report.rows).usage]).toEqual([range, by, report.total.usage])
        const told = await surfaces.mcp('get_usage', { by, ...range }, rowsOf)
        expect([range, by, answeredBy(told)]).toEqual([range, by, toldOf(report.rows)])
      }
      for (const total of totals) expect([range, total]).toEqual([range, totals[0]])
      if (isPrinted) {
        const ofDays = await surfaces.json<UsageReport>('usage', ...flags(range))
        expect([range, ofDays.total]).toEqual([range, totals[0]])
      }
    }
    // the parts before a day and from that day on add up to the whole
    const total = async (query: string) => (await surfaces.api<UsageReport>(`/api/usage?${query}`)).total
    const parts = [await total(`tz=${tz}&to=${middle}`), await total(`tz=${tz}&from=${middle}`)]
    const whole = await total(`tz=${tz}`)
    expect(sumOf(parts)).toEqual({ usage: whole.usage, cost: whole.cost })
  })
})

/** Between the columns `total_tokens` and `cost_usd`. */
const FIGURES_BEFORE_COST = 1

describe('T3: sub-agents below sub-agents', () => {
  test('count once, in the row of the session that a person began, and for no session where that is gone', async () => {
    const { stdout } = await runProgram([
      ...['usage', '--by', 'session', '--json', '--home', familyHome],
      ...['--cache-dir', join(folder, 'nested'), '--data-dir', join(folder, 'nested-data')],
    ])
    const { rows, total } = JSON.parse(stdout) as UsageReport
    const listed = JSON.parse(
      (
        await runProgram([
          ...['list', '--kind', 'all', '--json', '--home', familyHome],
          ...['--cache-dir', join(folder, 'nested'), '--data-dir', join(folder, 'nested-data')],
        ])
      ).stdout,
    ) as SessionList
    const idOf = (key: string) => listed.sessions.find((row) => row.key === key)?.sessionId ?? ''
    expect(
      byKey(rows.map((row) => [idOf(row.key), [row.calls, row.own?.usage.calls, row.sessions]])),
    ).toEqual({
      [FAMILY.night]: [8, 3, 1],
      [FAMILY.outlived]: [3, 1, 1],
      [FAMILY.refused]: [0, undefined, 1],
      [FAMILY.plain]: [1, undefined, 1],
      [FAMILY.orphan]: [3, 2, 0],
      [FAMILY.strayed]: [1, undefined, 0],
    })
    expect([total.calls, total.sessions]).toEqual([16, 4])
  })
})

describe('T4: a span of days is days of the calendar', () => {
  const home = join(folder, 'recent')
  let surfaces: Surfaces
  const HOUR_MS = 3_600_000
  /** Not near midnight in any of the zones used. */
  const NOW_MS = Date.parse('2026-11-18T12:00:00Z')

  beforeAll(async () => {
    // every six hours of the last twelve days, so that each day in every zone has some
    const chats = join(home, '.gemini/tmp/shop/chats')
    mkdirSync(chats, { recursive: true })
    for (let count = 0; count < 48; count++) {
      const at = new Date(NOW_MS - (count * 6 + 0.5) * HOUR_MS).toISOString()
      const id = `fb000000-0000-4000-8000-${String(count).padStart(12, '0')}`
      const tokens = { input: 100 + count, output: 10, cached: 0, thoughts: 0, tool: 0, total: 110 + count }
      const records = [
        { sessionId: id, projectHash: 'f'.repeat(64), startTime: at, lastUpdated: at, kind: 'main' },
        { id: `${id}-p`, timestamp: at, type: 'user', content: [{ text: 'needle' }] },
        { id: `${id}-g`, timestamp: at, type: 'gemini', content: 'Found.', model: 'gemini-2.5-pro', tokens },
      ]
      const name = `session-${at.slice(0, 16).replace(':', '-')}-${id.slice(-8)}.jsonl`
      writeFileSync(join(chats, name), records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    }
    surfaces = new Surfaces(home, movedClock(NOW_MS - machineTime().getTime()))
    await surfaces.open()
  })
  afterAll(() => surfaces.close())

  /** In the calendar of that zone. */
  const dayIn = (tz: string, daysAgo: number) => {
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: tz }).format(NOW_MS)
    return new Date(Date.parse(today) - daysAgo * 24 * HOUR_MS).toISOString().slice(0, 10)
  }

  test.each([...ZONES, 'Pacific/Kiritimati'])(
    '7d is today and six days before, everywhere, in %s',
    async (tz) => {
      const from = dayIn(tz, 6)
      const usage = await surfaces.api<UsageReport>(`/api/usage?tz=${tz}&from=${from}`)
      const { total, sessions } = await surfaces.api<SessionList>(`/api/sessions?tz=${tz}&from=${from}`)
      // by calendar day, more than six days and less than eight
      expect(usage.rows.map(({ key }) => key)).toEqual([0, 1, 2, 3, 4, 5, 6].map((ago) => dayIn(tz, ago)))
      expect(total).toBe(usage.total.sessions)
      for (const span of ['7d', '-7d', '1w']) {
        const span7 = params({ tz, from: span })
        expect(await surfaces.api<UsageReport>(`/api/usage?${span7}`)).toEqual(usage)
        expect((await surfaces.api<SessionList>(`/api/sessions?${span7}`)).total).toBe(total)
        const found = await surfaces.api<SearchResult>(`/api/search?q=needle&${span7}`)
        expect(found.sessionTotal).toBe(total)
        const typed = await surfaces.api<SearchResult>(
          `/api/search?${params({ q: `needle after:${span}`, tz })}`,
        )
        expect(typed.sessionTotal).toBe(total)
      }
      const printed = await surfaces.json<UsageReport>('usage', '--from', '7d', '--tz', tz)
      expect([printed.rows, printed.total]).toEqual([usage.rows, usage.total])
      expect((await surfaces.json<SessionList>('list', '--from', '7d', '--tz', tz)).total).toBe(total)
      const search = await surfaces.json<SearchResult>('search', 'needle', '--from', '7d', '--tz', tz)
      expect(search.sessionTotal).toBe(total)
      const answered = await surfaces.mcp('get_usage', { from: '7d', tz }, rowsOf)
      expect(answeredBy(answered)).toEqual(toldOf(usage.rows))
      const listed = await surfaces.mcp('list_sessions', { from: '7d', tz }, sessionsOf)
      expect(listed.map(({ key }) => key).toSorted()).toEqual(sessions.map(({ key }) => key).toSorted())
      // the preceding seven days end where these begin
      const before = await surfaces.api<UsageReport>(`/api/usage?tz=${tz}&from=14d&to=7d`)
      const rest = await surfaces.api<UsageReport>(`/api/usage?tz=${tz}&to=${from}`)
      expect(before.total.usage).toEqual(rest.total.usage)
    },
  )

  test('12h counts back from now', async () => {
    const totals = [
      (await surfaces.api<SessionList>('/api/sessions?from=12h')).total,
      (await surfaces.api<UsageReport>('/api/usage?from=12h')).total.sessions,
      (await surfaces.json<SessionList>('list', '--from', '12h')).total,
      (await surfaces.mcpAnswer<SessionList>('list_sessions', { from: '12h' })).total,
    ]
    expect(totals).toEqual([2, 2, 2, 2])
  })
})
