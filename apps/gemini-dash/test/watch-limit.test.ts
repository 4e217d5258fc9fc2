import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Doctor, Health, SessionList } from '@gemini-dash/api'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fixtureHome } from './open-test-server.ts'
import { type RunningProgram, startProgram } from './run-program.ts'

/** Longer than the 30 s sweep. */
const WAIT = { timeout: 60_000, interval: 200 }

/** In its own user namespace, which also has its own limits. */
const within = (limit: string) => ['unshare', '-Ur', 'sh', '-c', `${limit} && exec "$@"`, 'sh']
const LIMITS = [
  {
    code: 'ENOSPC',
    limit: 'echo 2 > /proc/sys/user/max_inotify_watches',
    raise: 'fs.inotify.max_user_watches',
  },
  {
    code: 'EMFILE',
    limit: 'echo 0 > /proc/sys/user/max_inotify_instances',
    raise: 'fs.inotify.max_user_instances',
  },
]

describe('a system that lets us watch few folders', () => {
  let folder: string
  let home: string
  let program: RunningProgram | null = null
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gemini-dash-watches-'))
    home = join(folder, '.gemini')
    cpSync(join(fixtureHome('0.61.0'), '.gemini'), home, { recursive: true })
  })
  afterEach(async () => {
    program?.child.kill()
    await program?.finished
    rmSync(folder, { recursive: true })
  })

  it.for(LIMITS)(
    'B5: is told of with what to raise, and changes are seen all the same ($code)',
    async ({ code, limit, raise }, { skip }) => {
      const [command = '', ...args] = [...within(limit), 'true']
      if (spawnSync(command, args).status !== 0)
        skip('no user namespace with limits of its own can be made here')
      const own = ['--home', home, '--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')]
      const serve = ['serve', '--no-open', '--no-token', '--json', '--port', '0', ...own]
      program = startProgram(serve, {}, undefined, within(limit))
      const { port } = JSON.parse(await program.firstLine)
      const get = async <Answer>(path: string): Promise<Answer> =>
        (await (await fetch(`http://127.0.0.1:${port}${path}`)).json()) as Answer
      const warning = {
        code: 'watch-limit',
        message: expect.stringContaining(code),
        advice: expect.stringContaining(raise),
      }
      const health = () => get<Health>('/api/health')
      await vi.waitUntil(async () => (await health()).index.state === 'ready', WAIT)
      await vi.waitUntil(async () => (await health()).warnings.length > 0, WAIT)
      expect((await health()).warnings).toMatchObject([warning])
      expect((await get<Doctor>('/api/doctor')).warnings).toMatchObject([warning])
      expect(program.printed()).not.toMatch(/^\s+at /m)
      // The sweep takes half a minute, and is the same for all limits.
      if (code === 'EMFILE') return

      const [first] = (await get<SessionList>('/api/sessions')).sessions
      const messages = async () =>
        (await get<SessionList>('/api/sessions')).sessions.find(({ key }) => key === first?.key)?.counts
          ?.messages
      const before = (await messages()) ?? 0
      const message = { id: 'late', timestamp: '2026-11-21T23:00:00.000Z', type: 'user', content: 'more' }
      appendFileSync(join(home, first?.files[0]?.path ?? ''), `${JSON.stringify(message)}\n`)
      await vi.waitUntil(async () => (await messages()) === before + 1, WAIT)
    },
  )
})
