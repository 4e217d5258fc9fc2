import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ProjectList, SearchResult, SessionList, UsageReport } from '@gemini-dash/api'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { openTestServer, type TestServer } from './open-test-server.ts'
import { runProgram } from './run-program.ts'

let folder: string
let home: string
let server: TestServer | null = null
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-projects-'))
  home = join(folder, '.gemini')
  mkdirSync(join(home, 'tmp'), { recursive: true })
})
afterEach(async () => {
  await server?.close()
  server = null
  rmSync(folder, { recursive: true, force: true })
})

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

function put(path: string, content: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), content)
}

interface Begun {
  /** Name of its folder below `tmp`. */
  in: string
  /** Where the CLI was started. */
  at: string
  day: string
  text?: string
  /** Whether its content mentions that folder. */
  isNamed?: boolean
}

/** A session with one prompt and one answer, as written by 0.20. */
function begin({ in: place, at, day, text = 'otter', isNamed = true }: Begun): void {
  const startTime = `${day}T10:00:00.000Z`
  const sessionId = `${sha256(`${place} ${day}`).slice(0, 8)}-0000-4000-8000-000000000001`
  const call = { id: 'c1', name: 'list_directory', args: { path: at }, status: 'success', result: [] }
  const messages = [
    { id: `${sessionId}-1`, timestamp: startTime, type: 'user', content: text },
    {
      ...{ id: `${sessionId}-2`, timestamp: startTime, type: 'gemini', content: 'ok', thoughts: [] },
      ...{ model: 'gemini-2.5-pro', toolCalls: isNamed ? [{ ...call, timestamp: startTime }] : [] },
      tokens: { input: 1000, output: 50, cached: 0, thoughts: 0, tool: 0, total: 1050 },
    },
  ]
  const session = { sessionId, projectHash: sha256(at), startTime, lastUpdated: startTime, messages }
  const name = `session-${day}T10-00-${sessionId.slice(0, 8)}.json`
  put(`tmp/${place}/chats/${name}`, JSON.stringify(session, null, 2))
}

const ask = async <Answer>(path: string): Promise<Answer> => {
  const { port, cookie } = server ?? (await open())
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } })
  expect([path, response.status]).toEqual([path, 200])
  return (await response.json()) as Answer
}

async function open(): Promise<TestServer> {
  server = await openTestServer({ home })
  return server
}

const list = (...flags: string[]) =>
  runProgram([
    'list',
    ...flags,
    '--home',
    home,
    '--cache-dir',
    join(folder, 'c'),
    '--data-dir',
    join(folder, 'd'),
  ])

describe('a folder of Windows that was spelled in several ways', () => {
  const LOWER = 'e:\\work\\Shop'
  const UPPER = 'E:\\Work\\Shop'
  const parts = [
    () => begin({ in: sha256(LOWER), at: LOWER, day: '2026-01-01' }),
    () => begin({ in: sha256(UPPER), at: UPPER, day: '2026-02-01' }),
    () => {
      put('projects.json', JSON.stringify({ projects: { 'e:\\work\\shop': 'shop' } }))
      put('tmp/shop/.project_root', 'e:\\work\\shop')
      begin({ in: 'shop', at: UPPER, day: '2026-03-01' })
    },
  ]

  it('I4: is one project in every answer, found however its path is written', async () => {
    for (const part of parts) part()
    const { projects } = await ask<ProjectList>('/api/projects')
    expect(projects).toMatchObject([{ name: 'Shop', path: LOWER, sessions: 3 }])
    expect(projects[0]?.folders).toHaveLength(3)
    expect((await ask<UsageReport>('/api/usage?by=project')).rows).toMatchObject([
      { label: 'Shop', sessions: 3 },
    ])
    const found = await ask<SearchResult>('/api/search?q=otter')
    expect(found.facets.project).toMatchObject([{ label: 'Shop', count: 3 }])
    for (const path of [UPPER, LOWER, 'e:/WORK/shop/', 'E:\\\\work\\shop'])
      expect((await ask<SessionList>(`/api/sessions?project=${encodeURIComponent(path)}`)).total).toBe(3)
    const q = encodeURIComponent('otter project:"e:/work/shop"')
    expect((await ask<SearchResult>(`/api/search?q=${q}`)).sessionTotal).toBe(3)
  })

  it('I4: has one key in whatever order its folders appear while the server runs', async () => {
    const keys = new Set<string>()
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      rmSync(home, { recursive: true })
      mkdirSync(join(home, 'tmp'), { recursive: true })
      await open()
      for (const [at, part] of order.entries()) {
        parts[part]?.()
        server?.lookAgain()
        const counts = async () =>
          (await ask<ProjectList>('/api/projects')).projects.map(({ sessions }) => sessions)
        await expect.poll(counts).toEqual([at + 1])
        keys.add((await ask<ProjectList>('/api/projects')).projects[0]?.key ?? '')
      }
      await server?.close()
      server = null
    }
    expect(keys.size).toBe(1)
  })
})

it('I4: macOS takes both cases for one folder, Linux for two', async () => {
  const paths = ['/Users/mia/Code/Shop', '/Users/mia/code/shop', '/home/mia/Code/Shop', '/home/mia/code/shop']
  for (const [at, path] of paths.entries()) {
    put(`tmp/shop-${at}/.project_root`, path)
    begin({ in: `shop-${at}`, at: path, day: `2026-01-0${at + 1}` })
  }
  const { projects } = await ask<ProjectList>('/api/projects')
  expect(projects.map(({ path, sessions }) => [path, sessions]).sort()).toEqual([
    ['/Users/mia/Code/Shop', 2],
    ['/home/mia/Code/Shop', 1],
    ['/home/mia/code/shop', 1],
  ])
  for (const path of paths.slice(2))
    expect((await ask<SessionList>(`/api/sessions?project=${path}`)).sessions).toMatchObject([
      { project: { path } },
    ])
})

it('I5: of two registered paths the one that the sessions prove names the project', async () => {
  put(
    'projects.json',
    JSON.stringify({ projects: { '/home/u/dev/shop': 'shop', '/home/u/dev/other': 'shop' } }),
  )
  begin({ in: 'shop', at: '/home/u/dev/shop', day: '2026-03-01', isNamed: false })
  expect((await ask<ProjectList>('/api/projects')).projects).toMatchObject([
    { name: 'shop', path: '/home/u/dev/shop', pathSource: 'registry' },
  ])
  expect((await list()).stdout).toMatch(/ {2}shop {2}/)
})

it('I6: projects that share a name are told apart in every answer, and none is without one', async () => {
  const paths = ['/home/u/shop', '/home/u/shop/apps/web', '/home/u/shop/docs/web', '']
  put(
    'projects.json',
    JSON.stringify({ projects: Object.fromEntries(paths.map((path, at) => [path, `p-${at}`])) }),
  )
  for (const [at, path] of paths.entries())
    begin({ in: `p-${at}`, at: path || '/gone', day: `2026-03-0${at + 1}`, isNamed: false })
  const names = ['apps/web', 'docs/web', 'p-3', 'shop']

  expect((await ask<ProjectList>('/api/projects')).projects.map(({ name }) => name).sort()).toEqual(names)
  const { sessions } = await ask<SessionList>('/api/sessions')
  expect(sessions.map(({ project }) => project.name).sort()).toEqual(names)
  const { rows } = await ask<UsageReport>('/api/usage?by=project')
  expect(rows.map(({ label }) => label).sort()).toEqual(names)
  const found = await ask<SearchResult>('/api/search?q=otter')
  expect(found.facets.project.map(({ label }) => label).sort()).toEqual(names)
  const ofProject = async (wanted: string) =>
    (await ask<SessionList>(`/api/sessions?project=${encodeURIComponent(wanted)}`)).sessions
      .map(({ project }) => project.name)
      .sort()
  expect(await ofProject('web')).toEqual(['apps/web', 'docs/web'])
  expect(await ofProject('apps/web')).toEqual(['apps/web'])

  const { stdout } = await list()
  for (const name of names) expect(stdout).toContain(`  ${name}  `)
  expect(await namesByMcp()).toEqual(names)
})

it('I6: names that the user gave stay as they are, and others are told from them', async () => {
  for (const [at, path] of ['/x/web', '/y/web', '/z/api'].entries()) {
    put(`tmp/p-${at}/.project_root`, path)
    begin({ in: `p-${at}`, at: path, day: `2026-03-0${at + 1}` })
  }
  const { projects } = await ask<ProjectList>('/api/projects')
  const of = (path: string) => projects.find((project) => project.path === path)?.key ?? ''
  server?.store.changeProject(of('/x/web'), { name: 'web' })
  server?.store.changeProject(of('/z/api'), { name: 'web' })
  const named = (await ask<ProjectList>('/api/projects')).projects
    .map(({ path, name }) => [path, name])
    .sort()
  expect(named).toEqual([
    ['/x/web', 'web'],
    ['/y/web', 'y/web'],
    ['/z/api', 'web'],
  ])
})

it('I7: a file without a date has none and comes last, whenever it was written', async () => {
  begin({ in: 'shop', at: '/home/u/shop', day: '2026-03-01' })
  for (const [name, writtenAt] of [
    ['checkpoint-copied', '2026-11-26'],
    ['old', '2020-01-01'],
    ['ahead', '2040-01-01'],
  ]) {
    const path = `tmp/shop/chats/${name}.json`
    put(path, JSON.stringify({ history: [{ role: 'user', parts: [{ text: 'otter' }] }] }))
    utimesSync(join(home, path), new Date(`${writtenAt}`), new Date(`${writtenAt}`))
  }
  const timesOf = ({ sessions }: SessionList) =>
    sessions.map(({ startTime, endTime }) => startTime ?? endTime)
  const all = ['2026-03-01T10:00:00.000Z', null, null, null]
  for (const sort of ['recent', 'oldest', '-oldest'])
    expect(timesOf(await ask<SessionList>(`/api/sessions?sort=${sort}`))).toEqual(all)
  const { days } = await ask<SessionList>('/api/sessions?tz=UTC')
  expect(days.map(({ day, sessions }) => [day, sessions])).toEqual([
    ['2026-03-01', 1],
    ['unknown', 3],
  ])
  for (const range of ['from=2019-01-01', 'from=2019-01-01&to=2050-01-01', 'to=2050-01-01'])
    expect(timesOf(await ask<SessionList>(`/api/sessions?${range}`))).toEqual([all[0]])
  const { hits } = await ask<SearchResult>('/api/search?q=otter&sort=recent')
  expect(hits.map(({ timestamp }) => timestamp)).toEqual(['2026-03-01T10:00:00.000Z'])
  const { projects } = await ask<ProjectList>('/api/projects')
  expect(projects).toMatchObject([{ lastActivity: '2026-03-01T10:00:00.000Z' }])
  const lines = (await list('--tz', 'UTC')).stdout.trim().split('\n').slice(1)
  expect(lines.map((line) => line.includes('no date'))).toEqual([false, true, true, true])
})

/** The project names that an agent gets. */
async function namesByMcp(): Promise<string[]> {
  const client = new Client({ name: 'test', version: '1' })
  const own = ['--cache-dir', join(folder, 'mcp'), '--data-dir', join(folder, 'data')]
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(inject('program'), 'cli.js'), 'mcp', '--home', home, ...own],
      env: { PATH: process.env.PATH ?? '', HOME: folder },
      stderr: 'ignore',
    }),
  )
  const answer = await client.callTool({ name: 'list_sessions', arguments: {} })
  await client.close()
  const [told] = answer.content as { text: string }[]
  const { sessions } = JSON.parse(told?.text ?? '') as { sessions: { project: string }[] }
  return sessions.map(({ project }) => project).sort()
}
