import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Doctor, Health, SearchResult, SessionList, UsageReport } from '@gemini-dash/api'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { writeLargeHome } from '../../../fixtures/large/large-home.ts'

/** What the cache of this home takes; with less the disk runs full. */
const ENOUGH_KB = 1_800
/** `FULL_DISKS=all npx vitest run full-disk` takes each of these; otherwise a small one does, and one that has no room for the rows only. */
const SIZES_KB = process.env.FULL_DISKS === 'all' ? [300, 500, 1_000, 1_500, 1_800, 2_000] : [500, 1_650]
const WAIT = { timeout: 60_000, interval: 200 }

let folder: string
let home: string
let disk: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-full-'))
  home = join(folder, 'large', 'home')
  disk = join(folder, 'disk')
  mkdirSync(disk)
  writeLargeHome({ sessions: 50, bytes: 10_000_000, seed: 3, out: join(folder, 'large') })
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the program where `before` was done first, by a shell. */
function start(args: string[], before: string) {
  const program = [process.execPath, join(inject('program'), 'cli.js'), ...args]
  const own = [`--home=${home}`, `--data-dir=${join(folder, 'data')}`]
  const child = spawn('bash', ['-c', `${before}\nexec "$@"`, 'bash', ...program, ...own], {
    env: { PATH: process.env.PATH, CI: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { child, stderr: text(child.stderr), closed: once(child, 'close') }
}

async function run(args: string[], before = '') {
  const { child, stderr, closed } = start(args, before)
  const [stdout, [code]] = await Promise.all([text(child.stdout), closed])
  return {
    code,
    answer: JSON.parse(stdout),
    warnings: (await stderr).split('\n').filter((line) => line !== ''),
  }
}

const onDisk = (args: string[]) => [...args, '--json', `--cache-dir=${join(disk, 'cache')}`]
const inMemory = (args: string[]) => [...args, '--json', '--no-cache']
const QUESTIONS = [['search', 'the'], ['list', '--kind=all'], ['usage']]
let expected: Awaited<ReturnType<typeof run>>[]

describe('A1: a cache that a disk does not take', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    expected = []
    for (const question of QUESTIONS) expected.push(await run(inMemory(question)))
    expect(expected[0]?.answer.total).toBeGreaterThan(100)
  }, 120_000)

  it.each([10, 900])(
    'is no fewer hits, and one warning, where no file may grow beyond %d kB',
    async (limitKb) => {
      const { code, answer, warnings } = await run(
        ['search', 'the', '--json', `--cache-dir=${join(folder, `cache-${limitKb}`)}`],
        `trap '' XFSZ; ulimit -f ${limitKb}`,
      )
      expect({ code, answer }).toEqual({ code: 0, answer: expected[0]?.answer })
      expect(warnings).toEqual([expect.stringContaining('cannot be kept on disk')])
    },
  )

  const canMount = spawnSync('unshare', ['-Urm', 'true']).status === 0

  describe.skipIf(!canMount)('on a full disk (skipped where no user may mount one for itself)', () => {
    const inNamespace = (sizeKb: number) =>
      `exec unshare -Urm bash -c 'mount -t tmpfs -o size=${sizeKb}k tmpfs ${disk} && exec "$@"' bash "$@"`

    it.each(SIZES_KB)('is the same answers and one warning, with %d kB', async (sizeKb) => {
      const questions = process.env.FULL_DISKS === 'all' || sizeKb === 500 ? QUESTIONS : QUESTIONS.slice(0, 1)
      for (const [place, question] of questions.entries()) {
        const { code, answer, warnings } = await run(onDisk(question), inNamespace(sizeKb))
        expect({ question, code, answer }).toEqual({ question, code: 0, answer: expected[place]?.answer })
        const told = sizeKb < ENOUGH_KB ? [expect.stringContaining('cannot be kept on disk')] : []
        expect({ question, warnings }).toEqual({ question, warnings: told })
      }
    })

    it('is told by a server on stderr, in health and in doctor, and its answers are whole', async () => {
      const serve = start(onDisk(['serve', '--no-open', '--no-token', '--port=0']), inNamespace(1_000))
      try {
        const [line] = await once(serve.child.stdout, 'data')
        const { port } = JSON.parse(String(line))
        const get = async <Answer>(path: string): Promise<Answer> =>
          (await (await fetch(`http://127.0.0.1:${port}${path}`)).json()) as Answer
        await vi.waitUntil(async () => (await get<Health>('/api/health')).warnings.length > 0, WAIT)
        await vi.waitUntil(async () => (await get<Health>('/api/health')).index.state === 'ready', WAIT)
        const [search, list, usage] = expected.map(({ answer }) => answer)
        const found = await get<SearchResult>('/api/search?q=the')
        expect([found.total, found.hits]).toEqual([search.total, search.hits])
        expect((await get<SessionList>('/api/sessions?kind=all&limit=1000')).sessions).toEqual(list.sessions)
        expect((await get<UsageReport>('/api/usage?by=day')).total).toEqual(usage.total)
        const told = [expect.objectContaining({ code: 'cache-not-kept' })]
        expect((await get<Health>('/api/health')).warnings).toEqual(told)
        expect((await get<Doctor>('/api/doctor')).warnings).toEqual(told)
      } finally {
        serve.child.kill()
        await serve.closed
      }
      expect((await serve.stderr).match(/cannot be kept/g)).toHaveLength(1)
    })
  })
})
