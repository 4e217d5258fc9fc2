import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { healthSchema } from '@gemini-dash/api'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fixtureHome } from '../../test/open-test-server.ts'
import { AGAIN_AFTER_FORCE, expectOwnEnd } from '../../test/own-end.ts'
import { getWith } from '../../test/raw-http.ts'
import type { RunningProgram } from '../../test/run-program.ts'
import { runProgram, startProgram } from '../../test/run-program.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const readySchema = z.strictObject({
  schemaVersion: z.literal(1),
  url: z.string(),
  port: z.number(),
  pid: z.number(),
  version: z.string(),
  homes: z.array(z.string()),
})

const where = (place = folder) => [
  '--home',
  fixtureHome('0.61.0'),
  '--cache-dir',
  join(place, 'cache'),
  '--data-dir',
  join(place, 'data'),
]

interface Dashboard extends RunningProgram {
  ready: z.infer<typeof readySchema>
}

async function startDashboard(...args: string[]): Promise<Dashboard> {
  const program = startProgram(['serve', '--json', '--port', '0', ...where(), ...args])
  return { ...program, ready: readySchema.parse(JSON.parse(await program.firstLine)) }
}

async function signIn({ url, port }: { url: string; port: number }): Promise<string> {
  const answer = await fetch(url, { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/'])
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(cookie).toContain(`gemini-dash-${port}=`)
  return cookie
}

describe('a running dashboard', () => {
  let dashboard: Dashboard
  beforeAll(async () => {
    dashboard = await startDashboard()
  })
  afterAll(async () => {
    dashboard.child.kill('SIGTERM')
    await dashboard.finished
  })

  test('lets in who has the address that it printed', async () => {
    const cookie = await signIn(dashboard.ready)
    const answer = await fetch(`http://127.0.0.1:${dashboard.ready.port}/api/health`, { headers: { cookie } })
    expect(healthSchema.parse(await answer.json()).homes.map(({ path }) => path)).toEqual(
      dashboard.ready.homes,
    )
  })

  test('hands a fresh address to `url`, and only to who may read its data folder', async () => {
    const { code, stdout } = await runProgram(['url', ...where().filter((_, at) => at < 2 || at > 3)])
    expect(code).toBe(0)
    await signIn({ url: stdout.trim(), port: dashboard.ready.port })
    const elsewhere = await runProgram([
      'url',
      '--home',
      fixtureHome('0.61.0'),
      '--data-dir',
      join(folder, 'other'),
    ])
    expect(elsewhere.code).toBe(1)
  })

  test('is found by a second start, which prints its address and ends', async () => {
    const { code, stdout } = await runProgram(['serve', ...where()])
    expect(code).toBe(0)
    expect(stdout).toContain(`http://127.0.0.1:${dashboard.ready.port}/?code=`)
    expect(stdout).toContain('already running')
    const asJson = await runProgram(['serve', '--json', ...where()])
    const { url, ...ready } = readySchema.parse(JSON.parse(asJson.stdout))
    expect([asJson.code, ready]).toEqual([0, { ...dashboard.ready, url: undefined }])
    await signIn({ url, port: ready.port })
  })

  test('R1: listens on 127.0.0.1 only', async () => {
    const refused = connect(dashboard.ready.port, '127.0.0.2')
    const [error] = await once(refused, 'error')
    expect(error.code).toBe('ECONNREFUSED')
  })

  test('R7: prints no secret but the code, and keeps none', async () => {
    const cookie = await signIn({
      url:
        (await runProgram(['url', '--json', ...where().filter((_, at) => at < 2 || at > 3)])).stdout.match(
          /http[^"]+/,
        )?.[0] ?? '',
      port: dashboard.ready.port,
    })
    const secret = cookie.split('=')[1] ?? '?'
    expect(dashboard.printed()).not.toContain(secret)
    const files = readdirSync(join(folder, 'data'), { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    )
    for (const file of files) {
      const path = join(file.parentPath, file.name)
      expect([path, statSync(path).mode & 0o077]).toEqual([path, 0])
      expect(path + readFileSync(path, 'utf8')).not.toContain(secret)
    }
  })
})

describe('the end', AGAIN_AFTER_FORCE, () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s ends it with 0, event streams open',
    async (signal) => {
      const { child, ready, finished, printed } = await startDashboard('--no-cache')
      const cookie = await signIn(ready)
      const streams = await Promise.all(
        Array.from({ length: 10 }, () =>
          fetch(`http://127.0.0.1:${ready.port}/api/events`, { headers: { cookie } }),
        ),
      )
      expect(streams.map(({ status }) => status)).toEqual(Array(10).fill(200))
      const ends = streams.map((stream) => stream.text().catch(() => 'cut'))

      child.kill(signal)
      expect(expectOwnEnd(await finished).stderr).toBe('')
      await Promise.all(ends)
      expect(printed()).not.toContain('Error')
    },
  )

  test('takes back the word that a server is running', async () => {
    const { child, finished } = await startDashboard('--data-dir', join(folder, 'short-lived'))
    const announced = () => readdirSync(join(folder, 'short-lived', 'servers'))
    expect(announced().length).toBe(1)
    child.kill('SIGTERM')
    expectOwnEnd(await finished)
    expect(announced()).toEqual([])
  })
})

/** Makes the serving thread loop forever when `/busy` is requested, and fail outside of any promise chain at `/stray`. */
const SHIM = `
const { Server } = require('node:http')
const { writeFileSync } = require('node:fs')
const { emit } = Server.prototype
Server.prototype.emit = function (event, request, ...rest) {
  if (event === 'request' && request.url === '/busy') {
    writeFileSync(process.env.BUSY_MARK, '')
    for (;;);
  }
  if (event === 'request' && request.url === '/native') {
    writeFileSync(process.env.BUSY_MARK, '')
    require('node:child_process').execSync('sleep 60')
  }
  if (event === 'request' && request.url === '/stray') Promise.reject(new TypeError('a secret of a transcript'))
  return emit.call(this, event, request, ...rest)
}
`

describe('R42: the end, however busy', AGAIN_AFTER_FORCE, () => {
  const NO_TOKEN = 'Without a token, every user and program on this machine can read your sessions.\n'
  let place: string
  let env: Record<string, string>
  beforeEach(() => {
    place = mkdtempSync(join(folder, 'busy-'))
    writeFileSync(join(place, 'shim.js'), SHIM)
    env = { NODE_OPTIONS: `--require ${join(place, 'shim.js')}`, BUSY_MARK: join(place, 'mark') }
  })
  const start = async () => {
    const program = startProgram(['serve', '--json', '--no-token', '--port', '0', ...where(place)], env)
    return { ...program, ready: readySchema.parse(JSON.parse(await program.firstLine)) }
  }
  const makeBusy = async (port: number, path = '/busy') => {
    fetch(`http://127.0.0.1:${port}${path}`).catch(() => {})
    await expect.poll(() => existsSync(join(place, 'mark')), { interval: 20 }).toBe(true)
  }
  const ended = async ({ child, finished }: RunningProgram) => {
    // before the call of `/native` returns by itself
    const end = await Promise.race([finished, setTimeout(30_000, null, { ref: false })])
    child.kill('SIGKILL')
    return end
  }

  test.each([[['SIGTERM']], [['SIGINT']], [['SIGINT', 'SIGINT']]] as const)(
    'B15: %j ends it with 0 while the thread that serves is busy, and leaves nothing behind',
    async (signals) => {
      const program = await start()
      await makeBusy(program.ready.port)
      for (const signal of signals) program.child.kill(signal)
      expect(expectOwnEnd(await ended(program)).stderr).toBe(NO_TOKEN)
      expect(readdirSync(join(place, 'data', 'servers'))).toEqual([])
    },
  )

  test('B15: SIGTERM ends it also while the thread is in a call that nothing can interrupt, by force', async () => {
    const program = await start()
    await makeBusy(program.ready.port, '/native')
    program.child.kill('SIGTERM')
    expect(await ended(program)).toMatchObject({ code: null, signal: 'SIGKILL', stderr: NO_TOKEN })
    expect(readdirSync(join(place, 'data', 'servers'))).toEqual([])
  })

  test('B15: what is kept is as valid as ever', async () => {
    const list = async () => {
      const { code, stdout } = await runProgram(['list', '--json', ...where(place)])
      return { code, sessions: JSON.parse(stdout).sessions }
    }
    const program = await start()
    await makeBusy(program.ready.port)
    program.child.kill('SIGTERM')
    expectOwnEnd(await ended(program))
    const kept = await list()
    rmSync(join(place, 'cache'), { recursive: true })
    expect(kept).toEqual(await list())
  })

  test('R45, B15: what fails where nobody waits is told in one sentence, and the server goes on', async () => {
    const program = await start()
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${program.ready.port}${path}`)).status
    for (let time = 0; time < 3; time++) await ask('/stray')
    expect(await ask('/api/health')).toBe(200)
    program.child.kill('SIGTERM')
    const { stderr } = expectOwnEnd(await program.finished)
    expect(stderr).toMatch(
      /\nA background task failed \(TypeError at .*\)\. The dashboard is still running\.\n$/,
    )
    expect(stderr).not.toContain('secret')
  })
})

test('R62: two servers on one data folder take each its own cookie, and browsers send both', async () => {
  const data = ['--data-dir', join(folder, 'shared')]
  const servers = [await startDashboard(...data), await startDashboard('--new', ...data)]
  try {
    const cookies = await Promise.all(servers.map(({ ready }) => signIn(ready)))
    const statusOf = async (port: number, cookie: string) =>
      (await fetch(`http://127.0.0.1:${port}/api/health`, { headers: { cookie } })).status
    for (const [place, { ready }] of servers.entries()) {
      const [own = '', other = ''] = place === 0 ? cookies : cookies.toReversed()
      expect(await statusOf(ready.port, other)).toBe(403)
      expect(await statusOf(ready.port, `${other}; ${own}`)).toBe(200)
    }
  } finally {
    for (const { child } of servers) child.kill('SIGTERM')
    await Promise.all(servers.map(({ finished }) => finished))
  }
})

describe('ports', () => {
  test('R43: a taken one is passed over, or fails with --strict-port', async () => {
    const first = await startDashboard('--no-cache')
    const port = String(first.ready.port)
    const strict = await runProgram([
      'serve',
      '--no-cache',
      '--strict-port',
      '--port',
      port,
      '--home',
      fixtureHome('0.61.0'),
    ])
    expect([strict.code, strict.stderr.includes(`Port ${port} on 127.0.0.1 is in use.`)]).toEqual([1, true])

    const second = await startDashboard('--no-cache', '--port', port)
    expect(second.ready.port).not.toBe(first.ready.port)
    for (const { child } of [first, second]) child.kill('SIGTERM')
    await Promise.all([first.finished, second.finished])
  })

  test('an address of another machine is told so', async () => {
    const { code, stderr } = await runProgram([
      'serve',
      '--no-cache',
      '--host',
      '192.0.2.1',
      '--home',
      fixtureHome('0.61.0'),
    ])
    expect([code, stderr.includes('192.0.2.1 is not an address of this machine.')]).toEqual([1, true])
  })
})

test('R10: --host on all addresses warns, and answers to the names of this machine only', async () => {
  const { child, ready, printed, finished } = await startDashboard('--no-cache', '--host', '0.0.0.0')
  expect(printed()).toContain('Other machines can reach this server')
  expect((await getWith(ready.port, '/', ['Host: evil.example'])).status).toBe(403)
  await signIn(ready)
  child.kill('SIGTERM')
  await finished
})

test('R28: --no-cache writes nothing, also while serving', AGAIN_AFTER_FORCE, async () => {
  const empty = mkdtempSync(join(folder, 'home-'))
  const env = { HOME: empty, XDG_CACHE_HOME: empty, XDG_DATA_HOME: empty, TMPDIR: empty }
  const program = startProgram(
    ['serve', '--json', '--no-cache', '--port', '0', '--home', fixtureHome('0.61.0')],
    env,
  )
  await signIn(readySchema.parse(JSON.parse(await program.firstLine)))
  program.child.kill('SIGTERM')
  expectOwnEnd(await program.finished)
  expect(readdirSync(empty)).toEqual([])
})
