import { appendFileSync, mkdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import {
  type MoveAnswer,
  moveAnswerSchema,
  searchResultSchema,
  sessionListSchema,
  usageReportSchema,
} from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { machineTime } from '../../../fixtures/machine-time.ts'
import { inLines, sha256, useMovedProject } from './quiet-home.ts'

const DAY_MS = 86_400_000
const ID = 'f0f0f0f0-1111-4111-8111-111111111111'
const LOG = 'tmp/shop/chats/session-2026-11-20T10-00-f0f0f0f0.jsonl'
const AGENT = `tmp/shop/chats/${ID}/abcdef.jsonl`
const OUTPUT = `tmp/shop/tool-outputs/session-${ID}/run_1.txt`

const place = useMovedProject()
const { write, run, json, inHome } = place

const head = (sessionId = ID, kind = 'main') => ({
  sessionId,
  projectHash: sha256(place.before),
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
          toolCalls: [readCall(join(place.before, 'src', 'price.js'))],
        }),
  }))
}

const move = async (...args: string[]): Promise<MoveAnswer> =>
  moveAnswerSchema.parse(await json('move', ...args))
const codes = async (...args: string[]) => (await move(...args)).refused.map(({ code }) => code)
const list = async (...args: string[]) => sessionListSchema.parse(await json('list', ...args)).sessions

/** The answers of lists, usage, search and the session itself, except its location. */
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
    inLines(
      head(),
      ...rows(['one', 'two', 'three']),
      { $rewindTo: `${ID}-2` },
      ...rows(['one', 'two', 'other']),
    ),
  )
  write(AGENT, inLines(head('abcdef', 'subagent'), ...rows(['task', 'done'], 'abcdef')))
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
      path: place.now,
      evidence: [
        { kind: 'files', text: '1 of 1 files that the sessions touched are there.' },
        { kind: 'path-end', text: 'Both paths end in shop.' },
      ],
    },
  ])
  const resumed = await run('resume', ID)
  expect([resumed.code, resumed.stderr]).toEqual([
    0,
    expect.stringContaining(`${place.before} doesn’t exist on this computer`),
  ])
  expect(resumed.stderr).toContain(`The project may be in ${place.now} now. 1 of 1 files`)
  expect(resumed.stderr).toMatch(
    new RegExp(
      `To move the session there: gemini-dash move \\S+ --to ${place.now} --write --home ${place.home} `,
    ),
  )
  const dry = await move(ID, '--to', place.now)
  expect([dry.refused, dry.written, dry.to, inHome()]).toEqual([[], null, place.now, files])
  const done = await move(ID, '--to', place.now, '--write')
  const own = done.writes.at(-1)?.path ?? ''
  expect(own).toMatch(
    /^tmp\/shop-1\/chats\/session-\d{4}-\d\d-\d\dT\d\d-\d\d-(?!f0f0f0f0)[0-9a-f]{8}\.jsonl$/,
  )
  const copies = [AGENT, OUTPUT].map((path) => path.replace('/shop/', '/shop-1/'))
  expect(done.writes.map(({ path }) => path)).toEqual([...copies, own])
  expect(inHome()).toEqual([...files, ...copies, own].sort())
  const [metadata = '', ...others] = readFileSync(join(place.home, own), 'utf8').split('\n')
  const { sessionId, startTime, kind, lastUpdated } = head()
  expect(JSON.parse(metadata)).toEqual({
    ...{ sessionId, startTime, kind, lastUpdated },
    projectHash: sha256(place.now),
    movedFrom: [sha256(place.before)],
  })
  expect(others.slice(0, -2)).toEqual(readFileSync(join(place.home, LOG), 'utf8').split('\n').slice(1, -1))

  for (const cache of ['as it was', 'empty']) {
    if (cache === 'empty') rmSync(join(place.root, 'cache'), { recursive: true })
    expect((await list('--limit', '5')).map(({ project }) => project.path)).toEqual([place.now])
    expect(await told()).toEqual(first)
    const rows = await list('--kind', 'all')
    // It is not deleted along with its original.
    expect(Date.parse(rows[0]?.deletedAfter ?? '')).toBeGreaterThan(machineTime().getTime() + 29 * DAY_MS)
    expect(new Set(rows.map(({ project }) => project.path))).toEqual(new Set([place.now]))
    expect(rows.find(({ kind }) => kind === 'main')?.files.map(({ path }) => path)).toEqual([own, LOG])
  }
  expect((await json('resume', ID)).cwd).toBe(place.now)
  expect(await codes(ID, '--to', place.now, '--write')).toEqual(['same-project'])

  expect((await run('move', '--undo', done.written ?? '')).code).toBe(0)
  expect(inHome()).toEqual(files)
  expect(await told()).toEqual(first)
  expect((await list()).map(({ project }) => project.path)).toEqual([place.before])
}, 240_000)

test('all sessions of a project go, or none; what was gone on with since stays, the rest is taken back', async () => {
  const ids = ['11111111-a', '22222222-b']
  for (const id of ids)
    write(
      `tmp/shop/chats/session-2026-11-20T10-00-${id.slice(0, 8)}.jsonl`,
      inLines(head(id), ...rows(['hello', 'hi'], id)),
    )
  const path = 'tmp/shop/chats/session-2026-11-20T10-00-22222222.jsonl'
  const time = machineTime().getTime() / 1000
  utimesSync(join(place.home, path), time, time)
  const files = inHome()
  expect(await codes('--project', place.before, '--to', place.now, '--write')).toEqual(['grew'])
  expect(inHome()).toEqual(files)
  utimesSync(join(place.home, path), time - 3600, time - 3600)

  const { writes, written, sessions } = await move('--project', place.before, '--to', place.now, '--write')
  expect([writes.length, sessions]).toEqual([2, 2])
  expect((await list('--project', place.now)).map(({ sessionId }) => sessionId).sort()).toEqual(ids)
  const [gone = '', kept = ''] = writes.map((each) => each.path)
  appendFileSync(join(place.home, kept), `${JSON.stringify(rows(['more'], 'z')[0])}\n`)
  const undone = await run('move', '--undo', written ?? '')
  expect([undone.code, undone.stderr]).toEqual([1, expect.stringContaining(kept)])
  expect(inHome()).toEqual([...files, kept].sort())
  expect(inHome()).not.toContain(gone)
  expect((await list()).map(({ project }) => project.path).sort()).toEqual([place.now, place.before])
}, 240_000)

test('what cannot go there is refused with its reason, and nothing is written', async () => {
  write(LOG, [head(), ...rows(['one', 'two'])].map((row) => JSON.stringify(row, null, 2)).join('\n'))
  expect(await codes(ID, '--to', place.now, '--write')).toEqual(['other-form'])
  write(LOG, inLines(head(), ...rows(['one', 'two'])))
  const files = inHome()
  expect(await codes(ID, '--to', join(place.root, 'nowhere'), '--write')).toEqual(['not-a-folder'])
  expect(await codes(ID, '--to', place.root, '--write')).toEqual(['no-folder'])
  mkdirSync(place.before, { recursive: true })
  expect(await codes(ID, '--to', place.before, '--write')).toEqual(['same-project'])
  write(
    'tmp/shop-1/chats/session-2026-11-20T11-00-f0f0f0f0.jsonl',
    inLines({ ...head(), startTime: '2026-11-20T11:00:00.000Z' }, ...rows(['x', 'y'], 'x')),
  )
  const [{ key } = { key: '' }] = await list('--project', place.before)
  expect(await codes(key, '--to', place.now, '--write')).toEqual(['shared-id'])
  expect(inHome().length).toBe(files.length + 1)
  for (const wrong of [
    ['move'],
    ['move', ID, '--project', 'shop'],
    ['move', ID, '--write'],
    ['move', '--undo'],
  ])
    expect([wrong, (await run(...wrong)).code]).toEqual([wrong, 2])
}, 240_000)

test('L2: a session or sub-agent in a form that Gemini CLI does not read stays where it is', async () => {
  const utf16 = (...records: object[]) => Buffer.from(`\uFEFF${inLines(...records)}`, 'utf16le')
  const formatted = (...records: object[]) =>
    records.map((record) => `${JSON.stringify(record, null, 2)}\n`).join('')
  const [log, agent] = [
    [head(), ...rows(['one', 'two'])],
    [head('abcdef', 'subagent'), ...rows(['task', 'done'], 'abcdef')],
  ]
  const forms = [
    { as: utf16, told: 'it is written in UTF-16. Save it as UTF-8 first.' },
    { as: formatted, told: 'its records are spread over several lines. Write one record per line first' },
  ]
  for (const { as, told } of forms)
    for (const wrong of [LOG, AGENT]) {
      write(LOG, wrong === LOG ? as(...log) : inLines(...log))
      write(AGENT, wrong === AGENT ? as(...agent) : inLines(...agent))
      const files = inHome()
      const answer = await move(ID, '--to', place.now, '--write')
      expect([answer.refused, answer.written, inHome()]).toEqual([
        [
          {
            code: 'other-form',
            message: expect.stringContaining(`Gemini CLI cannot read ${wrong}: ${told}`),
          },
        ],
        null,
        files,
      ])
    }
}, 240_000)
