import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type {
  Doctor,
  Health,
  ProjectList,
  SearchResult,
  SessionCalls,
  SessionDetail,
  SessionList,
  SessionMap,
  UsageReport,
  UsageRow,
} from '@gemini-dash/api'
import {
  formatColumnCost,
  formatCost,
  formatCount,
  formatPlural,
  formatSize,
  formatUsage,
} from '@gemini-dash/api/figures'
import {
  addCost,
  addFailures,
  addUsage,
  type Cost,
  NO_COST,
  NO_USAGE,
  type SessionFailures,
  type SessionSummary,
  type TokenUsage,
} from 'gemini-sessions'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type RunningProgram, runProgram, startProgram } from './run-program.ts'

// Reads the demo and every home written by the CLI, and compares each figure that is shown in two places.

const FOLDER = fileURLToPath(new URL('../../../fixtures', import.meta.url))
const HOMES = [
  join(FOLDER, 'home'),
  ...readdirSync(join(FOLDER, 'homes')).map((name) => join(FOLDER, 'homes', name)),
].flatMap((home) => ['--home', home])

/** Texts of the page, from the page's own modules. They are not part of this program, so they are loaded by path. */
interface PageTexts {
  headTotals: (detail: SessionDetail, hasPrices: boolean) => { text: string; title: string }
  rowFigures: (
    row: SessionSummary,
  ) => { turns: number; toolCalls: number | null; failures: SessionFailures; cost: Cost | null } | null
  formatCost: (cost: Cost | null) => string
}

async function loadPageTexts(): Promise<PageTexts> {
  const load = (path: string) => import(new URL(`../../web/src/${path}`, import.meta.url).href)
  return {
    ...(await load('features/session-head/head-facts.tsx')),
    ...(await load('features/session-list/row.tsx')),
    ...(await load('lib/figures.ts')),
  }
}

let page: PageTexts
let folder: string
let server: RunningProgram
let origin: string
let rows: SessionSummary[]
const details = new Map<string, SessionDetail>()

beforeAll(async () => {
  page = await loadPageTexts()
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-truth-'))
  server = startProgram([
    'serve',
    ...HOMES,
    ...own('server'),
    '--port',
    '0',
    '--no-open',
    '--no-token',
    '--json',
  ])
  origin = new URL(JSON.parse(await server.firstLine).url).origin
  await vi.waitFor(async () => expect((await ask<Health>('/api/health')).index.state).toBe('ready'), {
    timeout: 60_000,
    interval: 200,
  })
  rows = (await ask<SessionList>('/api/sessions?kind=all&limit=1000')).sessions
  for (const { key } of rows) details.set(key, await ask<SessionDetail>(`/api/sessions/${key}`))
})
afterAll(async () => {
  server.child.kill()
  await server.finished
  rmSync(folder, { recursive: true, force: true })
})

function own(name: string): string[] {
  return ['--cache-dir', join(folder, name), '--data-dir', join(folder, `${name}-data`)]
}

async function ask<Answer>(path: string): Promise<Answer> {
  const response = await fetch(origin + path)
  expect([path, response.status]).toEqual([path, 200])
  return (await response.json()) as Answer
}

async function print(...args: string[]): Promise<string> {
  const { stdout } = await runProgram([...args, ...HOMES, ...own('commands')])
  return stdout
}

function detailOf({ key }: SessionSummary): SessionDetail {
  const detail = details.get(key)
  if (detail === undefined) throw new Error(`no ${key}`)
  return detail
}

const countFailed = ({ tools, refused, unanswered }: SessionFailures) => tools + refused + unanswered
const NOTHING_FAILED: SessionFailures = { tools: 0, refused: 0, unanswered: 0 }
const isCounted = ({ kind }: SessionSummary) => kind === 'main' || kind === 'subagent'
const isMain = ({ kind }: SessionSummary) => kind === 'main'
const sumUsage = (parts: { usage: TokenUsage | null }[]) =>
  parts.reduce((sum, { usage }) => addUsage(sum, usage ?? NO_USAGE), NO_USAGE)
const sumCost = (parts: { cost: Cost | null }[]) =>
  parts.reduce((sum, { cost }) => addCost(sum, cost ?? NO_COST), NO_COST)
const sum = <Part>(parts: Part[], read: (part: Part) => number) =>
  parts.reduce((total, part) => total + read(part), 0)
const byKey = <Part>(parts: Part[], read: (part: Part) => [string, unknown]) =>
  Object.fromEntries(parts.map(read))
/** Of every session by its key, so that a difference shows where it is. */
const each = (read: (row: SessionSummary) => unknown, of = rows) => byKey(of, (row) => [row.key, read(row)])

describe('A9: one truth a number', () => {
  test('the row of the list, and the one of the session’s own page, are one', () => {
    expect(rows.length).toBeGreaterThan(90)
    expect(each((row) => detailOf(row).session)).toEqual(each((row) => row))
  })

  test('turns add up to their session', () => {
    const turns = (row: SessionSummary) => detailOf(row).outline
    expect(each((row) => sumUsage(turns(row)))).toEqual(each(({ usage }) => usage))
    expect(each((row) => sumCost(turns(row)))).toEqual(each(({ cost }) => cost))
    expect(each((row) => sum(turns(row), ({ toolCalls }) => toolCalls))).toEqual(
      each(({ recorded }) => recorded?.toolCalls),
    )
    expect(each((row) => sum(turns(row), ({ toolErrors }) => toolErrors))).toEqual(
      each(({ failures }) => failures?.tools),
    )
    expect(each((row) => turns(row).filter(({ number }) => number > 0).length)).toEqual(
      each(({ recorded }) => recorded?.turns),
    )
  })

  test('model calls add up to their session', async () => {
    for (const row of rows.filter(isCounted)) {
      const { messageKeys } = await ask<SessionCalls>(`/api/sessions/${row.key}/calls`)
      expect([row.key, messageKeys.length]).toEqual([row.key, row.usage?.calls])
      expect([row.key, sum(row.trace, ({ calls }) => calls)]).toEqual([row.key, messageKeys.length])
    }
  })

  test('what the CLI holds now is a part of what was ever recorded', () => {
    for (const { key, counts, recorded, usage, liveUsage, failures } of rows) {
      expect([key, (counts?.toolCalls ?? 0) <= (recorded?.toolCalls ?? 0)]).toEqual([key, true])
      expect([key, (counts?.prompts ?? 0) <= (recorded?.turns ?? 0)]).toEqual([key, true])
      expect([key, (counts?.toolErrors ?? 0) <= (failures?.tools ?? 0)]).toEqual([key, true])
      expect([key, (liveUsage?.total ?? 0) <= (usage?.total ?? 0)]).toEqual([key, true])
    }
  })

  test('a row, and the head of the session’s page, say the same', () => {
    for (const row of rows) {
      const cells = page.rowFigures(row)
      if (cells === null) continue
      const { turns, toolCalls, cost } = cells
      const said = page.headTotals(detailOf(row), true).text.split(', ')
      if (turns > 0)
        expect([row.key, said]).toEqual([row.key, expect.arrayContaining([formatPlural(turns, 'turn')])])
      if (toolCalls !== null)
        expect(
          said.some(
            (text) => text === formatPlural(toolCalls, 'tool call') || text === 'tool calls not recorded',
          ),
        ).toBe(true)
      if (cost !== null) expect(said.at(-1)).toBe(page.formatCost(cost))
    }
  })

  test('days of the list add up to its rows', async () => {
    const list = await ask<SessionList>('/api/sessions?limit=1000')
    expect(list.total).toBe(rows.filter(isMain).length)
    expect(sum(list.days, ({ sessions }) => sessions)).toBe(list.total)
    expect(sumUsage(list.days)).toEqual(sumUsage(list.sessions))
    expect(sumUsage(list.days.map(({ withSubagents }) => withSubagents))).toEqual(
      sumUsage(list.sessions.map(({ withSubagents }) => withSubagents)),
    )
  })

  test('usage adds up to its sessions, however it is cut', async () => {
    const counted = rows.filter(isCounted)
    const reports = new Map<string, UsageReport>()
    for (const by of ['day', 'week', 'month', 'hour-of-week', 'model', 'project', 'session', 'tool'])
      reports.set(by, await ask<UsageReport>(`/api/usage?by=${by}`))
    const failures = {
      tools: sum(counted, (row) => row.failures?.tools ?? 0),
      refused: sum(counted, (row) => row.failures?.refused ?? 0),
      unanswered: sum(counted, (row) => row.failures?.unanswered ?? 0),
    }
    const fates = {
      laterSucceeded: sum(counted, (row) => row.fates?.laterSucceeded ?? 0),
      stillFailing: sum(counted, (row) => row.fates?.stillFailing ?? 0),
      neverRerun: sum(counted, (row) => row.fates?.neverRerun ?? 0),
    }
    for (const [by, { rows: parts, total }] of reports) {
      expect([by, total]).toEqual([
        by,
        {
          usage: sumUsage(counted),
          cost: sumCost(counted),
          calls: sumUsage(counted).calls,
          sessions: counted.filter(isMain).length,
          toolCalls: sum(counted, (row) => row.recorded?.toolCalls ?? 0),
          failures,
          fates,
        },
      ])
      if (by === 'tool') continue
      expect([by, sumUsage(parts), sumCost(parts)]).toEqual([by, total.usage, total.cost])
      expect([by, sum(parts, ({ calls }) => calls)]).toEqual([by, total.calls])
    }
    const rowsOf = (by: string): UsageRow[] => reports.get(by)?.rows ?? []
    expect(sum(rowsOf('tool'), ({ calls }) => calls)).toBe(
      sum(counted, (row) => row.recorded?.toolCalls ?? 0),
    )
    expect(sum(rowsOf('tool'), ({ errors }) => errors ?? 0)).toBe(failures.tools)
    // a sub-agent is included in the row of the session that started it
    const owners = counted.filter(({ parentKey }) => parentKey === null)
    expect(byKey(rowsOf('session'), ({ key, usage, cost }) => [key, { usage, cost }])).toEqual(
      each(({ withSubagents: { usage, cost } }) => ({ usage, cost }), owners),
    )

    const { projects } = await ask<ProjectList>('/api/projects')
    const figures = ({ key, usage, cost, sessions }: Pick<UsageRow, 'key' | 'usage' | 'cost' | 'sessions'>) =>
      [key, { usage, cost, sessions }] as [string, unknown]
    const withSessions = projects.filter(({ key }) => counted.some(({ project }) => project.key === key))
    expect(byKey(rowsOf('project'), figures)).toEqual(byKey(withSessions, figures))
    expect(sum(projects, ({ sessions }) => sessions)).toBe(counted.filter(isMain).length)

    // the large figures of the usage page
    const total = reports.get('model')?.total
    expect([total?.sessions, total && countFailed(total.failures)]).toEqual([
      counted.filter(isMain).length,
      sum(counted, (row) => (row.failures ? countFailed(row.failures) : 0)),
    ])
  })

  test('T3: the sums of a list are those of its rows, and of all kinds the usage, of all and of each project', async () => {
    const { projects } = await ask<ProjectList>('/api/projects')
    for (const key of [null, ...projects.map((project) => project.key)]) {
      const only = key === null ? '' : `&project=${key}`
      const sumsOf = async (kind: string) =>
        (await ask<SessionList>(`/api/sessions?limit=1&kind=${kind}${only}`)).sums
      const [main, all] = [await sumsOf('main'), await sumsOf('all')]
      const mains = rows.filter((row) => isMain(row) && (key === null || row.project.key === key))
      expect([key, main]).toEqual([
        key,
        {
          usage: sumUsage(mains.map(({ withSubagents }) => withSubagents)),
          cost: sumCost(mains.map(({ withSubagents }) => withSubagents)),
          toolCalls: sum(mains, ({ withSubagents }) => withSubagents.toolCalls ?? 0),
          failures: mains.reduce(
            (failures, { withSubagents }) => addFailures(failures, withSubagents.failures ?? NOTHING_FAILED),
            NOTHING_FAILED,
          ),
        },
      ])

      const usage = await ask<UsageReport>(`/api/usage?by=tool${only}`)
      const { tools, refused, unanswered } = usage.total.failures
      const calls = sum(usage.rows, (row) => row.calls)
      expect([key, usage.total.toolCalls]).toEqual([key, calls])
      expect([key, all]).toEqual([
        key,
        {
          usage: usage.total.usage,
          cost: usage.total.cost,
          toolCalls: calls,
          failures: { tools, refused, unanswered },
        },
      ])
    }
  })

  test('the terminal prints what the API answers', async () => {
    const lines = (await print('list', '--plain')).trimEnd().split('\n')
    const printed = byKey(lines, (line) => {
      const cells = line.split('\t')
      return [cells[0] ?? '', cells.slice(-4)]
    })
    const expected = ({ counts, withSubagents }: SessionSummary) => [
      formatCount(counts?.messages),
      formatCount(withSubagents.failures && countFailed(withSubagents.failures)),
      formatUsage(withSubagents.usage),
      formatColumnCost(withSubagents.cost),
    ]
    expect(printed).toEqual(each(expected, rows.filter(isMain)))

    const report = await ask<UsageReport>('/api/usage?by=project')
    const total = (await print('usage', '--by', 'project', '--plain'))
      .trimEnd()
      .split('\n')
      .at(-1)
      ?.split('\t')
    const { usage, cost, calls, sessions } = report.total
    expect(total?.slice(-4)).toEqual([
      formatCount(usage.total),
      formatColumnCost(cost),
      formatCount(calls),
      formatCount(sessions),
    ])

    for (const row of rows
      .filter(({ recorded, subagentKeys }) => (recorded?.toolCalls ?? 0) > 8 || subagentKeys.length > 0)
      .slice(0, 3)) {
      const [head] = (await print('show', row.key)).split('\n\n')
      const { usage, cost } = row.withSubagents
      expect(head).toContain(`${formatUsage(usage)} tokens, ${formatCost(cost)}`)
    }
    const doctor = JSON.parse(await print('doctor', '--json')) as Doctor
    expect(await print('doctor')).toContain(formatSize(doctor.cache.sizeBytes))
    expect(doctor.files).toEqual((await ask<Doctor>('/api/doctor')).files)
  })
})

test('C3: one definition of failed for rows, list filter, chip, steps and search', async () => {
  const keysWhere = (read: (row: SessionSummary) => SessionFailures | null) =>
    rows.filter((row) => countFailed(read(row) ?? NOTHING_FAILED) > 0).map(({ key }) => key)
  const failed = keysWhere(({ failures }) => failures)
  expect(failed.length).toBeGreaterThan(20)
  const listed = await ask<SessionList>('/api/sessions?kind=all&has=errors&limit=1000')
  expect(listed.sessions.map(({ key }) => key).toSorted()).toEqual(
    keysWhere(({ withSubagents }) => withSubagents.failures).toSorted(),
  )

  const marked: string[] = []
  for (const { key, outcome } of rows) {
    const { counts, marks } = await ask<SessionMap>(`/api/sessions/${key}/map`)
    const shown = await ask<{ total: number }>(`/api/sessions/${key}/messages?show=errors&limit=1`)
    const stepped = [...marks].filter((mark) => (Number(mark) & 1) === 1).length
    expect([key, shown.total, stepped]).toEqual([key, counts.errors, counts.errors])
    if (counts.errors > 0) marked.push(key)
    if (outcome?.kind === 'error' || outcome?.kind === 'unanswered') expect(failed).toContain(key)
  }
  expect(marked.toSorted()).toEqual(failed.toSorted())

  const found = await ask<SearchResult>('/api/search?q=is:error&limit=1000')
  expect(Object.keys(found.sessions).toSorted()).toEqual(failed.toSorted())
})
