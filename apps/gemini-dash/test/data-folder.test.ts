import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Health, MarkList, SessionList } from '@gemini-dash/api'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { openMarks } from '../src/own-data/open-marks.ts'
import { BudgetStore, openBudgetFile } from '../src/own-data/price-file.ts'
import { fixtureHome } from './open-test-server.ts'
import { type RunningProgram, runProgram, startProgram } from './run-program.ts'

const isRoot = process.getuid?.() === 0
const ANOTHER_USER = 12_345
const READ_ONLY = 'Make it writable, or choose another folder with --data-dir.'

let cache: string
let folder: string
let data: string
let running: RunningProgram[]
beforeAll(() => {
  cache = mkdtempSync(join(tmpdir(), 'gemini-dash-cache-'))
})
afterAll(() => rmSync(cache, { recursive: true, force: true }))
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-data-'))
  data = join(folder, 'data')
  running = []
})
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL')
  await Promise.all(running.map(({ finished }) => finished))
  rmSync(folder, { recursive: true, force: true })
})

const where = () => ['--home', fixtureHome('0.61.0'), '--cache-dir', cache, '--data-dir', data]

/** A browser that is signed in to its own server. */
async function signIn(before?: string[]) {
  const serve = ['serve', '--no-open', '--json', '--port', '0', ...where()]
  const program = startProgram(serve, {}, inject('program'), before)
  running.push(program)
  const { url } = JSON.parse(await program.firstLine)
  const { origin } = new URL(url)
  const entered = await fetch(url, { redirect: 'manual' })
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const ask = async (path: string, body?: object, headers: Record<string, string> = { cookie }) => {
    const sent = body === undefined ? {} : { method: 'PUT', body: JSON.stringify(body) }
    const json = { 'content-type': 'application/json', origin }
    const answer = await fetch(`${origin}${path}`, { headers: { ...json, ...headers }, ...sent })
    return { status: answer.status, text: await answer.text() }
  }
  const get = async <Answer>(path: string): Promise<Answer> => JSON.parse((await ask(path)).text)
  const [session] = (await get<SessionList>('/api/sessions')).sessions
  return { program, ask, get, key: session?.key ?? '' }
}

describe('a data folder', { timeout: 120_000 }, () => {
  it('R65: that is moved away signs nobody out, refuses changes with what to do, and is whole when it is back', async () => {
    const { program, ask, get, key } = await signIn()
    expect((await ask(`/api/marks/${key}`, { note: 'before' })).status).toBe(200)
    renameSync(data, `${data}-away`)
    expect((await ask('/api/sessions')).status).toBe(200)
    expect((await get<MarkList>('/api/marks')).marks[key]?.note).toBe('before')
    const changes: [string, object][] = [
      [`/api/marks/${key}`, { note: 'meanwhile' }],
      ['/api/views', { views: [] }],
      ['/api/budgets/all', { usdPerMonth: 5 }],
      ['/api/settings', { plan: 'nothing' }],
      ['/api/settings', { homes: [{ path: '/h', label: 'x' }] }],
    ]
    for (const [path, body] of changes) {
      const { status, text } = await ask(path, body)
      expect([path, status, text]).toEqual([path, 503, expect.stringContaining('move it back')])
    }
    const { status, text } = await ask('/api/sessions', undefined, {})
    expect([status, text]).toEqual([403, expect.stringContaining('Move it back, or restart gemini-dash')])
    await expect
      .poll(async () => (await get<Health>('/api/health')).warnings)
      .toMatchObject([{ code: 'data-not-kept', message: expect.stringContaining('Changes are refused') }])
    expect(existsSync(data)).toBe(false)

    renameSync(`${data}-away`, data)
    expect((await get<MarkList>('/api/marks')).marks[key]?.note).toBe('before')
    expect((await ask(`/api/marks/${key}`, { note: 'after' })).status).toBe(200)
    await expect.poll(async () => (await get<Health>('/api/health')).warnings).toEqual([])
    expect(openMarks(data, () => {}).store.of(key)?.note).toBe('after')
    expect(program.printed().match(/Changes are refused/g)).toHaveLength(1)
  })

  const canMount = spawnSync('unshare', ['-Urm', 'true']).status === 0
  it.skipIf(!canMount)(
    'R65: that can only be read is shown and told, and no change is answered as if it were kept',
    async () => {
      const first = await signIn()
      await first.ask(`/api/marks/${first.key}`, { note: 'before' })
      first.program.child.kill()
      await first.program.finished
      const script = `mount --bind ${data} ${data} && mount -o remount,ro,bind ${data} && exec "$@"`
      const { program, ask, get, key } = await signIn(['unshare', '-Urm', 'sh', '-c', script, 'sh'])
      expect(program.printed()).toContain('is on a read-only disk')
      expect((await get<MarkList>('/api/marks')).marks[key]?.note).toBe('before')
      for (const [path, body] of [
        [`/api/marks/${key}`, { note: 'not kept' }],
        ['/api/settings', { plan: 'nothing' }],
        ['/api/budgets/all', { usdPerMonth: 7 }],
      ] as const) {
        const { status, text } = await ask(path, body)
        expect([path, status, text]).toEqual([path, 503, expect.stringContaining(READ_ONLY)])
      }
      expect((await get<MarkList>('/api/marks')).marks[key]?.note).toBe('before')
      const { warnings } = await get<Health>('/api/health')
      expect(warnings).toMatchObject([{ code: 'data-not-kept' }])
    },
  )

  it('R54: whose files are damaged is told once: on stderr, by health and by doctor', async () => {
    const { store, views } = openMarks(data, () => {})
    store.change('s1', { note: 'a note' })
    views.update(() => [{ name: 'Mine', href: '/' }])
    new BudgetStore(openBudgetFile(data, () => {})).set(null, 5)
    const flip = (name: string, from: string, to: string) =>
      writeFileSync(join(data, name), readFileSync(join(data, name), 'utf8').replace(from, to))
    flip('marks.jsonl', 'a note', 'a vote')
    flip('budgets.json', 'Month": 5', 'Month": 7')
    rmSync(join(data, 'views.json'))
    cpSync(data, `${data}-as-it-was`, { recursive: true })

    const { program, ask, get } = await signIn()
    expect((await get<MarkList>('/api/marks')).marks.s1?.note).toBe('a note')
    const { warnings } = await get<Health>('/api/health')
    for (const name of ['marks.jsonl', 'budgets.json', 'views.json']) {
      const told = warnings.filter(({ message }) => message.includes(name))
      expect(told).toMatchObject([{ code: 'data-damaged' }])
      expect(program.printed().split(told[0]?.message ?? '')).toHaveLength(2)
    }
    expect((await ask('/api/doctor')).text).toContain('marks.jsonl was damaged')

    // what it has read stays valid as long as it runs
    program.child.kill()
    await program.finished
    rmSync(data, { recursive: true })
    renameSync(`${data}-as-it-was`, data)
    const doctor = await runProgram(['doctor', ...where()])
    expect(doctor.stdout).toContain('budgets.json was damaged or changed by another program')
    expect((await runProgram(['doctor', ...where()])).stdout).not.toContain('damaged')
  })

  it.skipIf(process.getuid === undefined)(
    'R66: with files that this user may not read costs what they hold, in one sentence with what to do',
    async () => {
      const { store, views } = openMarks(data, () => {})
      store.change('s1', { note: 'a note' })
      views.update(() => [{ name: 'Mine', href: '/' }])
      new BudgetStore(openBudgetFile(data, () => {})).set(null, 5)
      const names = readdirSync(data)
      for (const name of names)
        if (isRoot) chownSync(join(data, name), ANOTHER_USER, ANOTHER_USER)
        else chmodSync(join(data, name), 0)
      // root without permission to read files of other users
      const before = isRoot ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : []
      for (const more of [[], ['--no-cache']]) {
        const program = startProgram(['list', '--json', ...where(), ...more], {}, inject('program'), before)
        const { code, stdout, stderr } = await program.finished
        expect([code, JSON.parse(stdout).sessions.length > 0]).toEqual([0, true])
        expect(stderr).not.toContain('Please report')
        if (more.length === 0) expect(stderr).toMatch(/marks\.jsonl.*(?:sudo chown -R root|chmod u\+rw) /)
        if (isRoot && more.length === 0) expect(stderr.trim().split('\n')).toHaveLength(1)
      }
      for (const name of names) expect(existsSync(join(data, name))).toBe(true)
    },
  )
})
