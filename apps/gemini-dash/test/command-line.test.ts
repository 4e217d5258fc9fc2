import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SESSION_ORDERS, searchResultSchema, sessionListSchema } from '@gemini-dash/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixtureHome } from './open-test-server.ts'
import { AGAIN_AFTER_FORCE, expectOwnEnd } from './own-end.ts'
import { runProgram, startProgram } from './run-program.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const OWN = () => ['--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')]
const run = (...args: string[]) => runProgram([...args, '--home', fixtureHome('0.61.0'), ...OWN()])
const list = async (...args: string[]) =>
  sessionListSchema.parse(JSON.parse((await run('list', '--kind', 'all', '--json', ...args)).stdout))
const search = async (...args: string[]) =>
  searchResultSchema.parse(JSON.parse((await run('search', 'the', '--json', ...args)).stdout))

describe('D4: dates as a search takes them', () => {
  test('--from that is long ago leaves nothing out', async () => {
    const { total } = await list()
    for (const from of ['-100y', '100y', '1926', '1926-02'])
      expect([from, (await list('--from', from)).total]).toEqual([from, total])
  })

  test.each(['-100y', '1926-02-03', '1926-02-03T10:00:00Z'])('--to %s is long ago', async (to) => {
    expect((await list('--to', to)).total).toBe(0)
  })

  test('a word that is none is told with those that are', async () => {
    for (const command of [['list'], ['usage'], ['search', 'x']]) {
      const { code, stderr } = await run(...command, '--from', 'long-ago')
      expect([code, stderr]).toEqual([
        2,
        '--from: "long-ago" is not a date or time.\nWrite a day (2026-01-31), a time (2026-01-31T18:00), the last days (7d, 3m), the last hours (12h) or a word (today, yesterday, monday).\n',
      ])
    }
  })
})

test('D4: a value that is none of those there are is told with them', async () => {
  const { code, stderr } = await run('list', '--sort', 'size')
  const orders = [...SESSION_ORDERS, ...SESSION_ORDERS.map((order) => `-${order}`)].join(', ')
  expect([code, stderr]).toEqual([2, `--sort: "size" is not one of ${orders}.\n`])
})

test('D3: --cursor goes on where the answer before ended', async () => {
  const every = await list()
  const first = await list('--limit', '2')
  const next = await list('-n', '2', '--cursor', String(first.nextCursor))
  expect([...first.sessions, ...next.sessions].map(({ key }) => key)).toEqual(
    every.sessions.slice(0, 4).map(({ key }) => key),
  )
  const hits = await search('--limit', '3')
  const later = await search('--limit', '3', '--cursor', String(hits.nextCursor))
  const all = await search('--limit', '6')
  expect([...hits.hits, ...later.hits]).toEqual(all.hits)
})

test('D4: plain rows have tabs between their fields, piped ones no padding', async () => {
  const { sessions } = await list()
  const plain = await run('list', '--kind', 'all', '--plain')
  const lines = plain.stdout.trimEnd().split('\n')
  expect(lines.map((line) => line.split('\t')[0])).toEqual(sessions.map(({ key }) => key))
  expect(new Set(lines.map((line) => line.split('\t').length))).toEqual(new Set([8]))
  const piped = await run('list')
  expect(piped.stdout).toMatch(
    /^TITLE {2}PROJECT {2}TOOL CALLS {2}FAILED {2}TOKENS {2}COST {2}LAST ACTIVITY {2}KEY\n/,
  )
  const found = await run('search', 'the', '-n', '2', '--plain')
  expect(
    found.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t').length),
  ).toEqual([5, 5])
  expect((await run('usage', '--plain')).stdout).toMatch(/^\d{4}-\d{2}-\d{2}\t/)
})

test('D4: colours by what the variables say', async () => {
  const args = ['search', 'the', '-n', '1', '--home', fixtureHome('0.61.0'), ...OWN()]
  const isColorful = async (env: Record<string, string>) =>
    (await runProgram(args, env)).stdout.includes('\x1b[')
  expect(await isColorful({})).toBe(false)
  expect(await isColorful({ FORCE_COLOR: '1' })).toBe(true)
  expect(await isColorful({ FORCE_COLOR: '0' })).toBe(false)
})

test('D4: a pattern that cannot be read is refused, whatever filters stand beside it', async () => {
  for (const q of ['(', 'project:shop (a|']) {
    const { code, stdout, stderr } = await run('search', '--mode', 'regex', q)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^Invalid pattern .+: .+\.\nPatterns use RE2 syntax\./)
  }
})

test('D4: url takes the folders that others take', async () => {
  const { code, stderr } = await run('url')
  expect([code, stderr]).toEqual([1, expect.stringContaining('No dashboard is running')])
})

test('a command that waits for what will never come says so', async () => {
  const swallow = '--import=data:text/javascript,process.stdout.write=()=>true'
  const { code, stdout, stderr } = await runProgram(['completion', 'bash'], { NODE_OPTIONS: swallow })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(
    /^gemini-dash cannot continue: nothing is left that could bring its answer.*\n.*report it/,
  )
})

describe('D5: a home that does not exist', () => {
  const none = () => join(folder, 'none')

  test('is a failure of every command that ends, with the variable that names it', async () => {
    for (const [variable, ...command] of [
      ['GEMINI_CLI_HOME', 'list'],
      ['GEMINI_CLI_HOME', 'show', 'x'],
      ['GEMINI_CLI_HOME', 'search', 'x'],
      ['GEMINI_SESSIONS_DIR', 'usage'],
      ['GEMINI_SESSIONS_DIR', 'doctor'],
    ] as const) {
      const { code, stdout, stderr } = await runProgram([...command, ...OWN()], { [variable]: none() })
      expect([command, code, stdout]).toEqual([command, 1, ''])
      expect(stderr).toMatch(new RegExp(`^There is no Gemini folder at .+ \\(from ${variable}\\)\\.\n`))
    }
  })

  test('is waited for by the dashboard, which says so', AGAIN_AFTER_FORCE, async () => {
    const args = ['serve', join(folder, 'gone'), '--no-open', '--json', '--port', '0', '--home', none()]
    const { child, firstLine, finished } = startProgram([...args, ...OWN()])
    expect(JSON.parse(await firstLine)).toMatchObject({ homes: [`${none()}/.gemini`] })
    child.kill('SIGTERM')
    const { stderr } = expectOwnEnd(await finished)
    expect(stderr).toContain(`There is no Gemini folder at ${none()}/.gemini yet`)
    expect(stderr).toContain(`No project found at ${join(folder, 'gone')}`)
  })
})
