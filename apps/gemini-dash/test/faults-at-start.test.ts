import { appendFileSync, cpSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionList, UsageReport } from '@gemini-dash/api'
import { describe, expect } from 'vitest'
import { type FaultyProgram, it, WAIT } from './faulty-program.ts'

const NEW_SESSION = [
  '{"sessionId":"ffffffff-0000-4000-8000-000000000001","projectHash":"00","startTime":"2026-11-22T10:01:00.000Z","lastUpdated":"2026-11-22T10:01:00.000Z","kind":"main"}',
  '{"id":"m1","timestamp":"2026-11-22T10:01:01.000Z","type":"user","content":[{"text":"the only prompt"}]}',
  '',
].join('\n')

describe('a start while the system does not let us look', () => {
  /** The answers of a run that can read everything. */
  const learn = async (program: FaultyProgram) => {
    await program.serve()
    const whole = await program.answers()
    await program.stop()
    return whole
  }
  const told = ({ sessions }: Pick<SessionList, 'sessions'>) =>
    sessions.map(({ key, usage, cost, title, project }) => ({ key, usage, cost, title, project }))

  it('A2: without the disk that holds the sessions shows what was known, and is right when it is back', async ({
    program,
  }) => {
    const whole = await learn(program)
    const disk = join(program.home, 'tmp')
    renameSync(disk, join(program.folder, 'away'))
    // Twice, as what is shown must not be stored as if it had been read.
    for (let start = 0; start < 2; start += 1) {
      const listed = await program.run(['list', '--kind', 'all', '--json'])
      expect(listed.code).toBe(3)
      expect(JSON.parse(listed.stdout).unread.reasons.ENOENT).toBeGreaterThan(1)
      await program.serve()
      const during = await program.list()
      expect(told(during)).toEqual(told(whole))
      for (const row of during.sessions)
        expect(row).toMatchObject({ unread: { code: 'ENOENT', asOf: expect.any(String) } })
      expect((await program.get<UsageReport>('/api/usage?tz=UTC')).total).toEqual(whole.usage.total)
      if (start === 0) await program.stop()
    }
    renameSync(join(program.folder, 'away'), disk)
    await program.untilHealed()
    expect(await program.answers()).toEqual(whole)
  })

  for (const { code, part } of [
    { code: 'EACCES', part: 'tmp/webshop' },
    { code: 'EIO', part: 'tmp/webshop/chats' },
    { code: 'ESTALE', part: '.gemini/tmp' },
  ]) {
    it(`A2: that cannot list ${part} (${code}) keeps what lies there, marked, and is right afterwards`, async ({
      program,
    }) => {
      const whole = await learn(program)
      program.fault(code, part, ['readdir'])
      await program.serve()
      const during = await program.list()
      expect(told(during)).toEqual(told(whole))
      const marked = during.sessions.filter(({ unread }) => unread?.code === code)
      const isThere = (row: SessionList['sessions'][number]) => row.files[0]?.path.startsWith('tmp/webshop/')
      expect(marked.map(({ key }) => key)).toEqual(
        during.sessions.filter((row) => isThere(row) || part === '.gemini/tmp').map(({ key }) => key),
      )
      program.heal()
      await program.untilHealed()
      expect(await program.answers()).toEqual(whole)
    })
  }

  it.for(['EIO', 'EACCES'])(
    'A2: files that first appear while they cannot be opened (%s) are put together as a start would when they can',
    async (code, { program }) => {
      await program.serve()
      const chats = join(program.home, 'tmp/webshop/chats')
      const before = await program.list()
      const resumed = before.sessions.find(
        ({ kind, files }) => kind === 'main' && files[0]?.path.endsWith('.jsonl'),
      )
      program.fault(code, '/chats/', ['open'])
      // Another file of the same session, like a copy made by a sync tool, and one of another session.
      cpSync(
        join(program.home, resumed?.files[0]?.path ?? ''),
        join(chats, 'session-2026-11-22T10-00-copied00.jsonl'),
      )
      writeFileSync(join(chats, 'session-2026-11-22T10-01-ffffffff.jsonl'), NEW_SESSION)
      await expect.poll(async () => (await program.list()).unread?.files, WAIT).toBeGreaterThanOrEqual(2)
      program.heal()
      const isRead = async () => (await program.list()).sessions.every(({ indexed }) => indexed === 'full')
      await program.untilHealed()
      await expect.poll(isRead, WAIT).toBe(true)
      const after = await program.answers()
      await program.stop()
      program.forgetCache()
      await program.serve()
      expect(after).toEqual(await program.answers())
      expect(after.sessions.length).toBe(before.sessions.length + 1)
    },
  )

  it('A2: that lists a folder whole believes that what is not there is deleted', async ({ program }) => {
    const whole = await learn(program)
    const gone = whole.sessions.find(({ files }) => files.length === 1)
    rmSync(join(program.home, gone?.files[0]?.path ?? ''))
    await program.serve()
    const { sessions, unread } = await program.list()
    expect(unread).toBeUndefined()
    expect(sessions.some(({ key }) => key === gone?.key)).toBe(false)
    expect(sessions.length).toBeGreaterThan(whole.sessions.length - 4)
  })

  it('A2: that may not open a changed file (ESTALE, ENFILE, EBUSY) shows it as it was known, and is right afterwards', async ({
    program,
  }) => {
    const whole = await learn(program)
    const [first] = whole.sessions
    const path = join(program.home, first?.files[0]?.path ?? '')
    for (const code of ['ESTALE', 'ENFILE', 'EBUSY']) {
      appendFileSync(path, '\n')
      program.fault(code, path, ['open'])
      await program.serve()
      const during = await program.list()
      expect(during.unread).toEqual({ files: 1, reasons: { [code]: 1 } })
      const row = during.sessions.find(({ key }) => key === first?.key)
      expect(row).toMatchObject({ usage: first?.usage, unread: { code, asOf: first?.endTime } })
      program.heal()
      await program.untilHealed()
      const after = await program.answers()
      expect(after.usage.total).toEqual(whole.usage.total)
      expect(after.hits.length).toBe(whole.hits.length)
      await program.stop()
    }
  })
})
