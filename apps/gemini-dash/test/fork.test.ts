import { readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { forkAnswerSchema, sessionListSchema, usageReportSchema } from '@gemini-dash/api'
import { parseSessionFile } from 'gemini-sessions'
import { beforeEach, expect, test } from 'vitest'
import { machineTime } from '../../../fixtures/machine-time.ts'
import { inLines, sha256, useQuietHome } from './quiet-home.ts'
import { startProgram } from './run-program.ts'

const ID = 'f0f0f0f0-1111-4111-8111-111111111111'
const LOG = 'tmp/shop/chats/session-2026-11-20T10-00-f0f0f0f0.jsonl'
const CONTEXT = row('context', 'user', [
  { text: '<session_context>\nThis is the Gemini CLI.</session_context>' },
])

const place = useQuietHome()
const { write, run, json, inHome } = place
beforeEach(() => write('tmp/shop/.project_root', join(place.root, 'shop')))

function row<Content>(id: string, type: string, content: Content, fields: object = {}) {
  return { id, timestamp: '2026-11-20T10:00:00.000Z', type, content, ...fields }
}
const asked = (id: string, text = `prompt ${id}`) => row(id, 'user', [{ text }])
const said = (id: string, fields: object = {}) =>
  row(id, 'gemini', `answer ${id}`, {
    model: 'gemini-2.5-pro',
    tokens: { input: 1000, output: 100, cached: 0, thoughts: 0, tool: 0, total: 1100 },
    ...fields,
  })
const head = (sessionId = ID, kind = 'main') => ({
  sessionId,
  projectHash: sha256(join(place.root, 'shop')),
  startTime: '2026-11-20T10:00:00.000Z',
  lastUpdated: '2026-11-20T10:09:00.000Z',
  kind,
})

const fork = async (at: number, ...args: string[]) =>
  forkAnswerSchema.parse(await json('fork', ID, '--at', String(at), ...args))
const list = async () => sessionListSchema.parse(await json('list')).sessions

/** Ids of what Gemini CLI loads from a written file. */
function loaded(path: string) {
  const { header, messages, issues } = parseSessionFile({ path, bytes: readFileSync(join(place.home, path)) })
  expect(issues).toEqual([])
  return { header, ids: messages.flatMap(({ id, superseded }) => (superseded === null ? [id] : [])) }
}

/** The contents of a fork before this turn, which is written. */
async function idsBefore(at: number): Promise<string[]> {
  const { writes, refused } = await fork(at, '--write')
  expect(refused).toEqual([])
  return loaded(writes[0]?.path ?? '').ids
}

test('what is told is written as a session of its own, counted once, and can be undone; the original stays', async () => {
  write(
    LOG,
    inLines(head(), CONTEXT, asked('a'), said('A'), asked('b'), said('B'), asked('c'), said('C'), {
      $set: { lastUpdated: '2026-11-20T10:09:00.000Z', summary: 'All of it', directories: ['/more'] },
    }),
  )
  const [before] = await list()
  const spent = async () => {
    const { usage, cost } = usageReportSchema.parse(await json('usage', '--by', 'model')).total
    return { usage, cost }
  }
  const bill = await spent()
  const files = inHome()
  const stamp = () => ({
    text: readFileSync(join(place.home, LOG), 'utf8'),
    ...statSync(join(place.home, LOG)),
  })
  const { atimeMs: _, atime: __, ...untouched } = stamp()

  const dry = await fork(3)
  expect(dry).toMatchObject({ refused: [], written: null, sessionId: null, at: 3, messages: 5 })
  expect([dry.writes.length, inHome()]).toEqual([1, files])
  expect(dry.notes.join(' ')).toContain('is not changed')
  const started = machineTime().getTime()
  const done = await fork(3, '--write')
  const path = done.writes[0]?.path ?? ''
  expect(path).toMatch(/^tmp\/shop\/chats\/session-\d{4}-\d\d-\d\dT\d\d-\d\d-[0-9a-f]{8}\.jsonl$/)
  expect(inHome()).toEqual([...files, path].sort())
  const { header, ids } = loaded(path)
  expect(ids).toEqual(['context', 'a', 'A', 'b', 'B'])
  expect(header).toMatchObject({ sessionId: done.sessionId, projectHash: head().projectHash, kind: 'main' })
  expect([header.summary, header.sessionId === ID]).toEqual([null, false])
  expect(Date.parse(header.lastUpdated ?? '')).toBeGreaterThanOrEqual(started)
  expect(stamp()).toMatchObject(untouched)

  const rows = await list()
  const fresh = rows.find(({ sessionId }) => sessionId === done.sessionId)
  expect(fresh).toMatchObject({ project: { key: before?.project.key }, counts: { prompts: 2 } })
  expect(fresh?.copiedFrom).toEqual({ sessionKey: before?.key, requests: 2 })
  expect(await spent()).toEqual(bill)
  const resume = await run('resume', done.sessionId ?? '')
  expect([resume.code, resume.stdout]).toEqual([
    0,
    expect.stringContaining(`gemini --resume ${done.sessionId}`),
  ])

  const undone = await run('fork', '--undo', done.written ?? '')
  expect([undone.code, undone.stderr, inHome()]).toEqual([0, '', files])
  const text = await run('fork', ID, '--at', '2', '--write')
  expect(text.stdout).toMatch(
    /3 messages[\s\S]*Resume it: gemini-dash resume \S+ --home .*\nUndo: gemini-dash fork --undo \S+ --home /,
  )
})

test('a turn that was rewound, compressed or resumed since has before it what stood there then', async () => {
  const snapshot = row('snap', 'user', '<state_snapshot>All so far</state_snapshot>')
  const partner = row('got', 'gemini', 'Got it. Thanks for the additional context!')
  write(
    LOG,
    inLines(
      head(),
      { $set: { messages: [CONTEXT] } },
      ...[asked('a'), said('A'), asked('b'), said('B')],
      { $rewindTo: 'b' },
      { $set: { messages: [asked('a'), said('A')] } },
      ...[asked('c'), said('C'), asked('d'), said('D')],
      { $set: { messages: [CONTEXT, snapshot, partner, asked('d'), said('D')] } },
      ...[asked('e'), said('E')],
      { $set: { sessionId: ID } },
      { $set: { messages: [CONTEXT, snapshot, partner, asked('d'), said('D'), asked('e'), said('E')] } },
      ...[asked('f'), said('F')],
    ),
  )
  expect(await idsBefore(2)).toEqual(['context', 'a', 'A'])
  expect(await idsBefore(3)).toEqual(['a', 'A'])
  expect(await idsBefore(4)).toEqual(['a', 'A', 'c', 'C'])
  expect(await idsBefore(5)).toEqual(['context', 'snap', 'got', 'd', 'D'])
  expect(await idsBefore(6)).toEqual(['context', 'snap', 'got', 'd', 'D', 'e', 'E'])
})

test('a call without a result is left out and told, one with a result stays, in either of its places', async () => {
  const call = (id: string, fields: object = {}) => ({
    id,
    name: 'glob',
    args: {},
    status: 'success',
    ...fields,
  })
  const result = (id: string) => ({ functionResponse: { id, name: 'glob', response: { output: 'x' } } })
  write(
    LOG,
    inLines(
      head(),
      row('a', 'user', [...CONTEXT.content, { text: 'Look' }]),
      said('A', { toolCalls: [call('1', { result: [result('1')] }), call('2'), call('3')] }),
      row('R', 'user', [result('3')]),
      row('B', 'gemini', [{ functionCall: { id: '4', name: 'glob', args: {} } }]),
      row('C', 'gemini', [{ text: 'Look' }, { functionCall: { id: '5', name: 'glob', args: {} } }]),
      asked('b'),
    ),
  )
  const { writes, notes } = await fork(2, '--write')
  expect(notes.join(' ')).toContain('3 tool calls without a result are left out')
  const lines = readFileSync(join(place.home, writes[0]?.path ?? ''), 'utf8')
    .trim()
    .split('\n')
  const rows = lines.slice(1).map((line) => JSON.parse(line))
  expect(rows.map(({ id }) => id)).toEqual(['a', 'A', 'R', 'C'])
  expect(rows[1].toolCalls.map(({ id }: { id: string }) => id)).toEqual(['1', '3'])
  // an aborted prompt is preceded by the CLI's context, and a resume would leave out both
  expect(rows[0].content).toEqual([{ text: 'Look' }])
  expect(rows[3].content).toEqual([{ text: 'Look' }])
})

test('a document, parts of several files, and torn lines', async () => {
  const older = 'tmp/shop/chats/session-2026-11-20T09-00-f0f0f0f0.json'
  const talk = [asked('a'), said('A'), asked('b'), said('B')]
  write(older, JSON.stringify({ ...head(), messages: talk }, null, 2))
  const first = await fork(2, '--write')
  expect(first.writes[0]?.path).toMatch(/\.json$/)
  expect(loaded(first.writes[0]?.path ?? '').ids).toEqual(['a', 'A'])
  expect((await run('fork', '--undo', first.written ?? '')).code).toBe(0)

  // The form in which a resume by 0.39 continues it: a log with all of it on one line.
  write(
    LOG,
    `${inLines({ ...head(), messages: talk })}{"id":"torn\n${inLines(asked('c'), said('C'), asked('d'))}`,
  )
  expect(await idsBefore(2)).toEqual(['a', 'A'])
  expect(await idsBefore(4)).toEqual(['a', 'A', 'b', 'B', 'c', 'C'])
})

test('sub-agents stay with the session, and have no fork of their own', async () => {
  write(
    LOG,
    inLines(
      head(),
      asked('a'),
      said('A', {
        toolCalls: [
          { id: '1', name: 'invoke_agent', args: {}, status: 'success', result: 'done', agentId: 'abcdef' },
        ],
      }),
      asked('b'),
    ),
  )
  const agent = `tmp/shop/chats/${ID}/abcdef.jsonl`
  write(agent, inLines(head('abcdef', 'subagent'), asked('x'), said('X')))
  const { writes, notes } = await fork(2)
  expect([writes.length, notes.join(' ')]).toEqual([1, expect.stringContaining('Its sub-agents')])
  const refused = await run('fork', 'abcdef', '--at', '1', '--json')
  expect([refused.code, JSON.parse(refused.stdout).refused[0].code]).toEqual([1, 'no-main-session'])
})

test('what cannot be forked is refused with the reason, and nothing is written', async () => {
  write(LOG, inLines(head(), CONTEXT, asked('a'), said('A'), asked('b'), said('B')))
  const files = inHome()
  const failure = async (...args: string[]) => {
    const { code, stderr } = await run('fork', ...args)
    return [code, stderr.split('\n')[0]]
  }
  expect(await failure()).toEqual([2, expect.stringContaining('Which session?')])
  expect(await failure(ID)).toEqual([2, expect.stringContaining('From which turn?')])
  for (const at of ['0', '1.5'])
    expect(await failure(ID, `--at=${at}`)).toEqual([2, expect.stringContaining('is not a turn number')])
  expect(await failure(ID, '--at', '1', '--write')).toEqual([
    1,
    expect.stringContaining('There is nothing to continue before turn 1'),
  ])
  expect(await failure(ID, '--at', '3', '--write')).toEqual([
    1,
    expect.stringContaining('Use one from 2 to 2'),
  ])
  expect(await failure('--undo', 'abc')).toEqual([1, expect.stringContaining('There is no write abc')])
  expect(await failure(ID, '--at', '2', '--write', '--no-cache')).toEqual([
    2,
    expect.stringContaining('--no-cache'),
  ])
  const now = machineTime().getTime() / 1000
  utimesSync(join(place.home, LOG), now, now)
  expect(await failure(ID, '--at', '2', '--write')).toEqual([1, expect.stringContaining('two minutes')])
  const damaged = 'tmp/shop/chats/session-2026-11-20T10-00-0a0a0a0a.json'
  write(
    damaged,
    JSON.stringify(
      { ...head('0a0a0a0a'), messages: [asked('a'), said('A'), asked('b'), said('B')] },
      null,
      2,
    ).slice(0, -20),
  )
  expect(await failure('0a0a0a0a', '--at', '2', '--write')).toEqual([1, expect.stringContaining('damaged')])
  rmSync(join(place.home, damaged))
  utimesSync(join(place.home, LOG), 1_790_000_000, 1_790_000_000)
  rmSync(join(place.home, 'tmp/shop/.project_root'))
  expect(await failure(ID, '--at', '2', '--write')).toEqual([1, expect.stringContaining('Start it once')])
  expect(inHome()).toEqual(files.filter((path) => !path.endsWith('.project_root')))
})

test('a running server does it, and shows it at once', async () => {
  write(LOG, inLines(head(), asked('a'), said('A'), asked('b'), said('B')))
  const own = [
    '--home',
    place.home,
    '--data-dir',
    join(place.root, 'data'),
    '--cache-dir',
    join(place.root, 'cache'),
  ]
  const server = startProgram(['serve', '--json', '--no-token', '--no-open', '--port', '0', ...own])
  const { url } = JSON.parse(await server.firstLine) as { url: string }
  const { sessionId } = await fork(2, '--write')
  const { sessions } = sessionListSchema.parse(await (await fetch(new URL('/api/sessions', url))).json())
  expect(sessions.map((each) => each.sessionId)).toContain(sessionId)
  const other = {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'http://shop.example' },
    body: '{}',
  }
  const foreign = await fetch(new URL(`/api/sessions/${ID}/fork?at=2&write=true`, url), other)
  expect(foreign.status).toBe(403)
  server.child.kill()
  await server.finished
})
