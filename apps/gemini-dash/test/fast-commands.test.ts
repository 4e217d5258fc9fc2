import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SessionList, sessionListSchema, type UsageReport, usageReportSchema } from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeLargeHome } from '../../../fixtures/large/large-home.ts'
import { runProgram } from './run-program.ts'

// More than is read at once, in files whose modification times are useless: all are current.
const SESSIONS = 60
const BYTES = 24_000_000

let folder: string
let home: string
let whole: SessionList
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
  writeLargeHome({ sessions: SESSIONS, bytes: BYTES, seed: 3, out: folder })
  home = join(folder, 'home')
  goOnWithAnOldSession(0, '2026-06-01T10:00:00.000Z')
  importAnOldSession('2026-05-31T10:00:00.000Z')
  copyAnOldSession('2026-05-30T10:00:00.000Z')
  whole = sessionListSchema.parse(await json('whole', 'list'))
}, 240_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** One of the oldest by its name, the newest by its last message. */
function goOnWithAnOldSession(index: number, timestamp: string): void {
  const [project = ''] = readdirSync(join(home, '.gemini/tmp'))
  const chats = join(home, '.gemini/tmp', project, 'chats')
  const log =
    readdirSync(chats)
      .filter((name) => name.endsWith('.jsonl'))
      .sort()[index] ?? ''
  const record = {
    id: 'resumed',
    timestamp,
    type: 'user',
    content: [{ text: 'Let us go on.' }],
  }
  appendFileSync(join(chats, log), `${JSON.stringify(record)}\n`)
}

/** Like `gemini --session-file`: a new session with the messages of an old one, their ids and tokens, that continues now. */
function importAnOldSession(timestamp: string): void {
  const chats = join(home, '.gemini/tmp', readdirSync(join(home, '.gemini/tmp'))[0] ?? '', 'chats')
  const logs = readdirSync(chats).filter((name) => name.endsWith('.jsonl'))
  const [head = '', ...records] = readFileSync(join(chats, logs.sort()[1] ?? ''), 'utf8').split('\n')
  const own = {
    sessionId: '99999999-0000-4000-8000-000000000000',
    startTime: timestamp,
    lastUpdated: timestamp,
  }
  const more = { id: 'imported', timestamp, type: 'user', content: [{ text: 'Imported.' }] }
  writeFileSync(
    join(chats, 'session-2026-05-31T10-00-99999999.jsonl'),
    [
      JSON.stringify({ ...JSON.parse(head), ...own }),
      ...records.filter(Boolean),
      JSON.stringify(more),
      '',
    ].join('\n'),
  )
}

/** As a script copies one: it begins later than its last time, and the only new record is a prompt without a time and an answer. */
function copyAnOldSession(startTime: string): void {
  const chats = join(home, '.gemini/tmp', readdirSync(join(home, '.gemini/tmp'))[0] ?? '', 'chats')
  const log = readdirSync(chats)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()[2]
  const [head = '', ...records] = readFileSync(join(chats, log ?? ''), 'utf8').split('\n')
  const own = { sessionId: '88888888-0000-4000-8000-000000000000', startTime, lastUpdated: startTime }
  writeFileSync(
    join(chats, 'session-2026-05-30T10-00-88888888.jsonl'),
    [
      JSON.stringify({ ...JSON.parse(head), ...own }),
      ...records.filter(Boolean),
      JSON.stringify({ id: 'asked', type: 'user', content: [{ text: 'Is that all?' }] }),
      '',
    ].join('\n'),
  )
}

/** Makes it the newest, and too large to be read by both the index and the reader. Returns its key. */
function goOnAtLength(text: string): string {
  const session = whole.sessions.find(({ files }) => files[0]?.path.endsWith('.jsonl')) as SessionSummary
  const call = (id: number) => ({
    id: `call-${id}`,
    name: 'run_shell_command',
    args: { command: 'cat log' },
    status: 'success',
    timestamp: '2026-06-03T11:00:00.000Z',
    result: [{ functionResponse: { id: `call-${id}`, response: { output: `${id} `.repeat(200_000) } } }],
  })
  const record = (id: number) => ({
    id: `long-${id}`,
    timestamp: `2026-06-03T11:00:0${id}.000Z`,
    type: 'gemini',
    model: 'gemini-2.5-pro',
    content: id === 5 ? text : 'Read.',
    tokens: { input: 1000 * id, output: 10, cached: 0, thoughts: 0, tool: 0, total: 1000 * id + 10 },
    toolCalls: [call(id)],
  })
  const [file] = session.files
  const lines = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => `${JSON.stringify(record(id))}\n`)
  appendFileSync(join(file?.home ?? '', file?.path ?? ''), lines.join(''))
  return session.key
}

async function json(cache: string, ...args: string[]): Promise<Record<string, unknown>> {
  const where = ['--home', home, '--cache-dir', join(folder, cache), '--data-dir', join(folder, 'data')]
  const { code, stdout, stderr } = await runProgram([...args, '--json', ...where], { TZ: 'UTC' })
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

const isPart = ({ coverage }: Pick<SessionList, 'coverage'>) => coverage.filesDone < coverage.filesTotal / 2

describe('D1: a command that prints few sessions reads few', () => {
  test('list --limit gives the rows of a whole read, and says how much was read', async () => {
    expect(whole.sessions[0]?.endTime).toBe('2026-06-01T10:00:00.000Z')
    expect(whole.coverage.filesDone).toBe(whole.coverage.filesTotal)
    for (let time = 1; time <= 2; time++) {
      const list = sessionListSchema.parse(await json('list', 'list', '--limit', '7'))
      expect(list.sessions).toEqual(whole.sessions.slice(0, 7))
      expect(list.sessions[1]?.copiedFrom?.requests).toBeGreaterThan(0)
      expect(list.total).toBe(whole.total)
      expect(isPart(list)).toBe(true)
      const cursor = list.nextCursor ?? ''
      const next = sessionListSchema.parse(await json('list', 'list', '-n', '3', '--cursor', cursor))
      expect(next.sessions).toEqual(whole.sessions.slice(7, 10))
    }
  })

  test('show reads a session with its sub-agents', async () => {
    const parent = whole.sessions.find(({ subagentKeys }) => subagentKeys.length > 0) as SessionSummary
    for (const name of [parent.sessionId, parent.subagentKeys[0] ?? '']) {
      const shown = await json(`show-${name}`, 'show', name)
      const complete = await json('whole', 'show', name)
      expect(shown.session).toEqual(complete.session)
      expect(shown.messages).toEqual(complete.messages)
      expect(isPart(shown as unknown as SessionList)).toBe(true)
    }
  })

  test('usage --from gives the figures of a whole read', async () => {
    const from = whole.sessions[8]?.startTime ?? ''
    for (const by of ['session', 'tool']) {
      const ask = (cache: string) => json(cache, 'usage', '--by', by, '--from', from)
      const [part, all] = [await ask(`usage-${by}`), await ask('whole')].map((answer) =>
        usageReportSchema.parse(answer),
      ) as [UsageReport, UsageReport]
      expect(part).toEqual({ ...all, coverage: part.coverage })
      expect(part.total.calls).toBeGreaterThan(0)
      expect(part.coverage.filesDone).toBeLessThan(all.coverage.filesTotal)
    }
  })

  test('usage --from reads a copy that begins in the period and has no later message', async () => {
    const ask = (cache: string) => json(cache, 'usage', '--by', 'session', '--from', '2026-05-29')
    const [part, all] = [await ask('usage-copy'), await ask('whole')].map((answer) =>
      usageReportSchema.parse(answer),
    ) as [UsageReport, UsageReport]
    expect(part).toEqual({ ...all, coverage: part.coverage })
    expect(part.coverage.filesDone).toBeLessThan(all.coverage.filesTotal)
  })

  test('what figures or titles decide is read as a whole', async () => {
    const list = sessionListSchema.parse(await json('sorted', 'list', '-n', '2', '--sort', 'cost'))
    expect(list.coverage).toEqual(whole.coverage)
    expect(list.days).toEqual(whole.days)
  })
  test('what was kept of files that were not read counts no more when they have changed', async () => {
    goOnWithAnOldSession(1, '2026-06-02T10:00:00.000Z')
    const [kept, fresh] = [await json('list', 'list', '-n', '7'), await json('after', 'list', '-n', '7')].map(
      (answer) => sessionListSchema.parse(answer).sessions,
    )
    expect(kept?.[0]?.endTime).toBe('2026-06-02T10:00:00.000Z')
    expect(kept).toEqual(fresh)
  })

  test('a long session is read once for its row and for what is printed of it, and found later', async () => {
    const key = goOnAtLength('an unheardofword of a long session')
    const shown = await json('long', 'show', key)
    const complete = await json('long-whole', 'list')
    const { sessions } = sessionListSchema.parse(complete)
    expect(shown.session).toEqual(sessions.find((session) => session.key === key))
    expect(isPart(shown as unknown as SessionList)).toBe(true)
    expect(shown.messages).toEqual((await json('long-whole', 'show', key)).messages)
    // what was read is stored, but its text does not count as indexed
    expect((await json('long', 'list', '-n', '1')).sessions).toEqual([shown.session])
    expect((await json('long', 'search', 'unheardofword')).total).toBe(1)
  })
})
