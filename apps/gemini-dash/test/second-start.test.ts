import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { ownIdentity, type ProcessIdentity } from '@gemini-dash/session-index'
import { findHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAccess } from '../src/access.ts'
import { Patience, waitForStart } from '../src/serve/announced-start.ts'
import { announceServer, findRunningServer } from '../src/serve/running-servers.ts'
import { ServerRecords } from '../src/serve/server-records.ts'
import { fixtureHome } from './open-test-server.ts'
import { type RunningProgram, runProgram, startProgram } from './run-program.ts'

const ROUNDS = Number(process.env.START_ROUNDS ?? 4)
const homes = findHomes({ homeArguments: [fixtureHome('0.61.0')], env: {}, userHome: '/nowhere' })

let folder: string
let data: string
let running: RunningProgram[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
  data = join(folder, 'data')
  running = []
})
afterEach(async () => {
  for (const { child } of running) if (child.exitCode === null) child.kill('SIGKILL')
  await Promise.all(running.map(({ finished }) => finished))
  rmSync(folder, { recursive: true, force: true })
})

const where = () => ['--home', fixtureHome('0.61.0'), '--data-dir', data]
const start = (...args: string[]) => {
  const program = startProgram([
    ...args,
    ...where(),
    ...(args[0] === 'serve' ? ['--cache-dir', join(folder, 'cache')] : []),
  ])
  running.push(program)
  return program
}

/** The address printed by a start, without its code. */
function originIn(printed: string): string | undefined {
  return /http:\/\/[\d.:]+/.exec(printed)?.[0]
}

async function firstServer(): Promise<{ program: RunningProgram; origin: string }> {
  const program = start('serve')
  await expect.poll(program.printed).toContain('Ctrl+C')
  return { program, origin: originIn(program.printed()) ?? '' }
}

describe('S10: a second start that prints JSON', () => {
  test('S10: finds the first, whatever port it names, and prints an address that signs in there', async () => {
    const { program, origin } = await firstServer()
    for (const asked of [[], ['--port', '0'], ['--port', '5']]) {
      const { code, stdout, stderr } = await start('serve', '--json', '--no-open', ...asked).finished
      const told = JSON.parse(stdout) as { url: string; pid: number; port: number }
      expect([code, told.pid, told.port]).toEqual([0, program.child.pid, Number(new URL(origin).port)])
      const signIn = await fetch(told.url, { redirect: 'manual' })
      expect([originIn(told.url), signIn.status, signIn.headers.has('set-cookie')]).toEqual([
        origin,
        303,
        true,
      ])
      expect(stderr).toBe(
        asked[1] === '5'
          ? `The dashboard is already running at ${origin}, so port 5 was not opened. Use --new to start another one.\n`
          : '',
      )
    }
  })

  test('S10: serves with --new, and with what the first may not give', async () => {
    const { origin } = await firstServer()
    for (const asked of [['--new'], ['--no-cache'], ['--port', '0', '--strict-port']]) {
      const second = start('serve', '--json', '--no-open', ...asked)
      const told = JSON.parse(await second.firstLine) as { url: string; pid: number }
      expect(told.pid).toBe(second.child.pid)
      expect(originIn(told.url)).not.toBe(origin)
      second.child.kill('SIGTERM')
      const { code, signal, stderr } = await second.finished
      expect([code, signal, stderr]).toEqual([0, null, ''])
    }
  })
})

test('a server ends by itself where other programs leave it no processor', async () => {
  await firstServer()
  const busy = Array.from({ length: 2 * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'const end = Date.now() + 60_000; while (Date.now() < end);'], {
      stdio: 'ignore',
    }),
  )
  try {
    for (let round = 0; round < 3; round++) {
      const { child, firstLine, finished } = start('serve', '--json', '--no-open', '--new')
      await firstLine
      child.kill('SIGTERM')
      const { code, signal } = await finished
      expect([code, signal]).toEqual([0, null])
    }
  } finally {
    for (const each of busy) each.kill('SIGKILL')
  }
})

const recordNames = (kind: string) =>
  readdirSync(join(data, 'servers')).filter((name) => name.endsWith(`.${kind}`))

describe('B4: a first server that does not answer now', () => {
  test('B4: is found by a second start and by `url`, however busy: both wait, and say so', async () => {
    const { program, origin } = await firstServer()
    program.child.kill('SIGSTOP')
    const waiting = [start('serve'), start('url')]
    for (const { printed } of waiting) {
      await expect.poll(printed).toContain('is busy. Waiting for it.')
    }
    program.child.kill('SIGCONT')
    for (const { finished } of waiting) {
      const { code, stdout } = await finished
      expect([code, originIn(stdout)]).toEqual([0, origin])
    }
  })

  test('B4: is not waited for once it was killed: the second start serves', async () => {
    const { program } = await firstServer()
    program.child.kill('SIGSTOP')
    const second = start('serve')
    await expect.poll(second.printed).toContain('is busy. Waiting for it.')
    program.child.kill('SIGKILL')
    await expect.poll(second.printed).toContain('Ctrl+C')
    expect(recordNames('json').length).toBe(1)
  })

  test('B4: is given up in the end, with a sentence that says what to do', async () => {
    const { server, port } = await silentServer()
    try {
      announceServer(data, homes, { ...recordOf(ownIdentity()), port, origin: `http://127.0.0.1:${port}` })
      const notes: string[] = []
      const patience = new Patience((note) => notes.push(note), 1_500)
      await expect(
        findRunningServer({ dataFolder: data, homes, access: createAccess(data), patience }),
      ).rejects.toThrow(
        `The dashboard at http://127.0.0.1:${port} (process ${process.pid}) is running but has not answered`,
      )
      expect(notes).toEqual([
        `The dashboard at http://127.0.0.1:${port} (process ${process.pid}) is busy. Waiting for it.`,
      ])
    } finally {
      server.close()
    }
  })
})

test('B4: of two starts at the same moment exactly one serves, and the other one finds it', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const both = [start('serve'), start('serve')]
    const isThrough = ({ child, printed }: RunningProgram) =>
      child.exitCode !== null || printed().includes('Ctrl+C')
    await expect.poll(() => both.every(isThrough)).toBe(true)
    const serving = both.filter(({ child }) => child.exitCode === null)
    expect(serving.length).toBe(1)
    const [found] = both.filter((program) => !serving.includes(program))
    expect(found?.child.exitCode).toBe(0)
    expect(found?.printed()).toContain('already running')
    expect(originIn(found?.printed() ?? '')).toBe(originIn(serving[0]?.printed() ?? ''))
    serving[0]?.child.kill('SIGTERM')
    await serving[0]?.finished
    expect(readdirSync(join(data, 'servers'))).toEqual([])
  }
})

test('B4: a start that is still under way is waited for by `url`', async () => {
  const file = new ServerRecords(data, homes).write('start', { owner: ownIdentity() })
  const url = start('url')
  await expect.poll(url.printed).toContain('is starting. Waiting for it.')
  rmSync(file)
  expect((await url.finished).code).toBe(1)
  expect(await waitForStart(data, homes, new Patience(() => {}))).toBe(false)
})

describe('B4: a record is not believed', () => {
  test.each<[string, (own: ProcessIdentity) => ProcessIdentity, number]>([
    ['of a process that ended', (own) => ({ ...own, pid: 2 ** 22 - 1 }), 0],
    ['whose number another process has by now', (own) => ({ ...own, began: '1' }), 0],
    ['of another machine, or of an earlier start of this one', (own) => ({ ...own, place: 'elsewhere' }), 1],
  ])('B4: %s', async (_, change, kept) => {
    const { server, port, connections } = await silentServer()
    try {
      const owner = change(ownIdentity())
      const records = new ServerRecords(data, homes)
      records.write('json', { ...recordOf(owner), port, origin: `http://127.0.0.1:${port}` })
      records.write('start', { owner })
      const { program } = await firstServer()
      expect((await start('url').finished).code).toBe(0)
      // The process that has that port now must not receive a secret.
      expect([connections.length, program.printed().includes('waiting')]).toEqual([0, false])
      expect([recordNames('json').length, recordNames('start').length]).toEqual([1 + kept, kept])
    } finally {
      server.close()
    }
  })

  test('B4: that is torn, and what stands there is nobody’s', async () => {
    mkdirSync(join(data, 'servers'), { recursive: true, mode: 0o700 })
    const name = new ServerRecords(data, homes).write('json', recordOf(ownIdentity()))
    writeFileSync(name, '{"owner":')
    const { program } = await firstServer()
    expect(program.printed()).not.toContain('waiting')
  })
})

test('B4: a server of another build is named, and not taken for the one that is wanted', async () => {
  new ServerRecords(data, homes).write('json', recordOf(ownIdentity()))
  const { program } = await firstServer()
  expect(program.printed()).toContain(
    'Another build of gemini-dash (0.0.0) is running for these sessions at http://127.0.0.1:9',
  )
})

test('C20, S8: a server whose data folder was deleted makes no other, and leaves word as soon as there is one', async () => {
  const { origin } = await firstServer()
  const records = new ServerRecords(data, homes)
  records.write('start', recordOf(ownIdentity()))
  rmSync(data, { recursive: true })
  expect(() => records.write('start', recordOf(ownIdentity()))).toThrow('was moved or deleted')
  // longer than the interval between two looks
  await setTimeout(3_000)
  expect(existsSync(data)).toBe(false)
  mkdirSync(data, { mode: 0o700 })
  await expect.poll(async () => originIn((await runProgram(['url', ...where()])).stdout)).toBe(origin)
})

function recordOf(owner: ProcessIdentity) {
  return {
    owner,
    pid: owner.pid,
    port: 9,
    origin: 'http://127.0.0.1:9',
    version: '0.0.0',
    build: 'other',
    homes: homes.map(({ path }) => path),
    cacheDirectory: null,
    userHome: '/nowhere',
  }
}

/** Accepts connections like the system does for a hanging program, but never answers. */
async function silentServer(): Promise<{ server: Server; port: number; connections: Socket[] }> {
  const connections: Socket[] = []
  const server = createServer((socket) => connections.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.on('close', () => undefined)
  return { server: closing(server, connections), port: (server.address() as AddressInfo).port, connections }
}

function closing(server: Server, connections: Socket[]): Server {
  const close = server.close.bind(server)
  server.close = (then) => {
    for (const socket of connections) socket.destroy()
    return close(then)
  }
  return server
}
