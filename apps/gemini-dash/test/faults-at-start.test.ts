import { appendFileSync, cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Health, SearchResult, SessionList, UsageReport } from '@gemini-dash/api'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FAULT_SHIM } from './fault-shim.ts'
import { fixtureHome } from './open-test-server.ts'
import { type RunningProgram, runProgram, startProgram } from './run-program.ts'

const NEW_SESSION = [
  '{"sessionId":"ffffffff-0000-4000-8000-000000000001","projectHash":"00","startTime":"2026-11-22T10:01:00.000Z","lastUpdated":"2026-11-22T10:01:00.000Z","kind":"main"}',
  '{"id":"m1","timestamp":"2026-11-22T10:01:01.000Z","type":"user","content":[{"text":"the only prompt"}]}',
  '',
].join('\n')
const WAIT = { timeout: 30_000, interval: 200 }

describe('a start while the system does not let us look', { timeout: 120_000 }, () => {
  let folder: string
  let home: string
  let env: Record<string, string>
  let own: string[]
  let program: RunningProgram | null = null
  let port = 0

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gemini-dash-starts-'))
    home = join(folder, '.gemini')
    cpSync(join(fixtureHome('0.61.0'), '.gemini'), home, { recursive: true })
    writeFileSync(join(folder, 'shim.cjs'), FAULT_SHIM)
    env = { NODE_OPTIONS: `--require ${join(folder, 'shim.cjs')}`, FAULT_CONTROL: join(folder, 'control') }
    own = ['--home', home, '--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')]
  })
  afterEach(async () => {
    await stop()
    rmSync(folder, { recursive: true })
  })

  const fault = (code: string, part: string, calls: string[]) =>
    writeFileSync(join(folder, 'control'), JSON.stringify({ code, part, calls }))
  const heal = () => rmSync(join(folder, 'control'))

  async function serve() {
    program = startProgram(['serve', '--no-open', '--no-token', '--json', '--port', '0', ...own], env)
    port = JSON.parse(await program.firstLine).port
    await vi.waitUntil(async () => (await get<Health>('/api/health')).index.state === 'ready', WAIT)
  }
  async function stop() {
    program?.child.kill()
    await program?.finished
    program = null
  }
  const get = async <Answer>(path: string): Promise<Answer> =>
    (await (await fetch(`http://127.0.0.1:${port}${path}`)).json()) as Answer
  const list = () => get<SessionList>('/api/sessions?kind=all&tz=UTC')
  const answers = async () => {
    const { sessions, unread } = await list()
    const usage = await get<UsageReport>('/api/usage?tz=UTC')
    const { hits } = await get<SearchResult>('/api/search?q=the&limit=1000')
    return { sessions, unread, usage, hits }
  }
  const isHealed = async () => (await list()).unread === undefined
  /** What a run that sees everything answers. */
  const learn = async () => {
    await serve()
    const whole = await answers()
    await stop()
    return whole
  }
  const told = ({ sessions }: Pick<SessionList, 'sessions'>) =>
    sessions.map(({ key, usage, cost, title, project }) => ({ key, usage, cost, title, project }))

  it('A2: without the disk that holds the sessions shows what was known, and is right when it is back', async () => {
    const whole = await learn()
    const disk = join(home, 'tmp')
    renameSync(disk, join(folder, 'away'))
    // Twice, as what is shown must not be taken for what was seen.
    for (let start = 0; start < 2; start += 1) {
      const listed = await runProgram(['list', '--kind', 'all', '--json', ...own], env)
      expect(listed.code).toBe(3)
      expect(JSON.parse(listed.stdout).unread.reasons.ENOENT).toBeGreaterThan(1)
      await serve()
      const during = await list()
      expect(told(during)).toEqual(told(whole))
      for (const row of during.sessions)
        expect(row).toMatchObject({ unread: { code: 'ENOENT', asOf: expect.any(String) } })
      expect((await get<UsageReport>('/api/usage?tz=UTC')).total).toEqual(whole.usage.total)
      if (start === 0) await stop()
    }
    renameSync(join(folder, 'away'), disk)
    await vi.waitUntil(isHealed, WAIT)
    expect(await answers()).toEqual(whole)
  })

  for (const { code, part } of [
    { code: 'EACCES', part: 'tmp/webshop' },
    { code: 'EIO', part: 'tmp/webshop/chats' },
    { code: 'ESTALE', part: '.gemini/tmp' },
  ]) {
    it(`A2: that cannot list ${part} (${code}) keeps what lies there, marked, and is right afterwards`, async () => {
      const whole = await learn()
      fault(code, part, ['readdir'])
      await serve()
      const during = await list()
      expect(told(during)).toEqual(told(whole))
      const marked = during.sessions.filter(({ unread }) => unread?.code === code)
      const isThere = (row: SessionList['sessions'][number]) => row.files[0]?.path.startsWith('tmp/webshop/')
      expect(marked.map(({ key }) => key)).toEqual(
        during.sessions.filter((row) => isThere(row) || part === '.gemini/tmp').map(({ key }) => key),
      )
      heal()
      await vi.waitUntil(isHealed, WAIT)
      expect(await answers()).toEqual(whole)
    })
  }

  it.each(['EIO', 'EACCES'])(
    'A2: files that first appear while they cannot be opened (%s) are put together as a start would when they can',
    async (code) => {
      await serve()
      const chats = join(home, 'tmp/webshop/chats')
      const before = await list()
      const resumed = before.sessions.find(
        ({ kind, files }) => kind === 'main' && files[0]?.path.endsWith('.jsonl'),
      )
      fault(code, '/chats/', ['open'])
      // Another file of the same session, as a copy that a sync made, and one of a session of its own.
      cpSync(
        join(home, resumed?.files[0]?.path ?? ''),
        join(chats, 'session-2026-11-22T10-00-copied00.jsonl'),
      )
      writeFileSync(join(chats, 'session-2026-11-22T10-01-ffffffff.jsonl'), NEW_SESSION)
      await vi.waitUntil(async () => ((await list()).unread?.files ?? 0) >= 2, WAIT)
      heal()
      const isRead = async () => (await list()).sessions.every(({ indexed }) => indexed === 'full')
      await vi.waitUntil(async () => (await isHealed()) && (await isRead()), WAIT)
      const after = await answers()
      await stop()
      rmSync(join(folder, 'cache'), { recursive: true })
      await serve()
      expect(after).toEqual(await answers())
      expect(after.sessions.length).toBe(before.sessions.length + 1)
    },
  )

  it('A2: that lists a folder whole believes that what is not there is deleted', async () => {
    const whole = await learn()
    const gone = whole.sessions.find(({ files }) => files.length === 1)
    rmSync(join(home, gone?.files[0]?.path ?? ''))
    await serve()
    const { sessions, unread } = await list()
    expect(unread).toBeUndefined()
    expect(sessions.some(({ key }) => key === gone?.key)).toBe(false)
    expect(sessions.length).toBeGreaterThan(whole.sessions.length - 4)
  })

  it.each(['ESTALE', 'ENFILE', 'EBUSY'])(
    'A2: that may not open a changed file (%s) shows it as it was known, and is right afterwards',
    async (code) => {
      const whole = await learn()
      const [first] = whole.sessions
      const path = join(home, first?.files[0]?.path ?? '')
      appendFileSync(path, '\n')
      fault(code, path, ['open'])
      await serve()
      const during = await list()
      expect(during.unread).toEqual({ files: 1, reasons: { [code]: 1 } })
      const row = during.sessions.find(({ key }) => key === first?.key)
      expect(row).toMatchObject({ usage: first?.usage, unread: { code, asOf: first?.endTime } })
      heal()
      await vi.waitUntil(isHealed, WAIT)
      const after = await answers()
      expect(after.usage.total).toEqual(whole.usage.total)
      expect(after.hits.length).toBe(whole.hits.length)
    },
  )
})
