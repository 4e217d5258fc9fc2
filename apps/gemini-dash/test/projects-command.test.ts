import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectListSchema } from '@gemini-dash/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixtureHome } from './open-test-server.ts'
import { runProgram, startProgram } from './run-program.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const WHERE = () => [
  ...['--home', fixtureHome('0.61.0')],
  ...['--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')],
]
const run = (...args: string[]) => runProgram(['projects', ...args, ...WHERE()])
const json = async (...args: string[]) => read(JSON.parse((await run('--json', ...args)).stdout))

/** The existence of a folder is checked asynchronously: it may not be known yet. */
function read(answer: unknown) {
  const { projects, total } = projectListSchema.parse(answer)
  return { projects: projects.map((project) => ({ ...project, isPathGone: null })), total }
}

test('lists projects, also as rows and as JSON, filtered and cut', async () => {
  const { projects, total } = await json()
  expect(projects.map(({ name }) => name)).toContain('webshop')
  expect(total).toBe(projects.length)
  const { code, stdout } = await run()
  expect([code, stdout.split('\n')[0]]).toEqual([0, 'PROJECT  PATH  SESSIONS  TOKENS  COST  LAST ACTIVITY'])
  const plain = (await run('--plain')).stdout.trimEnd().split('\n')
  expect(plain.map((line) => line.split('\t').slice(0, 3))).toEqual(
    projects.map(({ key, name, path }) => [key, name, path ?? '']),
  )
  const webshop = projects.filter(({ name }) => name === 'webshop')
  expect((await json('--project', 'webshop')).projects).toEqual(webshop)
  expect(await json('--project', 'nowhere')).toMatchObject({ projects: [], total: 0 })
  expect(await json('--limit', '1')).toMatchObject({ projects: projects.slice(0, 1), total })
})

test('a filter that matches no project is said, with the projects there are', async () => {
  const told = 'No project matches "webshopp". Projects: '
  const all = (await json()).projects.map(({ name }) => name)
  for (const [command, code] of [
    [['list'], 0],
    [['usage'], 0],
    [['search', 'x'], 1],
  ] as const) {
    const ran = await runProgram([...command, '--project', 'webshopp', ...WHERE()])
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(`${told}${all.join(', ')}.`)])
  }
  const past = await runProgram(['list', '--project', 'webshop', '--to', '2001-01-01', ...WHERE()])
  expect([past.code, past.stderr]).toEqual([0, expect.not.stringContaining('No project')])
})

test('a cursor that no answer gave is refused', async () => {
  const ran = await runProgram(['search', 'x', '--cursor=-1', ...WHERE()])
  expect([ran.code, ran.stdout]).toEqual([2, ''])
  expect(ran.stderr).toContain('--cursor: "-1" is not the nextCursor of an earlier answer.')
})

test('a running server gives the same answer', async () => {
  const alone = await json()
  const server = startProgram(['serve', '--no-open', '--port', '0', '--json', ...WHERE()])
  const { url } = JSON.parse(await server.firstLine)
  // something that only this server knows shows which process answered
  const [{ key } = { key: '' }] = alone.projects
  const { origin, search, pathname } = new URL(url)
  const entered = await fetch(`${origin}${pathname}${search}`, { redirect: 'manual' })
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  const changed = await fetch(`${origin}/api/projects/${encodeURIComponent(key)}`, {
    method: 'PUT',
    headers: { cookie, origin, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Shop of Mia' }),
  })
  expect(changed.status).toBe(200)
  expect((await json()).projects[0]?.name).toBe('Shop of Mia')
  const answered = await fetch(`${origin}/api/projects`, { headers: { cookie } })
  expect(await json()).toEqual(read(await answered.json()))
  server.child.kill()
  await once(server.child, 'close')
})

test('a path found in session files is found again after a start on the index, like by a fresh start', async () => {
  const home = join(folder, 'hashes', '.gemini')
  const chats = join(home, 'tmp', 'f'.repeat(64), 'chats')
  const code = join(folder, 'code', 'shop')
  mkdirSync(chats, { recursive: true })
  mkdirSync(join(code, 'src'), { recursive: true })
  const log = (paths: string[]) =>
    [
      { sessionId: 'a1', projectHash: 'f'.repeat(64), startTime: '2026-11-01T10:00:00.000Z' },
      { id: 'm1', type: 'user', timestamp: '2026-11-01T10:00:00.000Z', content: 'Read both' },
      {
        ...{ id: 'm2', type: 'gemini', timestamp: '2026-11-01T10:00:01.000Z', content: 'Done' },
        toolCalls: paths.map((path, index) => ({
          ...{ id: `c${index}`, name: 'read_file', args: { absolute_path: path }, status: 'success' },
        })),
      },
    ]
      .map((record) => `${JSON.stringify(record)}\n`)
      .join('')
  const file = join(chats, 'session-2026-11-01T10-00-a1.jsonl')
  const paths = ['a.ts', 'b.ts', 'c.ts'].map((name) => join(code, 'src', name))
  writeFileSync(file, log(paths))
  const ask = async (...more: string[]) => {
    const where = ['--home', home, '--data-dir', join(folder, 'hash-data')]
    const { stdout } = await runProgram(['projects', '--json', ...where, ...more])
    return read(JSON.parse(stdout)).projects.map(({ path, candidates }) => ({ path, candidates }))
  }
  const fresh = () => ask('--no-cache')
  const indexed = () => ask('--cache-dir', join(folder, 'hash-cache'))
  await runProgram([
    ...['search', 'Done', '--home', home, '--data-dir', join(folder, 'hash-data')],
    ...['--cache-dir', join(folder, 'hash-cache')],
  ])
  expect(await indexed()).toEqual(await fresh())
  mkdirSync(join(code, '.git'))
  const inRepository = await fresh()
  expect(JSON.stringify(inRepository)).toContain('"git-root"')
  expect(await indexed()).toEqual(inRepository)
  rmSync(join(code, '.git'), { recursive: true })
  expect(await indexed()).toEqual(await fresh())
  const other = ['d.ts', 'e.ts', 'f.ts'].map((name) => join(folder, 'code', 'blog', name))
  writeFileSync(file, log([...other, ...other]))
  const moved = await fresh()
  expect(moved).not.toEqual(inRepository)
  expect(await indexed()).toEqual(moved)
})
