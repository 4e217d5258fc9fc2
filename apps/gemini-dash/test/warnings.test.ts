import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import {
  type Doctor,
  doctorNotesSchema,
  doctorSchema,
  healthSchema,
  projectListSchema,
  type SessionList,
  sessionListSchema,
} from '@gemini-dash/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { machineTime } from '../../../fixtures/machine-time.ts'
import { openTestServer } from './open-test-server.ts'
import { runProgram } from './run-program.ts'

const DAY_MS = 86_400_000
const iso = (daysAgo: number) => new Date(machineTime().getTime() - daysAgo * DAY_MS).toISOString()

let root: string
let home: string
/** A PATH without a Gemini CLI. */
let env: Record<string, string>
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'gemini-dash-warnings-')))
  home = join(root, '.gemini')
  env = { PATH: dirname(process.execPath), HOME: root, USERPROFILE: root }
  await write('projects.json', JSON.stringify({ projects: { '/home/u/shop': 'shop' } }))
})
afterEach(() => rm(root, { recursive: true }))

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true })
  await writeFile(join(home, path), text)
}

const settings = (value: object) => write('settings.json', JSON.stringify(value))
const retain = (sessionRetention: unknown) => settings({ general: { sessionRetention } })

interface Log {
  daysAgo: number
  /** The ending of the file's name. */
  end: string
  id?: string
  said?: string
  notice?: string
  model?: string
}

/** A log as Gemini CLI writes it: it begins with a context of its own, whether or not there are messages. */
async function writeLog({
  daysAgo,
  end,
  id = end,
  said,
  notice,
  model = 'gemini-2.5-pro',
}: Log): Promise<void> {
  const time = iso(daysAgo)
  const message = (type: string, content: unknown, more: object = {}) => ({
    id: `${end} ${type} ${JSON.stringify(content).length}`,
    timestamp: time,
    type,
    content,
    ...more,
  })
  const context = message('user', [
    { text: '<session_context>\nThis is the Gemini CLI.\n</session_context>' },
  ])
  const tokens = { input: 1_000, output: 50, cached: 0, thoughts: 20, tool: 0, total: 1_070 }
  const records = [
    { sessionId: id, projectHash: 'f'.repeat(64), startTime: time, lastUpdated: time, kind: 'main' },
    { $set: { messages: [context], lastUpdated: time } },
    ...(notice === undefined ? [] : [message('info', notice)]),
    ...(said === undefined
      ? []
      : [message('user', [{ text: said }]), message('gemini', 'An answer.', { model, tokens })]),
  ]
  const name = `session-${time.slice(0, 16).replace(':', '-')}-${end}.jsonl`
  await write(`tmp/shop/chats/${name}`, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
}

const run = (...args: string[]) => runProgram([...args, '--home', home, '--no-cache'], env)
const askDoctor = async (): Promise<Doctor> =>
  doctorSchema.parse(JSON.parse((await run('doctor', '--json')).stdout))
const askList = async (...args: string[]): Promise<SessionList> =>
  sessionListSchema.parse(JSON.parse((await run('list', '--json', ...args)).stdout))

/** The server's answers, each checked against the contract. */
async function onServer<Answer>(
  use: (get: (path: string) => Promise<unknown>) => Promise<Answer>,
): Promise<Answer> {
  const server = await openTestServer({ home })
  try {
    return await use(async (path) => {
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
        headers: { cookie: server.cookie },
      })
      return answer.json()
    })
  } finally {
    await server.close()
  }
}

describe('settings that Gemini CLI does not accept', () => {
  beforeEach(async () => {
    await writeLog({ daysAgo: 400, end: '00000001', said: 'very old' })
    await writeLog({ daysAgo: 80, end: '00000002', said: 'old' })
  })

  it('T6: nothing is deleted, so nothing is foretold, and the setting is named with what to do', async () => {
    await retain({ enabled: true, maxAge: '1Y' })
    const { retention, isWell } = await askDoctor()
    expect(isWell).toBe(true)
    expect(retention).toMatchObject({ enabled: false, expiring: [], atRisk: [] })
    expect(retention.problems).toMatchObject([
      { path: join(home, 'settings.json'), setting: 'general.sessionRetention.maxAge', value: '"1Y"' },
    ])
    const { sessions } = await askList()
    expect(sessions.map(({ deletedAfter }) => deletedAfter)).toEqual([null, null])
    const text = await run('doctor')
    expect([text.code, text.stdout]).toEqual([
      0,
      expect.stringContaining('general.sessionRetention.maxAge is "1Y". Gemini CLI does not accept it'),
    ])
    expect(text.stdout).toContain('such as "365d"')
    expect(text.stdout).not.toMatch(/next start|never deleted/)
    expect((await run('list')).stderr).not.toContain('deleted')
  })

  it('T6: not set, set and set to something else are three states', async () => {
    const due = async () => (await askDoctor()).retention.expiring.length
    expect(await due()).toBe(2)
    await retain({ maxAge: '100d' })
    expect(await due()).toBe(1)
    await retain({ maxAge: '100 days' })
    expect(await due()).toBe(0)
  })

  it('T6: the server says the same', async () => {
    await retain({ enabled: true, maxAge: '90 days' })
    await onServer(async (get) => {
      expect(doctorNotesSchema.parse(await get('/api/doctor/notes')).dueSessions).toBe(0)
      const { retention } = doctorSchema.parse(await get('/api/doctor'))
      expect(retention.problems.map(({ value }) => value)).toEqual(['"90 days"'])
      const { sessions } = sessionListSchema.parse(await get('/api/sessions'))
      expect(sessions.map(({ deletedAfter }) => deletedAfter)).toEqual([null, null])
    })
  })
})

it('M6: maxCount is said, and which sessions it deletes', async () => {
  for (const n of [1, 2, 3, 4]) await writeLog({ daysAgo: n, end: `0000000${n}`, said: `Task ${n}` })
  await retain({ maxCount: 2 })
  const { retention } = await askDoctor()
  expect([retention.maxCount, retention.maxAgeDays]).toEqual([2, 30])
  expect(retention.expiring.map(({ title, cause }) => [title, cause])).toEqual([
    ['Task 4', 'count'],
    ['Task 3', 'count'],
  ])
  const { stdout } = await run('doctor', '--all')
  expect(stdout).toContain('when a project has more than 2 sessions (maxCount), oldest first')
  expect(stdout).toMatch(/"Task 4" is deleted on the next start.*maxCount/)
})

it('a file whose name ends in no id of eight characters is deleted alone', async () => {
  await writeLog({ daysAgo: 2, end: 'a2a-serv', id: 'a2a-server', said: 'the one real question' })
  await writeLog({ daysAgo: 3, end: 'a2a-serv', id: 'a2a-server' })
  const { sessions } = await askList()
  expect(
    sessions.map(({ title, deletedAfter }) => [
      title,
      Date.parse(deletedAfter ?? '') > machineTime().getTime(),
    ]),
  ).toEqual([
    ['the one real question', true],
    ['', false],
  ])
  expect((await askDoctor()).retention).toMatchObject({ expiring: [], atRisk: [] })
})

describe('the version of the rules', () => {
  /** As installed by npm: a link in PATH, to a program that is never run. */
  async function install(version: string): Promise<void> {
    const folder = join(root, 'node/lib/node_modules/@google/gemini-cli')
    await mkdir(join(folder, 'bundle'), { recursive: true })
    await mkdir(join(root, 'node/bin'), { recursive: true })
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: '@google/gemini-cli', version }))
    await writeFile(join(folder, 'bundle/gemini.js'), 'throw new Error("it was run")')
    await symlink(join(folder, 'bundle/gemini.js'), join(root, 'node/bin/gemini'))
    env.PATH = [join(root, 'node/bin'), env.PATH].join(delimiter)
  }

  beforeEach(async () => {
    await writeLog({ daysAgo: 80, end: '00000001', said: 'old' })
    await writeLog({ daysAgo: 90, end: '00000002', said: 'older' })
    await writeLog({ daysAgo: 1, end: '00000003', said: 'new' })
  })

  it('T7: where none is found a warning says whose rules it is by', async () => {
    expect((await run('list')).stderr).toContain(
      'By the rules of Gemini CLI 0.61, 2 of these sessions will be deleted on its next start.',
    )
    expect((await run('doctor')).stdout).toContain(
      'By the rules of Gemini CLI 0.61, 2 sessions will be deleted on its next start\n',
    )
    expect((await run('doctor', '--all')).stdout).toContain(
      'By the rules of Gemini CLI 0.61, sessions are deleted after 30 days',
    )
  })

  it.runIf(process.platform !== 'win32')('T7, T8: a newer one is said, not assumed', async () => {
    await install('0.65.0')
    const { cli } = await askDoctor()
    expect(cli).toEqual({
      known: '0.61.0',
      installed: { version: '0.65.0', path: join(root, 'node/lib/node_modules/@google/gemini-cli') },
      writtenBy: '0.39.0',
      text: expect.stringContaining('This program knows Gemini CLI up to 0.61.0. Yours is newer: 0.65.0.'),
      byRules: 'By the rules of Gemini CLI 0.61.0 (yours is newer: 0.65.0)',
    })
    expect((await run('list')).stderr).toContain(
      'By the rules of Gemini CLI 0.61.0 (yours is newer: 0.65.0), 2 of these sessions will be deleted',
    )
    const { stdout } = await run('doctor')
    expect(stdout).toContain('This program knows Gemini CLI up to 0.61.0. Yours is newer: 0.65.0.')
    expect(stdout).toContain(
      'By the rules of Gemini CLI 0.61.0 (yours is newer: 0.65.0), 2 sessions will be deleted',
    )
  })

  it.runIf(process.platform !== 'win32')(
    'T7: with a version that it was tried with it is simply so',
    async () => {
      await install('0.61.0')
      expect((await run('list')).stderr).toContain(
        'Gemini CLI will delete 2 of these sessions on its next start.',
      )
      expect((await run('doctor')).stdout).not.toContain('By the rules')
      expect((await askDoctor()).cli.text).toContain('Installed is 0.61.0.')
    },
  )

  it('T7: the server says it, too', async () => {
    const health = await onServer(async (get) => healthSchema.parse(await get('/api/health')))
    expect(health.cli.known).toBe('0.61.0')
  })
})

describe('models without a price', () => {
  it('T8: are named with how many tokens they keep out of costs; the exit code stays 0', async () => {
    await writeLog({ daysAgo: 2, end: '00000001', said: 'priced' })
    await writeLog({ daysAgo: 1, end: '00000002', said: 'one', model: 'gemini-4-hydrogen' })
    await writeLog({ daysAgo: 1.1, end: '00000003', said: 'two', model: 'gemini-4-hydrogen' })
    const { unpriced, isWell } = await askDoctor()
    expect([unpriced, isWell]).toEqual([[{ model: 'gemini-4-hydrogen', calls: 2, tokens: 2_140 }], true])
    const { code, stdout } = await run('doctor')
    expect(code).toBe(0)
    expect(stdout).toContain('gemini-4-hydrogen: 2 requests with 2,140 tokens not in any cost')
    const onPage = await onServer(async (get) => doctorSchema.parse(await get('/api/doctor')))
    expect(onPage.unpriced).toEqual(unpriced)
  })

  it('T8: nothing is said where all have one', async () => {
    await writeLog({ daysAgo: 2, end: '00000001', said: 'priced' })
    expect((await askDoctor()).unpriced).toEqual([])
    expect((await run('doctor')).stdout).not.toContain('Without a price')
  })
})

describe('sessions in which nothing was said', () => {
  beforeEach(async () => {
    for (let n = 0; n < 60; n++)
      await writeLog({
        daysAgo: 2 + n / 100,
        end: 'a2a-serv',
        id: 'a2a-server',
        ...(n === 0 && { notice: 'Update!' }),
      })
    await writeLog({ daysAgo: 1, end: '00000001', said: 'the one real question' })
  })

  it('T9: are left out of the text of lists, and said with how they are found', async () => {
    const { stdout, stderr } = await run('list')
    expect(stdout.trim().split('\n')).toHaveLength(2)
    expect(stdout).toContain('the one real question')
    expect(stderr).toContain('1 session; 60 empty sessions not shown (--kind empty)')
    expect(stderr).not.toContain('deleted')
    const empty = await run('list', '--kind', 'empty')
    expect(empty.stdout.trim().split('\n')).toHaveLength(61)
    expect(empty.stderr).toContain('60 sessions')
    expect(empty.stderr).not.toContain('not shown')
  })

  it('T9: the JSON of a list has them as before, with a kind and a count', async () => {
    const all = await askList()
    expect([all.total, all.sessions.length, all.empty]).toEqual([61, 61, 60])
    expect(all.kinds).toEqual([
      { kind: 'main', sessions: 61 },
      { kind: 'empty', sessions: 60 },
    ])
    expect(all.sessions.filter(({ empty }) => empty)).toHaveLength(60)
    const empty = await askList('--kind', 'empty')
    expect([empty.total, empty.sessions.every((session) => session.empty)]).toEqual([60, true])
  })

  it('T9: the server leaves them out when asked', async () => {
    await onServer(async (get) => {
      const list = async (query: string) => sessionListSchema.parse(await get(`/api/sessions?${query}`))
      expect([(await list('')).total, (await list('kind=empty')).total]).toEqual([61, 60])
      const shown = await list('empty=exclude')
      expect([shown.total, shown.empty, shown.days.length]).toEqual([1, 60, 1])
      const { projects } = projectListSchema.parse(await get('/api/projects'))
      expect(projects.map(({ sessions, emptySessions }) => [sessions, emptySessions])).toEqual([[61, 60]])
      expect(doctorNotesSchema.parse(await get('/api/doctor/notes')).dueSessions).toBe(0)
    })
  })

  it('T9: the doctor says it in one line, without a cause that is not known and without alarm', async () => {
    const { empty, retention, isWell } = await askDoctor()
    expect([empty.total, empty.first.length, isWell]).toEqual([60, 20, true])
    expect(retention).toMatchObject({ atRisk: [], expiring: [] })
    const { stdout } = await run('doctor', '--all')
    expect(stdout.match(/60 sessions without messages/g)).toHaveLength(1)
    expect(stdout).not.toMatch(/resume|next start|a2a-serv/)
  })

  it('T9: what was rewound to nothing, cannot be read or was a command alone is not empty', async () => {
    await writeLog({ daysAgo: 1, end: '0000000a', said: 'rewound' })
    const rewound = (await askList()).sessions.find(({ title }) => title === 'rewound')
    await writeFile(
      join(home, rewound?.files[0]?.path ?? ''),
      `${JSON.stringify({ $rewindTo: 'no such message' })}\n`,
      { flag: 'a' },
    )
    await write('tmp/shop/chats/session-2026-11-20T10-00-0000000b.jsonl', '')
    await write(
      'tmp/shop/chats/session-2026-11-20T10-00-0000000c.jsonl',
      '{"sessionId":"c","projectHash":"f"}\n{"to',
    )
    await writeLog({ daysAgo: 1, end: '0000000d', said: '/help' })
    const { sessions } = await askList()
    const of = (end: string) => sessions.find(({ files }) => files[0]?.path.includes(end))
    expect(['0000000a', '0000000b', '0000000c', '0000000d'].map((end) => of(end)?.empty)).toEqual([
      false,
      false,
      false,
      false,
    ])
    expect(of('0000000a')?.buried).toBe(true)
  })

  it('T9: a home of nothing else says so in place of a list', async () => {
    await rm(join(home, 'tmp/shop/chats'), { recursive: true })
    await writeLog({ daysAgo: 1, end: '00000001' })
    expect((await run('list')).stderr).toContain(
      'No other sessions; 1 empty session not shown (--kind empty)',
    )
  })

  it('L5: a home of saved chats says how they are listed', async () => {
    await rm(join(home, 'tmp/shop/chats'), { recursive: true })
    await write('tmp/shop/checkpoint-a.json', '[{"role":"user","parts":[{"text":"Draw a walrus"}]}]')
    expect((await run('list')).stderr).toContain('1 saved chat: gemini-dash list --kind checkpoint')
    expect((await run('list', '--kind', 'checkpoint')).stdout).toMatch(/^a +shop/m)
  })
})

describe('a container that loses sessions', () => {
  it('T14: is said by the doctor, with the source and what to do, and beside an empty list', async () => {
    await settings({ tools: { sandbox: 'docker' } })
    const { sandboxes, isWell } = await askDoctor()
    expect(sandboxes).toMatchObject([{ command: 'docker', source: join(home, 'settings.json') }])
    expect(isWell).toBe(true)
    const doctor = await run('doctor')
    expect([doctor.code, doctor.stdout]).toEqual([
      0,
      expect.stringContaining('runs Gemini CLI in a Docker container'),
    ])
    expect(doctor.stdout).toContain('Set tools.sandbox to false')
    expect((await run('list')).stderr).toContain('runs Gemini CLI in a Docker container')
    const health = await onServer(async (get) => healthSchema.parse(await get('/api/health')))
    expect(health.sandboxes).toEqual(sandboxes)
  })

  it('T14: the variable counts as well, and none is said of where none is set', async () => {
    expect((await askDoctor()).sandboxes).toEqual([])
    env.GEMINI_SANDBOX = 'podman'
    expect((await askDoctor()).sandboxes).toMatchObject([{ command: 'podman', source: 'GEMINI_SANDBOX' }])
  })
})
