import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { usageReportSchema, usageWhySchema } from '@gemini-dash/api'
import { PAID_FOR } from '@gemini-dash/api/why-labels'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { machineTime } from '../../../../fixtures/machine-time.ts'
import { movedClock } from '../../../../fixtures/moved-clock.ts'
import { fixtureHome } from '../../test/open-test-server.ts'
import { runProgram } from '../../test/run-program.ts'

let own: string
beforeAll(() => {
  own = mkdtempSync(join(tmpdir(), 'gemini-dash-usage-'))
})
afterAll(() => rmSync(own, { recursive: true, force: true }))

const run = (...args: string[]) =>
  runProgram([
    ...['usage', ...args, '--home', fixtureHome('0.61.0'), '--tz', 'UTC'],
    ...['--cache-dir', join(own, 'cache'), '--data-dir', join(own, 'data')],
  ])

test('--csv prints lines for a spreadsheet and nothing else', async () => {
  const { code, stdout, stderr } = await run('--csv', '--split', 'model')
  expect([code, stderr]).toEqual([0, ''])
  const [head, ...lines] = stdout.trimEnd().split('\r\n')
  expect(head).toMatch(/^day,model,sessions,calls,/)
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\d,[^,]+,\d+,\d+,/)
})

test('--csv together with --json is refused, as it means nothing', async () => {
  const { code, stdout, stderr } = await run('--csv', '--json')
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('--csv and --json can’t be combined.')
})

test('--why names what makes up most of the cost, and what that was paid for', async () => {
  const { code, stdout } = await run('--why', '--json')
  const why = usageWhySchema.parse(JSON.parse(stdout))
  expect([code, why.by, why.lines.length > 0]).toEqual([0, 'session', true])
  const printed = (await run('--why')).stdout.split('\n')
  expect(printed[0]).toBe(`Why ${why.shown}`)
  const rows = printed.map((line) => line.trim().split(/\s+/).join(' '))
  for (const { shown, percent, name } of why.lines) expect(rows).toContain(`${shown} ${percent}% ${name}`)
  expect(printed.at(-2)).toBe(
    `By type: ${why.kinds.map(({ kind, shown }) => `${PAID_FOR[kind]} ${shown}`).join(', ')}`,
  )
})

test('without --by: how much, why, and what it was paid for', async () => {
  const why = usageWhySchema.parse(JSON.parse((await run('--why', '--json')).stdout))
  const { code, stdout, stderr } = await run()
  expect([code, stderr]).toEqual([0, expect.stringContaining('gemini-dash usage --by day')])
  expect(stdout.split('\n')[0]).toMatch(
    /^\$\d+\.\d\d in \d+ sessions?, \w{3} [^.]+\.(?: \d+ of \d+ tool calls? failed\.)$/,
  )
  expect(stdout).toContain(`\nWhy ${why.shown}\n`)
  const table = await run('--by', 'day')
  expect(table.stdout).toMatch(/^DAY {2}SESSIONS {2}REQUESTS {2}INPUT /)
  for (const said of [stderr, table.stderr]) expect(said.split('Costs are list prices')).toHaveLength(2)
})

test('--why together with --by is refused, as it means nothing', async () => {
  const { code, stderr } = await run('--why', '--by', 'model')
  expect([code, stderr]).toEqual([2, expect.stringContaining('--why and --by can’t be combined.')])
})

describe('a budget', () => {
  const TOKENS = { input: 100_000, output: 0, cached: 0, thoughts: 0, tool: 0, total: 100_000 }
  const NOW = '2026-11-21T12:00:00.000Z'
  /** $0.125 at list price. */
  const LINES = [
    {
      sessionId: 's-1',
      projectHash: 'aa',
      startTime: NOW,
      lastUpdated: NOW,
      kind: 'main',
    },
    { id: 'u1', timestamp: NOW, type: 'user', content: 'Hello' },
    {
      id: 'g1',
      timestamp: NOW,
      type: 'gemini',
      content: 'Hi',
      model: 'gemini-2.5-pro',
      tokens: TOKENS,
    },
  ]
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gemini-dash-usage-'))
    const chats = join(folder, '.gemini/tmp/shop/chats')
    mkdirSync(chats, { recursive: true })
    writeFileSync(join(chats, 'session-a.jsonl'), LINES.map((line) => `${JSON.stringify(line)}\n`).join(''))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  function runWith(usdPerMonth: number | null, ...args: string[]) {
    const budgets = usdPerMonth === null ? [] : [{ project: null, usdPerMonth }]
    writeFileSync(join(folder, 'budgets.json'), JSON.stringify({ version: 1, budgets }))
    const where = ['--home', folder, '--data-dir', folder, '--cache-dir', join(folder, 'cache')]
    const env = movedClock(Date.parse(NOW) - machineTime().getTime())
    return runProgram(['usage', ...args, ...where], env)
  }

  test('that is passed is a line below the table, and one that holds is none', async () => {
    const passed = await runWith(0.1)
    expect(passed.stdout.trimEnd().split('\n').at(-1)).toMatch(
      /^Over budget: all projects, \d{4}-\d\d: \$0\.1250 of \$0\.10$/,
    )
    expect((await runWith(5)).stdout).not.toContain('Budget')
  })

  test('is in --json where one is set', async () => {
    const { stdout } = await runWith(0.1, '--json')
    expect(usageReportSchema.parse(JSON.parse(stdout)).budgets?.budgets).toMatchObject([
      { project: null, usdPerMonth: 0.1, spent: { usd: 0.125, unpricedCalls: 0 }, state: 'passed' },
    ])
    expect(JSON.parse((await runWith(null, '--json')).stdout)).not.toHaveProperty('budgets')
  })
})
