import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
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
import type { Doctor, Health, MarkList, SessionList } from '@gemini-dash/api'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { BudgetBook } from '../src/own-data/budget-book.ts'
import { openBudgetFile } from '../src/own-data/budget-file.ts'
import { openMarks } from '../src/own-data/marks/open-marks.ts'
import { fixtureHome, openTestServer } from './open-test-server.ts'
import { type RunningProgram, startProgram } from './run-program.ts'

const isRoot = process.getuid?.() === 0
const ANOTHER_USER = 12_345

let folder: string
let data: string
let running: RunningProgram[]
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

const where = () => [
  ...['--home', fixtureHome('0.61.0')],
  ...['--cache-dir', join(folder, 'cache'), '--data-dir', data],
]

/** A browser that is signed in at this address. */
function browser(origin: string, cookie: string) {
  const ask = async (path: string, body?: object, headers: Record<string, string> = { cookie }) => {
    const sent = body === undefined ? {} : { method: 'PUT', body: JSON.stringify(body) }
    const json = { 'content-type': 'application/json', origin }
    const answer = await fetch(`${origin}${path}`, { headers: { ...json, ...headers }, ...sent })
    return { status: answer.status, text: await answer.text() }
  }
  const get = async <Answer>(path: string): Promise<Answer> => JSON.parse((await ask(path)).text)
  return { ask, get }
}

/** The built program, and a browser that is signed in. */
async function serve(before?: string[]) {
  const args = ['serve', '--no-open', '--json', '--port', '0', ...where()]
  const program = startProgram(args, {}, inject('program'), before)
  running.push(program)
  const { url } = JSON.parse(await program.firstLine)
  const entered = await fetch(url, { redirect: 'manual' })
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  return { program, ...browser(new URL(url).origin, cookie) }
}

function say(): void {
  const { book, views } = openMarks(data, () => {})
  book.change('s1', { note: 'a note' })
  views.update(() => [{ name: 'Mine', href: '/' }])
  new BudgetBook(openBudgetFile(data, () => {})).set(null, 5)
}

describe('a data folder', { timeout: 120_000 }, () => {
  it('R65: that is moved away signs nobody out, refuses changes with what to do, and is whole when it is back', async () => {
    const server = await openTestServer()
    const place = server.dataFolder
    const { ask, get } = browser(`http://127.0.0.1:${server.port}`, server.cookie)
    const key = (await get<SessionList>('/api/sessions')).sessions[0]?.key ?? ''
    expect((await ask(`/api/marks/${key}`, { note: 'before' })).status).toBe(200)
    renameSync(place, `${place}-away`)
    expect((await ask('/api/sessions')).status).toBe(200)
    expect((await get<MarkList>('/api/marks')).marks[key]?.note).toBe('before')
    const changes: [string, object][] = [
      [`/api/marks/${key}`, { note: 'meanwhile' }],
      ['/api/views', { views: [] }],
      ['/api/settings', { plan: 'nothing' }],
      ['/api/settings', { homes: [{ path: '/h', label: 'x' }] }],
    ]
    for (const [path, body] of changes) {
      const { status, text } = await ask(path, body)
      expect([path, status, text]).toEqual([path, 503, expect.stringContaining('move it back')])
    }
    const { status, text } = await ask('/api/sessions', undefined, {})
    expect([status, text]).toEqual([403, expect.stringContaining('move it back, or start gemini-dash again')])
    const page = await ask('/', undefined, { accept: 'text/html', 'sec-fetch-dest': 'document' })
    expect(page.text).toContain('No browser can be signed in now')
    expect(existsSync(place)).toBe(false)

    renameSync(`${place}-away`, place)
    expect((await get<MarkList>('/api/marks')).marks[key]?.note).toBe('before')
    expect((await ask(`/api/marks/${key}`, { note: 'after' })).status).toBe(200)
    expect(openMarks(place, () => {}).book.of(key)?.note).toBe('after')
    await server.close()
  })

  const canMount = spawnSync('unshare', ['-Urm', 'true']).status === 0
  it.skipIf(!canMount)(
    'R65: that can only be read is shown and told, and no change is answered as if it were kept',
    async () => {
      say()
      const script = `mount --bind ${data} ${data} && mount -o remount,ro,bind ${data} && exec "$@"`
      const { program, ask, get } = await serve(['unshare', '-Urm', 'sh', '-c', script, 'sh'])
      expect(program.printed()).toContain('is on a disk that can only be read): stars, notes')
      expect((await get<MarkList>('/api/marks')).marks.s1?.note).toBe('a note')
      for (const [path, body] of [
        ['/api/marks/s1', { note: 'not kept' }],
        ['/api/settings', { plan: 'nothing' }],
        ['/api/budgets/all', { usdPerMonth: 7 }],
      ] as const) {
        const { status, text } = await ask(path, body)
        expect([path, status, text]).toEqual([path, 503, expect.stringContaining('can only be read')])
      }
      expect((await get<MarkList>('/api/marks')).marks.s1?.note).toBe('a note')
      const { warnings } = await get<Health>('/api/health')
      expect(warnings.filter(({ code }) => code === 'data-not-kept')).toHaveLength(1)
    },
  )

  it('R54: whose files are damaged is told once: on stderr, by health and by doctor', async () => {
    say()
    const flip = (name: string, from: string, to: string) =>
      writeFileSync(join(data, name), readFileSync(join(data, name), 'utf8').replace(from, to))
    flip('marks.jsonl', 'a note', 'a vote')
    flip('budgets.json', 'Month": 5', 'Month": 7')
    rmSync(join(data, 'views.json'))

    const { program, get } = await serve()
    expect((await get<MarkList>('/api/marks')).marks.s1?.note).toBe('a note')
    const { warnings } = await get<Health>('/api/health')
    for (const name of ['marks.jsonl', 'budgets.json', 'views.json']) {
      const told = warnings.filter(({ message }) => message.includes(name))
      expect(told).toMatchObject([{ code: 'data-damaged' }])
      expect(program.printed().split(told[0]?.message ?? '')).toHaveLength(2)
    }
    expect((await get<Doctor>('/api/doctor')).warnings).toEqual(warnings)
  })

  it.skipIf(process.getuid === undefined)(
    'R66: with files that this user may not read costs what they hold, in one sentence with what to do',
    async () => {
      say()
      const names = readdirSync(data)
      for (const name of names)
        if (isRoot) chownSync(join(data, name), ANOTHER_USER, ANOTHER_USER)
        else chmodSync(join(data, name), 0)
      // root without the right to read what is another's
      const before = isRoot ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : []
      for (const more of [[], ['--no-cache']]) {
        const program = startProgram(['list', '--json', ...where(), ...more], {}, inject('program'), before)
        const { code, stdout, stderr } = await program.finished
        expect([code, JSON.parse(stdout).sessions.length > 0]).toEqual([0, true])
        expect(stderr).not.toContain('please report')
        if (more.length === 0) expect(stderr).toMatch(/marks\.jsonl.*(?:sudo chown -R root|chmod u\+rw) /)
        if (isRoot && more.length === 0) expect(stderr.trim().split('\n')).toHaveLength(1)
      }
      for (const name of names) expect(existsSync(join(data, name))).toBe(true)
    },
  )
})
