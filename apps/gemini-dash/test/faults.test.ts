import {
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Doctor, Health, SearchResult, SessionList, UsageReport } from '@gemini-dash/api'
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { FAULT_SHIM } from './fault-shim.ts'
import { fixtureHome } from './open-test-server.ts'
import { type RunningProgram, runProgram, startProgram } from './run-program.ts'

const WAIT = { timeout: 30_000, interval: 200 }
const CHATS = 'tmp/webshop/chats'

describe('files that the system does not let us read for a while', { timeout: 120_000 }, () => {
  let folder: string
  let home: string
  let env: Record<string, string>
  let own: string[]
  let program: RunningProgram | null = null
  let port = 0

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gemini-dash-faults-'))
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
  const answers = async () => {
    const { sessions, unread } = await get<SessionList>('/api/sessions?kind=all&tz=UTC')
    const usage = await get<UsageReport>('/api/usage?tz=UTC')
    const { hits } = await get<SearchResult>('/api/search?q=the&limit=1000')
    return { sessions, unread, usage, hits }
  }

  for (const { code, calls } of [
    { code: 'EACCES', calls: ['open'] },
    { code: 'EMFILE', calls: ['open'] },
    { code: 'EIO', calls: ['read'] },
  ]) {
    it(`A2: what cannot be read at the start (${code}) is told, and read when the cause has gone`, async () => {
      await serve()
      const whole = await answers()
      expect(whole.unread).toBeUndefined()
      await stop()
      rmSync(join(folder, 'cache'), { recursive: true })

      fault(code, '/chats/session-', calls)
      await serve()
      const files = readdirSync(join(home, CHATS)).filter((name) => name.startsWith('session-')).length
      const { sessions, unread } = await answers()
      expect(unread).toEqual({ files, reasons: { [code]: files } })
      expect(sessions.find((row) => row.files[0]?.path.includes('/chats/session-'))).toMatchObject({
        unread: { files: 1, code, asOf: null },
      })
      await vi.waitUntil(
        async () =>
          (await get<Health>('/api/health')).warnings.some((warning) => warning.code === 'files-unread'),
        WAIT,
      )
      const doctor = await get<Doctor>('/api/doctor')
      expect(doctor).toMatchObject({ isWell: false, unread: { files } })

      heal()
      await vi.waitUntil(async () => (await answers()).unread === undefined, WAIT)
      expect(await answers()).toEqual(whole)
      await vi.waitUntil(async () => (await get<Health>('/api/health')).warnings.length === 0, WAIT)
    })
  }

  it('A2: what was known of a file stays while it cannot be read, and nothing of it is kept as read', async () => {
    await serve()
    const whole = await answers()
    const [first] = whole.sessions
    const path = join(home, first?.files[0]?.path ?? '')
    fault('EIO', path, ['read'])
    writeFileSync(path, `${'\n'}`, { flag: 'a' })
    await vi.waitUntil(async () => (await answers()).unread?.files === 1, WAIT)
    const during = await answers()
    const marked = during.sessions.find(({ key }) => key === first?.key)
    expect(marked).toMatchObject({ usage: first?.usage, unread: { code: 'EIO', asOf: first?.endTime } })
    expect(during.usage.total).toEqual(whole.usage.total)
    expect(during.hits.length).toBe(whole.hits.length)

    await stop()
    await serve()
    const restarted = (await answers()).sessions.find(({ key }) => key === first?.key)
    expect(restarted).toMatchObject({ usage: first?.usage, unread: { code: 'EIO', asOf: first?.endTime } })

    heal()
    await vi.waitUntil(async () => (await answers()).unread === undefined, WAIT)
    const after = await answers()
    expect(after.sessions.map(({ usage }) => usage)).toEqual(whole.sessions.map(({ usage }) => usage))
    expect(after.usage.total).toEqual(whole.usage.total)
  })

  it('A2: sessions in a folder that cannot be listed are not gone', async () => {
    await serve()
    const whole = await answers()
    fault('EMFILE', '/webshop/chats', ['readdir'])
    writeFileSync(join(home, CHATS, 'session-2026-11-21T22-00-feedface.jsonl'), '{}\n')
    await vi.waitUntil(async () => (await answers()).unread !== undefined, WAIT)
    const during = await answers()
    expect(during.sessions.map(({ key }) => key)).toEqual(whole.sessions.map(({ key }) => key))
    expect(during.sessions.some((row) => row.unread?.code === 'EMFILE')).toBe(true)
    rmSync(join(home, CHATS, 'session-2026-11-21T22-00-feedface.jsonl'))
    heal()
    await vi.waitUntil(async () => (await answers()).unread === undefined, WAIT)
    expect((await answers()).sessions).toEqual(whole.sessions)
  })

  it('A2: a fault that a search meets first is told with its answer, and mended', async () => {
    await serve()
    const searches = ['/api/search?q=the&mode=substring&limit=1000', '/api/search?q=the&limit=1000']
    const search = (path = '') => get<SearchResult>(path)
    for (const path of searches) {
      const whole = await search(path)
      expect(whole.unread).toBeUndefined()
      fault('EIO', '/chats/session-', ['read'])
      const during = await search(path)
      expect(during.unread?.reasons.EIO).toBeGreaterThan(0)
      expect(during.hits.length).toBeLessThanOrEqual(whole.hits.length)
      heal()
      await vi.waitUntil(async () => (await answers()).unread === undefined, WAIT)
      expect((await search(path)).hits).toEqual(whole.hits)
    }
  })

  it('A2: other refusals of the system heal, too, one after the other', async () => {
    await serve()
    const whole = await answers()
    const path = join(home, whole.sessions[0]?.files[0]?.path ?? '')
    for (const code of ['ESTALE', 'ENFILE', 'EBUSY']) {
      fault(code, path, ['open'])
      writeFileSync(path, `${'\n'}`, { flag: 'a' })
      await vi.waitUntil(async () => (await answers()).unread?.reasons[code] === 1, WAIT)
      heal()
      await vi.waitUntil(async () => (await answers()).unread === undefined, WAIT)
      expect((await answers()).usage.total).toEqual(whole.usage.total)
    }
  })

  it('commands that could not read files end with 3 after their answer, and say how many', async () => {
    const listed = JSON.parse((await runProgram(['list', '--json', ...own], env)).stdout)
    fault('EACCES', '/chats/session-', ['open'])
    own.push('--no-cache')
    for (const command of [['list'], ['usage'], ['search', 'the'], ['doctor']]) {
      const { code, stdout, stderr } = await runProgram([...command, '--json', ...own], env)
      expect({ command, code }).toEqual({ command, code: 3 })
      expect(JSON.parse(stdout).unread.reasons.EACCES).toBeGreaterThan(1)
      expect(stderr).toMatch(/\d+ files or folders cannot be read/)
    }
    const session = listed.sessions.find((row: { files: { path: string }[] }) =>
      row.files[0]?.path.includes('/chats/session-'),
    )
    const shown = await runProgram(['show', session.sessionId.slice(0, 8), '--json', ...own], env)
    expect(shown.code).toBe(3)
  })

  it.skipIf(process.platform === 'win32')(
    'A2: files without permission are told to another user, and read when they have it',
    async () => {
      const path = join(
        home,
        CHATS,
        readdirSync(join(home, CHATS)).find((name) => name.endsWith('.jsonl')) ?? '',
      )
      chmodSync(path, 0o000)
      chmodSync(inject('program'), 0o755)
      const nobody = process.getuid?.() === 0 ? 65_534 : undefined
      if (nobody !== undefined) {
        for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
          chownSync(join(folder, name), nobody, nobody)
      }
      const asOther = { ...env, ...(nobody !== undefined && { RUN_AS: String(nobody) }) }
      expect(statSync(path).mode & 0o777).toBe(0)
      const refused = await runProgram(['list', '--json', ...own], asOther)
      expect(refused.code).toBe(3)
      expect(JSON.parse(refused.stdout).unread).toEqual({ files: 1, reasons: { EACCES: 1 } })
      chmodSync(path, 0o600)
      const read = await runProgram(['list', '--json', ...own], asOther)
      expect({ code: read.code, unread: JSON.parse(read.stdout).unread }).toEqual({ code: 0 })
    },
  )
})
