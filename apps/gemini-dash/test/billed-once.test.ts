import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Doctor, SessionDetail, SessionList, UsageReport } from '@gemini-dash/api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestServer, type TestServer } from './open-test-server.ts'
import { runProgram } from './run-program.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-billed-'))
  for (const home of ['h', 'other']) mkdirSync(join(folder, home, '.gemini', 'tmp'), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Each request has a different number of tokens, a power of two, so that every sum shows which of them it includes. */
const tokensOf = (request: number) => 2 ** request
const answer = (request: number) => {
  const input = tokensOf(request)
  const tokens = { input, output: 0, cached: 0, thoughts: 0, tool: 0, total: input }
  const timestamp = `2026-03-01T10:${String(request).padStart(2, '0')}:00.000Z`
  return {
    id: `00000000-0000-4000-8000-${String(request).padStart(12, '0')}`,
    timestamp,
    type: 'gemini',
    content: `answer ${request}`,
    model: 'gemini-2.5-pro',
    tokens,
  }
}

interface Copy {
  home?: string
  project: string
  id: string
  startMinute: number
  requests: number[]
}

function pathOf({ home = 'h', project, id }: Copy): string {
  return join(
    folder,
    home,
    '.gemini',
    'tmp',
    project,
    'chats',
    `session-2026-03-01T10-00-${id.slice(0, 8)}.jsonl`,
  )
}

function write(copy: Copy): string {
  const { project, id, startMinute, requests } = copy
  const startTime = `2026-03-01T10:${String(startMinute).padStart(2, '0')}:00.000Z`
  const head = {
    sessionId: id,
    projectHash: `of ${project}`,
    startTime,
    lastUpdated: startTime,
    kind: 'main',
  }
  const prompt = { id: `prompt-${id}`, timestamp: startTime, type: 'user', content: `prompt of ${id}` }
  const path = pathOf(copy)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(join(dirname(dirname(path)), '.project_root'), `/home/mia/${project}`)
  writeFileSync(
    path,
    [head, prompt, ...requests.map(answer)].map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
  return path
}

/** The original, a copy in another project, a fork that continued, an import under a new id, and a copy in a second home. */
const COPIES: Copy[] = [
  { project: 'shop', id: 'aaaaaaaa-1', startMinute: 0, requests: [1, 2, 3] },
  { project: 'store', id: 'aaaaaaaa-1', startMinute: 0, requests: [1, 2, 3] },
  { project: 'shop', id: 'bbbbbbbb-1', startMinute: 0, requests: [1, 2, 4] },
  { project: 'web', id: 'cccccccc-1', startMinute: 9, requests: [1, 2, 3, 5] },
  { home: 'other', project: 'web', id: 'dddddddd-1', startMinute: 8, requests: [2, 6] },
  { project: 'web', id: 'eeeeeeee-1', startMinute: 1, requests: [7] },
]

const sumOf = (copies: readonly Copy[]) =>
  [...new Set(copies.flatMap(({ requests }) => requests))].reduce(
    (sum, request) => sum + tokensOf(request),
    0,
  )

async function ask<Answer>({ port, cookie }: TestServer, path: string): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } })
  expect([path, response.status]).toEqual([path, 200])
  return (await response.json()) as Answer
}

const commandLine = () => [
  ...['--home', join(folder, 'h'), '--home', join(folder, 'other')],
  ...['--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')],
]
/** Output of a command that succeeds. */
const print = async (...args: string[]) => {
  const { code, stdout, stderr } = await runProgram([...args, ...commandLine()])
  expect([args, code, stderr]).toEqual([args, 0, ''])
  return stdout
}
const usage = async (...args: string[]) => JSON.parse(await print('usage', '--json', ...args)) as UsageReport
const rows = async () => (JSON.parse(await print('list', '--json', '--kind', 'all')) as SessionList).sessions

describe('I3: a request that was billed once counts once', () => {
  test('in whatever projects, forks, imports and homes copies of it are, and whichever of them are deleted', async () => {
    for (const copy of COPIES) write(copy)
    const left = [...COPIES]
    for (const gone of [null, ...COPIES]) {
      if (gone !== null) {
        rmSync(pathOf(gone))
        left.splice(left.indexOf(gone), 1)
      }
      const { total } = await usage()
      expect([gone?.id, total.usage.total, total.usage.calls]).toEqual([
        gone?.id,
        sumOf(left),
        new Set(left.flatMap(({ requests }) => requests)).size,
      ])
    }
  })

  test('and every way of adding up says the same, as does each session and a fresh start', async () => {
    for (const copy of COPIES) write(copy)
    const all = sumOf(COPIES)
    for (const by of ['day', 'model', 'project', 'session', 'hour-of-week']) {
      const { rows, total } = await usage('--by', by)
      expect([by, total.usage.total]).toEqual([by, all])
      expect([by, rows.reduce((sum, row) => sum + (row.usage?.total ?? 0), 0)]).toEqual([by, all])
    }
    const before = await usage('--by', 'session')
    rmSync(join(folder, 'cache'), { recursive: true })
    expect(await usage('--by', 'session')).toEqual(before)
    const sessions = await rows()
    expect(sessions.reduce((sum, row) => sum + (row.usage?.total ?? 0), 0)).toBe(all)
    const byKey = new Map(sessions.map((row) => [row.key, row]))
    const origins = sessions.flatMap(({ copiedFrom, sessionId }) =>
      copiedFrom === null
        ? []
        : [[sessionId, byKey.get(copiedFrom.sessionKey)?.sessionId, copiedFrom.requests]],
    )
    expect(origins.sort()).toEqual([
      ['aaaaaaaa-1', 'aaaaaaaa-1', 3],
      ['bbbbbbbb-1', 'aaaaaaaa-1', 2],
      ['cccccccc-1', 'aaaaaaaa-1', 3],
      ['dddddddd-1', 'aaaaaaaa-1', 1],
    ])
  })

  test('a running server moves the cost to the next copy, and a copy that goes on counts what is new', async () => {
    const [original, copy] = COPIES.slice(0, 2) as [Copy, Copy]
    write(original)
    write(copy)
    const server = await openTestServer({ home: join(folder, 'h'), isWatching: true })
    try {
      const total = async () => (await ask<UsageReport>(server, '/api/usage?by=session')).total.usage.total
      const rows = async () =>
        Object.fromEntries(
          (await ask<SessionList>(server, '/api/sessions')).sessions.map(({ project, usage }) => [
            project.name,
            usage?.total,
          ]),
        )
      expect(await rows()).toEqual({ shop: sumOf([original]), store: 0 })
      appendFileSync(pathOf(copy), `${JSON.stringify(answer(8))}\n`)
      await expect.poll(rows).toEqual({ shop: sumOf([original]), store: tokensOf(8) })
      renameSync(pathOf(original), join(folder, 'away'))
      await expect.poll(rows).toEqual({ store: sumOf([copy]) + tokensOf(8) })
      expect(await total()).toBe(sumOf([copy]) + tokensOf(8))
      const { messages } = await ask<{ messages: { id: string; usage: object | null }[] }>(
        server,
        `/api/sessions/${(await ask<SessionList>(server, '/api/sessions')).sessions[0]?.key}/messages`,
      )
      expect(messages.filter(({ usage }) => usage !== null).length).toBe(4)
    } finally {
      await server.close()
    }
  })

  test('an id that is not random tells that two records are one request only with the same prompt and answer', async () => {
    const turn = (id: string, prompt: string, said: string) => {
      const path = write({ project: 'shop', id, startMinute: 0, requests: [] })
      const asked = {
        ...answer(1),
        id: 'u1',
        type: 'user',
        content: prompt,
        tokens: undefined,
        model: undefined,
      }
      const told = { ...answer(1), id: 'turn_1', content: said }
      appendFileSync(path, `${JSON.stringify(asked)}\n${JSON.stringify(told)}\n`)
    }
    turn('aaaaaaaa-1', 'the prompt', 'Done.')
    turn('bbbbbbbb-1', 'another prompt', 'Done.')
    turn('cccccccc-1', 'the prompt', 'Done, too.')
    turn('dddddddd-1', 'the prompt', 'Done.')
    expect((await usage()).total.usage).toMatchObject({ total: 3 * tokensOf(1), calls: 3 })
  })

  test('requests that have only an id in common are two', async () => {
    write({ project: 'shop', id: 'aaaaaaaa-1', startMinute: 0, requests: [1] })
    const path = write({ project: 'web', id: 'eeeeeeee-1', startMinute: 1, requests: [] })
    const later = { ...answer(1), timestamp: '2026-03-02T10:01:00.000Z' }
    appendFileSync(path, `${JSON.stringify(later)}\n`)
    expect((await usage()).total.usage).toMatchObject({ total: 2 * tokensOf(1), calls: 2 })
  })
})

describe('I3: a copy says what it is', () => {
  const [original, copy, fork, imported, , other] = COPIES as [Copy, Copy, Copy, Copy, Copy, Copy]
  /** The key of each of them, by its project and id. */
  const keys = async () =>
    new Map((await rows()).map(({ key, project, sessionId }) => [`${project.name} ${sessionId}`, key]))

  const originsById = async () =>
    Object.fromEntries((await rows()).map(({ sessionId, copiedFrom }) => [sessionId, copiedFrom]))

  test('show and its JSON name the session that counts its requests', async () => {
    for (const each of [original, copy, fork, other]) write(each)
    const found = await keys()
    const key = found.get('shop aaaaaaaa-1') ?? ''
    const head = (text: string) => text.split('\n\n')[0]
    const shown = async (name: string) => print('show', '--depth', 'all', found.get(name) ?? '')
    const told = await shown('store aaaaaaaa-1')
    expect(head(told)).toContain(`\nCopied from ${key}: 3 of its requests are counted there.`)
    expect(told).toContain(`\n    counted in ${key}`)
    expect(head(await shown('shop bbbbbbbb-1'))).toContain(`Copied from ${key}: 2 of its requests are`)
    expect(await shown('web eeeeeeee-1')).not.toMatch(/copied from|counted in/i)
    const { session } = JSON.parse(await print('show', '--json', found.get('shop bbbbbbbb-1') ?? ''))
    expect(session.copiedFrom).toEqual({ sessionKey: key, requests: 2 })
  })

  test('doctor names copies in one line with the first of them, and nothing is wrong with them', async () => {
    for (const each of [original, other]) write(each)
    const none = JSON.parse(await print('doctor', '--json')) as Doctor
    expect(none.copiedSessions).toEqual([])
    expect(await print('doctor', '--all')).not.toContain('Copied sessions')
    write(fork)
    const found = await keys()
    const key = found.get('shop aaaaaaaa-1')
    const one = await print('doctor', '--all')
    expect(one).toContain('1 session is a copy of another; 2 of its requests are counted there.')
    expect(one).toContain(`${found.get('shop bbbbbbbb-1')} "prompt of bbbbbbbb-1": 2 from ${key}`)
    for (let n = 1; n <= 5; n++) write({ ...copy, project: `copy-${n}` })
    const text = await print('doctor', '--all')
    expect(text).toContain('6 sessions are copies of others; 17 of their requests are counted there.')
    expect(text.match(/^ +\S+ ".*": \d+ from \S+$/gm)).toHaveLength(3)
    expect(text).toContain('... and 3 more')
    const { copiedSessions, isWell } = JSON.parse(await print('doctor', '--json')) as Doctor
    expect(isWell).toBe(true)
    expect(copiedSessions).toHaveLength(6)
    expect(copiedSessions).toContainEqual({
      key: found.get('shop bbbbbbbb-1'),
      title: 'prompt of bbbbbbbb-1',
      from: key,
      requests: 2,
    })
  })

  test('the answer of a session has the rows of all sessions that count its requests', async () => {
    write(original)
    write({ ...other, startMinute: 1, requests: [7] })
    write({ project: 'web', id: 'ffffffff-1', startMinute: 9, requests: [1, 2, 7, 8] })
    const server = await openTestServer({ home: join(folder, 'h') })
    try {
      const { sessions } = await ask<SessionList>(server, '/api/sessions')
      const keyOf = (id: string) => sessions.find(({ sessionId }) => sessionId === id)?.key
      const { session, related } = await ask<SessionDetail>(server, `/api/sessions/${keyOf('ffffffff-1')}`)
      expect(session.copiedFrom).toEqual({ sessionKey: keyOf('aaaaaaaa-1'), requests: 2 })
      expect(related.map(({ title }) => title).sort()).toEqual([
        'prompt of aaaaaaaa-1',
        'prompt of eeeeeeee-1',
      ])
    } finally {
      await server.close()
    }
  })

  test('an original that was deleted and is in the archive counts on, and its copies name it', async () => {
    // a file with the same name elsewhere would count as the original, moved
    for (const each of [original, fork, imported]) write(each)
    await print('keep', 'on')
    const [before, origins] = [await usage('--by', 'session'), await originsById()]
    expect(before.total.usage.total).toBe(sumOf([original, fork, imported]))
    const key = (await keys()).get('shop aaaaaaaa-1') ?? ''
    expect(origins).toEqual({
      'aaaaaaaa-1': null,
      'bbbbbbbb-1': { sessionKey: key, requests: 2 },
      'cccccccc-1': { sessionKey: key, requests: 3 },
    })
    rmSync(pathOf(original))
    for (const cache of ['warm', 'new']) {
      if (cache === 'new') rmSync(join(folder, 'cache'), { recursive: true })
      const gone = (await rows()).filter(({ deletedSeen }) => deletedSeen !== null)
      expect(gone.map((row) => row.key)).toEqual([key])
      expect((await usage('--by', 'session')).rows).toEqual(before.rows)
      expect(await originsById()).toEqual(origins)
    }
    expect(await print('show', (await keys()).get('shop bbbbbbbb-1') ?? '')).toContain(
      `Copied from ${key}: 2 of its requests are counted there.`,
    )
  })
})
