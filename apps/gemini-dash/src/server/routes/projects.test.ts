import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  apiErrorSchema,
  apiPaths,
  folderSearchSchema,
  foldersSearchSchema,
  type LiveEvent,
  sessionQuerySchema,
} from '@gemini-dash/api'
import { type Project, projectSchema } from 'gemini-sessions'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestServer } from '../../../test/open-test-server.ts'
import { fixtureHome, openTestServer } from '../../../test/open-test-server.ts'
import { rawHttp } from '../../../test/raw-http.ts'

const HASH_FOLDER = '450d86cb5b07752d114c216beb33b401a17ea4f3e76f389aed7a81e5c3e0d271'

let root: string
let server: TestServer
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'gemini-dash-projects-'))
  const home = join(root, 'home')
  cpSync(join(fixtureHome('0.61.0'), '.gemini'), join(home, '.gemini'), { recursive: true })
  // An unnamed project: its folder is named by the hash of a path that no session mentions.
  const lost = join(home, 'code/lost')
  mkdirSync(lost, { recursive: true })
  const source = join(fixtureHome('0.4.1'), '.gemini/tmp', HASH_FOLDER)
  for (const path of [lost, join(home, 'code/back'), join(home, 'code/gone')])
    cpSync(source, join(home, '.gemini/tmp', sha256(path)), { recursive: true })
  server = await openTestServer({ home })
})
afterAll(async () => {
  await server.close()
  rmSync(root, { recursive: true, force: true })
})

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const projects = () => server.store.projects().projects
const named = (): Project => find(({ folders }) => folders.some((folder) => folder.endsWith('/webshop')))
const lost = (): Project =>
  find(({ folders }) => folders.some((folder) => folder.endsWith(sha256(lostPath()))))
const lostPath = () => join(root, 'home/code/lost')

function find(isIt: (project: Project) => boolean): Project {
  const project = projects().find(isIt)
  if (project === undefined) throw new Error('no such project')
  return project
}

async function send(method: string, path: string, body: unknown) {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: { cookie: server.cookie, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const { schemaVersion: _, ...answered } = (await answer.json()) as { schemaVersion?: number }
  return { status: answer.status, body: answered }
}

const change = (body: unknown, key = named().key) => send('PUT', apiPaths.project(key), body)

describe('the name and the path that the user gives', () => {
  beforeEach(async () => {
    await change({ name: null, path: null })
  })

  test('are answered, shown in every list, found by, and told to open pages', async () => {
    const events: LiveEvent[] = []
    const unsubscribe = server.store.subscribe((event) => events.push(event))
    const { status, body } = await change({ name: '  Shop of Mia ' })
    unsubscribe()
    expect(status).toBe(200)
    expect(projectSchema.parse(body)).toMatchObject({ name: 'Shop of Mia', nameSource: 'user' })
    expect(events).toContainEqual({ kind: 'projects', projectKey: named().key })
    const { sessions } = await server.store.sessions({
      kind: 'all',
      sort: 'recent',
      limit: 10,
      project: 'shop of mia',
    })
    expect(sessions.length).toBeGreaterThan(0)
    expect(new Set(sessions.map(({ project }) => project.name))).toEqual(new Set(['Shop of Mia']))
  })

  test('can be taken back', async () => {
    await change({ name: 'Shop', path: '/elsewhere/shop' })
    expect(named()).toMatchObject({ name: 'Shop', path: '/elsewhere/shop', pathSource: 'user' })
    await change({ name: null, path: null })
    expect(named()).toMatchObject({ name: 'webshop', nameSource: 'path', path: '/tmp/demo/webshop' })
  })

  test('a path is proven by its hash, or else taken as it is and marked so', async () => {
    const { key } = lost()
    const wrong = await change({ path: '/code/somewhere/' }, key)
    expect(wrong.body).toMatchObject({ path: '/code/somewhere', pathSource: 'user', name: 'somewhere' })
    expect(projectSchema.parse(wrong.body).candidates[0]).toMatchObject({ evidence: 'user', verified: false })
    const right = await change({ path: `${lostPath()}/` }, key)
    expect(projectSchema.parse(right.body)).toMatchObject({
      path: lostPath(),
      candidates: [{ path: lostPath(), evidence: 'user', verified: true }],
    })
    await change({ path: null }, key)
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(10_000) }, 'name'],
    [{ name: 'line\nbreak' }, 'name'],
    [{ name: 'turned \u202Eround' }, 'name'],
    [{ name: '\u0007bell' }, 'name'],
    [{ name: '\uD800' }, 'name'],
    [{ name: 7 }, 'name'],
    [{ path: 'relative/path' }, 'path'],
    [{ path: `/${'x'.repeat(5000)}` }, 'path'],
    [{ path: '/code/\0' }, 'path'],
  ])('%j is refused, and says which field', async (body, field) => {
    const answer = await change(body)
    expect(answer.status).toBe(400)
    expect(apiErrorSchema.parse(answer.body).error.message).toMatch(new RegExp(`^${field}: `))
    expect(named().name).toBe('webshop')
  })

  test.each([{ colour: 'red' }, [], null, '"text"', '{', '{"__proto__":{"name":"x"}}'])(
    'a body that is no change is refused: %j',
    async (body) => {
      expect((await change(body)).status).toBe(400)
      expect(named().name).toBe('webshop')
    },
  )

  test.each(['nowhere', '__proto__', 'constructor', '..%2f..', '%00'])(
    'there is no project "%s"',
    async (key) => {
      const answer = await send('PUT', `/api/projects/${key}`, { name: 'x' })
      expect([answer.status, apiErrorSchema.parse(answer.body).error.code]).toEqual([404, 'not-found'])
    },
  )
})

describe('looking for a folder', () => {
  test('finds the project of a hash, says where it looked, and remembers', async () => {
    const before = lost()
    expect(before).toMatchObject({ path: null, nameSource: 'hash' })
    const { status, body } = await send('POST', apiPaths.folderSearch(before.key), {})
    expect(status).toBe(200)
    const search = folderSearchSchema.parse(body)
    expect(search).toMatchObject({ path: lostPath(), looked: { end: 'all' } })
    expect(search.project).toMatchObject({
      key: before.key,
      name: 'lost',
      pathSource: 'hash',
      candidates: [{ evidence: 'search', verified: true }],
    })
    expect(search.looked.places).toContain(join(root, 'home/code'))
    expect(lost().path).toBe(lostPath())
  })

  test('C10: a project of which only a hash is known says what it is about, and all such are looked for at once', async () => {
    const called = (name: string) =>
      find(({ folders }) => folders.some((folder) => folder.endsWith(sha256(join(root, 'home/code', name)))))
    const { title } = (await server.store.sessions(sessionQuerySchema.parse({ project: called('gone').key })))
      .sessions[0] ?? { title: '' }
    expect(title).not.toBe('')
    expect([called('back').about, called('gone').about, named().about]).toEqual([title, title, null])

    mkdirSync(join(root, 'home/code/back'))
    const { status, body } = await send('POST', apiPaths.foldersSearch(), {})
    expect(status).toBe(200)
    const looked = { end: 'all', places: expect.arrayContaining([join(root, 'home/code')]) }
    const wanted = projects().filter(({ path }) => path === null).length + 1
    expect(foldersSearchSchema.parse(body)).toMatchObject({ wanted, found: 1, looked })
    expect(called('back')).toMatchObject({ name: 'back', about: null, path: join(root, 'home/code/back') })
    expect(called('gone').path).toBeNull()
  })

  test('for a project that is not there is not found', async () => {
    expect((await send('POST', apiPaths.folderSearch('nowhere'), {})).status).toBe(404)
  })
})

describe('R9: a change from elsewhere', () => {
  const request = (lines: string[], body = '{"name":"stolen"}') =>
    rawHttp(
      server.port,
      [
        `PUT ${apiPaths.project(named().key)} HTTP/1.1`,
        ...lines,
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    )
  const host = () => `Host: localhost:${server.port}`
  const cookie = () => `Cookie: ${server.cookie}`
  const JSON_TYPE = 'Content-Type: application/json'

  test('is refused: without a cookie, from another site, as a form or as text', async () => {
    const answers = await Promise.all([
      request([host(), JSON_TYPE]),
      request([host(), cookie(), JSON_TYPE, 'Origin: http://evil.example']),
      request([host(), cookie(), JSON_TYPE, 'Origin: null']),
      request([host(), cookie(), JSON_TYPE, 'Sec-Fetch-Site: cross-site']),
      request([host(), cookie(), JSON_TYPE, 'Sec-Fetch-Site: same-site']),
      request(['Host: evil.example', cookie(), JSON_TYPE]),
      request([host(), cookie(), 'Content-Type: text/plain']),
      request([host(), cookie(), 'Content-Type: application/x-www-form-urlencoded']),
      request([host(), cookie()]),
    ])
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403, 415, 415, 415])
    expect(named().name).toBe('webshop')
  })

  test('is refused over 64 KB, whether it says so or not', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(70_000) })
    expect((await request([host(), cookie(), JSON_TYPE], large)).status).toBe(413)
    const chunked = await rawHttp(
      server.port,
      [
        `PUT ${apiPaths.project(named().key)} HTTP/1.1`,
        host(),
        cookie(),
        JSON_TYPE,
        'Transfer-Encoding: chunked',
        'Connection: close',
        '',
        large.length.toString(16),
        large,
        '0',
        '',
        '',
      ].join('\r\n'),
    )
    expect(chunked.status).toBe(413)
  })

  test('by another method than the route’s own is not allowed', async () => {
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      expect((await send(method, apiPaths.project(named().key), {})).status).toBe(405)
    }
    const answer = await fetch(`http://127.0.0.1:${server.port}${apiPaths.project(named().key)}`, {
      headers: { cookie: server.cookie },
    })
    expect(answer.status).toBe(404)
  })
})
