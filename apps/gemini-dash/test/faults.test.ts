import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Doctor, Health, ProjectList, SearchResult } from '@gemini-dash/api'
import { describe, expect, inject, vi } from 'vitest'
import { it, WAIT } from './faulty-program.ts'
import { runProgram } from './run-program.ts'

const CHATS = 'tmp/webshop/chats'

describe('files that the system does not let us read for a while', { timeout: 120_000 }, () => {
  it('A2: what cannot be read at the start (EACCES, EMFILE, EIO) is reported, and read once the cause is gone', async ({
    program,
  }) => {
    await program.serve()
    const whole = await program.answers()
    expect(whole.unread).toBeUndefined()
    for (const { code, calls } of [
      { code: 'EACCES', calls: ['open'] },
      { code: 'EMFILE', calls: ['open'] },
      { code: 'EIO', calls: ['read'] },
    ]) {
      await program.stop()
      program.forgetCache()
      program.fault(code, '/chats/session-', calls)
      await program.serve()
      const files = readdirSync(join(program.home, CHATS)).filter((name) =>
        name.startsWith('session-'),
      ).length
      const { sessions, unread } = await program.answers()
      expect(unread).toEqual({ files, reasons: { [code]: files } })
      expect(sessions.find((row) => row.files[0]?.path.includes('/chats/session-'))).toMatchObject({
        unread: { files: 1, code, asOf: null },
      })
      await vi.waitUntil(
        async () =>
          (await program.get<Health>('/api/health')).warnings.some(
            (warning) => warning.code === 'files-unread',
          ),
        WAIT,
      )
      const doctor = await program.get<Doctor>('/api/doctor')
      expect(doctor).toMatchObject({ isWell: false, unread: { files } })

      program.heal()
      await program.untilHealed()
      expect(await program.answers()).toEqual(whole)
      await vi.waitUntil(async () => (await program.get<Health>('/api/health')).warnings.length === 0, WAIT)
    }
  })

  it('S6: projects are the same as after a fresh start once their files can be read again', async ({
    program,
  }) => {
    const chats = join(program.home, 'tmp/unknown/chats')
    mkdirSync(chats, { recursive: true })
    const timestamp = '2026-11-21T20:00:00.000Z'
    const records = [
      { sessionId: 'unknown1', projectHash: 'f'.repeat(64), startTime: timestamp, kind: 'main' },
      ...Array.from({ length: 8 }, (_, n) => ({
        id: `m${n}`,
        timestamp,
        type: 'gemini',
        content: 'word '.repeat(200),
        toolCalls: [{ id: `c${n}`, name: 'read_file', args: { file_path: `/code/found/src/${n}.ts` } }],
      })),
    ]
    const path = join(chats, 'session-2026-11-21T20-00-unknown1.jsonl')
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    const rootOf = async () => {
      const { projects } = await program.get<ProjectList>('/api/projects')
      return projects.find(({ folders }) => folders[0]?.endsWith('/unknown'))?.candidates
    }
    await program.serve()
    const whole = await rootOf()
    expect(whole?.map(({ path }) => path)).toEqual(['/code/found/src'])

    program.fault('EACCES', '/chats/session-', ['open'])
    const copy = path.replace('20-00-unknown1', '21-00-unknown2')
    writeFileSync(copy, readFileSync(path, 'utf8').replace('unknown1', 'unknown2'))
    await vi.waitUntil(async () => (await program.list()).unread !== undefined, WAIT)
    program.heal()
    await program.untilHealed()
    const healed = await rootOf()
    await program.stop()
    program.forgetCache()
    await program.serve()
    expect(healed).toEqual(await rootOf())
    expect(healed).toMatchObject([{ path: '/code/found/src', sessions: 2 }])
  })

  it('A2: what was known of a file stays while it cannot be read, and nothing of it is kept as read', async ({
    program,
  }) => {
    await program.serve()
    const whole = await program.answers()
    const [first] = whole.sessions
    const path = join(program.home, first?.files[0]?.path ?? '')
    program.fault('EIO', path, ['read'])
    writeFileSync(path, `${'\n'}`, { flag: 'a' })
    await vi.waitUntil(async () => (await program.list()).unread?.files === 1, WAIT)
    const during = await program.answers()
    const marked = during.sessions.find(({ key }) => key === first?.key)
    expect(marked).toMatchObject({ usage: first?.usage, unread: { code: 'EIO', asOf: first?.endTime } })
    expect(during.usage.total).toEqual(whole.usage.total)
    expect(during.hits.length).toBe(whole.hits.length)

    await program.stop()
    await program.serve()
    const restarted = (await program.answers()).sessions.find(({ key }) => key === first?.key)
    expect(restarted).toMatchObject({ usage: first?.usage, unread: { code: 'EIO', asOf: first?.endTime } })

    program.heal()
    await program.untilHealed()
    const after = await program.answers()
    expect(after.sessions.map(({ usage }) => usage)).toEqual(whole.sessions.map(({ usage }) => usage))
    expect(after.usage.total).toEqual(whole.usage.total)
  })

  it('A2: sessions in a folder that cannot be listed are not gone', async ({ program }) => {
    await program.serve()
    const whole = await program.answers()
    program.fault('EMFILE', '/webshop/chats', ['readdir'])
    writeFileSync(join(program.home, CHATS, 'session-2026-11-21T22-00-feedface.jsonl'), '{}\n')
    await vi.waitUntil(async () => (await program.list()).unread !== undefined, WAIT)
    const during = await program.answers()
    expect(during.sessions.map(({ key }) => key)).toEqual(whole.sessions.map(({ key }) => key))
    expect(during.sessions.some((row) => row.unread?.code === 'EMFILE')).toBe(true)
    rmSync(join(program.home, CHATS, 'session-2026-11-21T22-00-feedface.jsonl'))
    program.heal()
    await program.untilHealed()
    expect((await program.answers()).sessions).toEqual(whole.sessions)
  })

  it('A2: a fault that a search meets first is told with its answer, and mended', async ({ program }) => {
    await program.serve()
    const searches = ['/api/search?q=the&mode=substring&limit=1000', '/api/search?q=the&limit=1000']
    const search = (path = '') => program.get<SearchResult>(path)
    for (const path of searches) {
      const whole = await search(path)
      expect(whole.unread).toBeUndefined()
      program.fault('EIO', '/chats/session-', ['read'])
      const during = await search(path)
      expect(during.unread?.reasons.EIO).toBeGreaterThan(0)
      expect(during.hits.length).toBeLessThanOrEqual(whole.hits.length)
      program.heal()
      await program.untilHealed()
      expect((await search(path)).hits).toEqual(whole.hits)
    }
  })

  it('commands that could not read files end with 3 after their answer, and say how many', async ({
    program,
  }) => {
    const listed = JSON.parse((await program.run(['list', '--json'])).stdout)
    program.fault('EACCES', '/chats/session-', ['open'])
    program.own.push('--no-cache')
    for (const command of [['list'], ['usage'], ['search', 'the'], ['doctor']]) {
      const { code, stdout, stderr } = await program.run([...command, '--json'])
      expect({ command, code }).toEqual({ command, code: 3 })
      expect(JSON.parse(stdout).unread.reasons.EACCES).toBeGreaterThan(1)
      expect(stderr).toMatch(/\d+ files or folders cannot be read/)
    }
    const session = listed.sessions.find((row: { files: { path: string }[] }) =>
      row.files[0]?.path.includes('/chats/session-'),
    )
    const shown = await program.run(['show', session.sessionId.slice(0, 8), '--json'])
    expect(shown.code).toBe(3)
  })

  it.skipIf(process.platform === 'win32')(
    'A2: files without permission are told to another user, and read when they have it',
    async ({ program }) => {
      const path = join(
        program.home,
        CHATS,
        readdirSync(join(program.home, CHATS)).find((name) => name.endsWith('.jsonl')) ?? '',
      )
      chmodSync(path, 0o000)
      chmodSync(inject('program'), 0o755)
      const nobody = process.getuid?.() === 0 ? 65_534 : undefined
      if (nobody !== undefined) {
        for (const name of ['', ...readdirSync(program.folder, { recursive: true, encoding: 'utf8' })])
          chownSync(join(program.folder, name), nobody, nobody)
      }
      const asOther = { ...program.env, ...(nobody !== undefined && { RUN_AS: String(nobody) }) }
      expect(statSync(path).mode & 0o777).toBe(0)
      const refused = await runProgram(['list', '--json', ...program.own], asOther)
      expect(refused.code).toBe(3)
      expect(JSON.parse(refused.stdout).unread).toEqual({ files: 1, reasons: { EACCES: 1 } })
      chmodSync(path, 0o600)
      const read = await runProgram(['list', '--json', ...program.own], asOther)
      expect({ code: read.code, unread: JSON.parse(read.stdout).unread }).toEqual({ code: 0 })
    },
  )
})
