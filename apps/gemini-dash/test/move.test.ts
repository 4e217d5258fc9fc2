import { createHash } from 'node:crypto'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  type MoveAnswer,
  moveAnswerSchema,
  searchResultSchema,
  sessionListSchema,
  usageReportSchema,
} from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runProgram } from './run-program.ts'

const DAY_MS = 86_400_000
const ID = 'f0f0f0f0-1111-4111-8111-111111111111'
const LOG = 'tmp/shop/chats/session-2026-11-20T10-00-f0f0f0f0.jsonl'
const AGENT = `tmp/shop/chats/${ID}/abcdef.jsonl`
const OUTPUT = `tmp/shop/tool-outputs/session-${ID}/run_1.txt`

let root: string
let home: string
/** Where the project was, which is gone, and where it is. */
let before: string
let now: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'move-')))
  home = join(root, '.gemini')
  before = join(root, 'old', 'shop')
  now = join(root, 'new', 'shop')
  mkdirSync(join(now, 'src'), { recursive: true })
  writeFileSync(join(now, 'src', 'price.js'), '')
  write('tmp/shop/.project_root', before)
  write('tmp/shop-1/.project_root', now)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Written an hour ago. */
function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
  const hourAgo = Date.now() / 1000 - 3600
  utimesSync(join(home, path), hourAgo, hourAgo)
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const head = (sessionId = ID, kind = 'main') => ({
  sessionId,
  projectHash: sha256(before),
  startTime: '2026-11-20T10:00:00.000Z',
  lastUpdated: '2026-11-20T10:09:00.000Z',
  kind,
})
const tokens = { input: 100, output: 10, cached: 0, thoughts: 0, tool: 0, total: 110 }
const readCall = (file: string) => ({
  id: 'read_file_1',
  name: 'read_file',
  args: { absolute_path: file },
  result: [{ functionResponse: { id: 'read_file_1', name: 'read_file', response: { output: 'content' } } }],
  status: 'success',
  timestamp: '2026-11-20T10:01:00.000Z',
})
function rows(texts: readonly string[], id = ID) {
  return texts.map((text, index) => ({
    id: `${id}-${index}`,
    timestamp: `2026-11-20T10:0${index}:00.000Z`,
    ...(index % 2 === 0
      ? { type: 'user', content: [{ text }] }
      : {
          type: 'gemini',
          content: text,
          tokens,
          model: 'gemini-2.5-pro',
          toolCalls: [readCall(join(before, 'src', 'price.js'))],
        }),
  }))
}
const log = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

async function run(...args: string[]) {
  const where = ['--home', home, '--data-dir', join(root, 'data'), '--cache-dir', join(root, 'cache')]
  return runProgram([...args, ...where])
}
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout)
const move = async (...args: string[]): Promise<MoveAnswer> =>
  moveAnswerSchema.parse(await json('move', ...args))
const codes = async (...args: string[]) => (await move(...args)).refused.map(({ code }) => code)
const list = async (...args: string[]) => sessionListSchema.parse(await json('list', ...args)).sessions
const inHome = () =>
  readdirSync(home, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
    .sort()

/** All that lists, usage, search and the session itself say, but where it lies. */
async function told() {
  const rows = await list('--kind', 'all')
  const { messages } = (await json('show', ID)) as { messages: Message[] }
  const usage = usageReportSchema.parse(await json('usage'))
  const { total, sessionTotal } = searchResultSchema.parse(await json('search', 'three'))
  return {
    rows: rows.map(({ key, sessionId, kind, title, startTime, counts, usage: spent, subagentKeys }) => {
      return { key, sessionId, kind, title, startTime, counts, spent, subagentKeys }
    }),
    messages: messages.map(({ source: _, segment: __, ...message }) => message),
    usage: usage.total,
    found: { total, sessionTotal },
  }
}

test('a session is found in the folder that its project moved to, stays one session, and can be taken back', async () => {
  write(
    LOG,
    log(head(), ...rows(['one', 'two', 'three']), { $rewindTo: `${ID}-2` }, ...rows(['one', 'two', 'other'])),
  )
  write(AGENT, log(head('abcdef', 'subagent'), ...rows(['task', 'done'], 'abcdef')))
  write(OUTPUT, 'all of the output')
  write(
    'tmp/shop/logs.json',
    JSON.stringify([
      { sessionId: ID, messageId: 0, type: 'user', message: 'one', timestamp: head().startTime },
    ]),
  )
  const [first, files] = [await told(), inHome()]

  const likely = await move(ID)
  expect(likely.refused.map(({ code }) => code)).toEqual(['no-target'])
  expect(likely.targets).toEqual([
    {
      path: now,
      evidence: [
        { kind: 'files', text: '1 of 1 files that the sessions touched are there.' },
        { kind: 'path-end', text: 'Both paths end in shop.' },
      ],
    },
  ])
  const dry = await move(ID, '--to', now)
  expect([dry.refused, dry.written, dry.to, inHome()]).toEqual([[], null, now, files])
  const done = await move(ID, '--to', now, '--write')
  const own = done.writes.at(-1)?.path ?? ''
  expect(own).toMatch(
    /^tmp\/shop-1\/chats\/session-\d{4}-\d\d-\d\dT\d\d-\d\d-(?!f0f0f0f0)[0-9a-f]{8}\.jsonl$/,
  )
  const copies = [AGENT, OUTPUT].map((path) => path.replace('/shop/', '/shop-1/'))
  expect(done.writes.map(({ path }) => path)).toEqual([...copies, own])
  expect(inHome()).toEqual([...files, ...copies, own].sort())
  const [metadata = '', ...others] = readFileSync(join(home, own), 'utf8').split('\n')
  const { sessionId, startTime, kind, lastUpdated } = head()
  expect(JSON.parse(metadata)).toEqual({
    ...{ sessionId, startTime, kind, lastUpdated },
    projectHash: sha256(now),
    movedFrom: [sha256(before)],
  })
  expect(others.slice(0, -2)).toEqual(readFileSync(join(home, LOG), 'utf8').split('\n').slice(1, -1))

  for (const cache of ['as it was', 'empty']) {
    if (cache === 'empty') rmSync(join(root, 'cache'), { recursive: true })
    expect((await list('--limit', '5')).map(({ project }) => project.path)).toEqual([now])
    expect(await told()).toEqual(first)
    const rows = await list('--kind', 'all')
    // Not when its origin goes.
    expect(Date.parse(rows[0]?.deletedAfter ?? '')).toBeGreaterThan(Date.now() + 29 * DAY_MS)
    expect(new Set(rows.map(({ project }) => project.path))).toEqual(new Set([now]))
    expect(rows.find(({ kind }) => kind === 'main')?.files.map(({ path }) => path)).toEqual([own, LOG])
  }
  expect((await json('resume', ID)).cwd).toBe(now)
  expect(await codes(ID, '--to', now, '--write')).toEqual(['same-project'])

  expect((await run('move', '--undo', done.written ?? '')).code).toBe(0)
  expect(inHome()).toEqual(files)
  expect(await told()).toEqual(first)
  expect((await list()).map(({ project }) => project.path)).toEqual([before])
}, 240_000)

test('all sessions of a project go, or none; what was gone on with since stays, the rest is taken back', async () => {
  const ids = ['11111111-a', '22222222-b']
  for (const id of ids)
    write(
      `tmp/shop/chats/session-2026-11-20T10-00-${id.slice(0, 8)}.jsonl`,
      log(head(id), ...rows(['hello', 'hi'], id)),
    )
  const path = 'tmp/shop/chats/session-2026-11-20T10-00-22222222.jsonl'
  const time = Date.now() / 1000
  utimesSync(join(home, path), time, time)
  const files = inHome()
  expect(await codes('--project', before, '--to', now, '--write')).toEqual(['grew'])
  expect(inHome()).toEqual(files)
  utimesSync(join(home, path), time - 3600, time - 3600)

  const { writes, written, sessions } = await move('--project', before, '--to', now, '--write')
  expect([writes.length, sessions]).toEqual([2, 2])
  expect((await list('--project', now)).map(({ sessionId }) => sessionId).sort()).toEqual(ids)
  const [gone = '', kept = ''] = writes.map((each) => each.path)
  appendFileSync(join(home, kept), `${JSON.stringify(rows(['more'], 'z')[0])}\n`)
  const undone = await run('move', '--undo', written ?? '')
  expect([undone.code, undone.stderr]).toEqual([1, expect.stringContaining(kept)])
  expect(inHome()).toEqual([...files, kept].sort())
  expect(inHome()).not.toContain(gone)
  expect((await list()).map(({ project }) => project.path).sort()).toEqual([now, before])
}, 240_000)

test('what cannot go there is refused with its reason, and nothing is written', async () => {
  write(LOG, log(head(), ...rows(['one', 'two'])))
  const files = inHome()
  expect(await codes(ID, '--to', join(root, 'nowhere'), '--write')).toEqual(['not-a-folder'])
  expect(await codes(ID, '--to', root, '--write')).toEqual(['no-folder'])
  mkdirSync(before, { recursive: true })
  expect(await codes(ID, '--to', before, '--write')).toEqual(['same-project'])
  write(
    'tmp/shop-1/chats/session-2026-11-20T11-00-f0f0f0f0.jsonl',
    log({ ...head(), startTime: '2026-11-20T11:00:00.000Z' }, ...rows(['x', 'y'], 'x')),
  )
  const [{ key } = { key: '' }] = await list('--project', before)
  expect(await codes(key, '--to', now, '--write')).toEqual(['shared-id'])
  expect(inHome().length).toBe(files.length + 1)
  for (const wrong of [
    ['move'],
    ['move', ID, '--project', 'shop'],
    ['move', ID, '--write'],
    ['move', '--undo'],
  ])
    expect([wrong, (await run(...wrong)).code]).toEqual([wrong, 2])
}, 240_000)
