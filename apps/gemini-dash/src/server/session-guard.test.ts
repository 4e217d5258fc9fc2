import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestServer } from '../../test/open-test-server.ts'
import { openTestServer } from '../../test/open-test-server.ts'
import type { RawAnswer } from '../../test/raw-http.ts'
import { getWith, rawHttp } from '../../test/raw-http.ts'
import { createAccess } from '../access.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

function get(path: string, headerLines: string[] = []): Promise<RawAnswer> {
  return getWith(server.port, path, [`Host: 127.0.0.1:${server.port}`, ...headerLines])
}

describe('R7: a one-time code', () => {
  test('is exchanged for a cookie that lets the browser in', async () => {
    const answer = await get(`/?code=${server.access.codes.issue()}`)

    expect([answer.status, answer.headers.location]).toEqual([303, '/'])
    const cookie = answer.headers['set-cookie'] ?? ''
    expect(cookie).toMatch(
      new RegExp(`^gemini-dash-${server.port}=[\\w-]{43}; Path=/; Max-Age=\\d+; HttpOnly; SameSite=Strict$`),
    )
    expect((await get('/', [`Cookie: ${cookie.split(';')[0]}`])).status).toBe(200)
  })

  test('works once, also with two requests at a time', async () => {
    const path = `/?code=${server.access.codes.issue()}`
    const answers = await Promise.all([get(path), get(path), get(path)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 403, 403])
    const refused = answers.filter(({ status }) => status === 403)
    expect(refused.map(({ headers }) => headers['set-cookie'])).toEqual([undefined, undefined])
  })

  test.each(['', 'x', '%00', '../../etc/passwd', 'a'.repeat(4000)])(
    'unknown "%s" is refused',
    async (code) => {
      const answer = await get(`/?code=${code}`)
      expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined])
    },
  )

  test('is left as it is by HEAD, with which a chat program looks at a link before it is opened', async () => {
    const path = `/?code=${server.access.codes.issue()}`
    const host = `Host: 127.0.0.1:${server.port}`
    const looked = await rawHttp(server.port, `HEAD ${path} HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`)
    expect([looked.status, looked.headers['set-cookie']]).toEqual([403, undefined])
    expect((await get(path)).status).toBe(303)
  })

  test('is void after ten minutes', () => {
    let time = 0
    const { codes } = createAccess(null, { now: () => time })
    const [early, late] = [codes.issue(), codes.issue()]
    time = 10 * 60_000 - 1
    expect(codes.redeem(early)).toBe(true)
    time = 10 * 60_000
    expect(codes.redeem(late)).toBe(false)
  })

  test('is no cookie, and a cookie is no code', async () => {
    const code = server.access.codes.issue()
    expect((await get('/', [`Cookie: gemini-dash-${server.port}=${code}`])).status).toBe(403)
    expect((await get(`/?code=${server.cookie.split('=')[1]}`)).status).toBe(403)
  })

  test('is taken at no other address', async () => {
    const code = server.access.codes.issue()
    for (const path of ['/search', '/api/health', '/s/x', '/index.html']) {
      expect((await get(`${path}?code=${code}`)).status).toBe(403)
    }
    expect((await get(`/?code=${code}`)).status).toBe(303)
  })
})

describe('without a cookie', () => {
  test.each([
    '/',
    '/p/x',
    '/s/x',
    '/search',
    '/usage',
    '/nowhere',
    '/index.html',
    '/icon.svg',
    '/API/health',
    '//api/health',
  ])('%s is a page that tells how to sign in', async (path) => {
    const answer = await get(path)
    expect(answer.status).toBe(403)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.body).toContain('gemini-dash url')
  })

  test.each([
    '/api/health',
    '/api/sessions',
    '/api/nowhere',
    '/api/events',
    '/assets/page-0123abcd.js',
    '/assets/none.js',
  ])('%s is refused in the one envelope', async (path) => {
    const answer = await get(path)
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([403, 'forbidden'])
  })

  test.each([
    '',
    'x',
    '=',
    `gemini-dash-PORT=`,
    `gemini-dash-PORT=${'0'.repeat(43)}`,
    'gemini-dash-PORT=../x',
    'other=1; ;;',
  ])('the cookie "%s" is none', async (cookie) => {
    const answer = await get('/api/health', [`Cookie: ${cookie.replace('PORT', String(server.port))}`])
    expect(answer.status).toBe(403)
  })

  test('a tab led here by a link asks once more from our own page, which sends the strict cookie', async () => {
    const navigation = ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document']
    const fromLink = await get('/', ['Sec-Fetch-Site: cross-site', ...navigation])
    expect([fromLink.status, fromLink.body.includes('http-equiv="refresh"')]).toEqual([403, true])
    const again = await get('/', ['Sec-Fetch-Site: same-origin', ...navigation])
    expect([again.status, again.body.includes('http-equiv="refresh"')]).toEqual([403, false])
  })
})

describe('the data folder', () => {
  test('holds hashes only, for this user only', () => {
    const secrets = [server.access.codes.issue(), server.cookie.split('=')[1] ?? '']
    const files = readdirSync(server.dataFolder, { recursive: true, withFileTypes: true })
    for (const file of files) {
      const path = join(file.parentPath, file.name)
      expect(statSync(path).mode & 0o777).toBe(file.isFile() ? 0o600 : 0o700)
      const text = `${path}\n${file.isFile() ? readFileSync(path, 'utf8') : ''}`
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    }
    expect(files.filter((file) => file.isFile()).length).toBeGreaterThan(1)
  })

  test('lets a browser in after a restart', () => {
    const cookie = server.cookie.split('=')[1] ?? ''
    expect(createAccess(server.dataFolder).browserSessions.isValid(cookie)).toBe(true)
  })
})

test('with --no-token no cookie is wanted, but the Host still is', async () => {
  const open = await openTestServer({ hasToken: false })
  expect((await getWith(open.port, '/api/health', [`Host: localhost:${open.port}`])).status).toBe(200)
  expect((await getWith(open.port, '/api/health', ['Host: evil.example'])).status).toBe(403)
  // and the settings page can show it
  const settings = await fetch(`http://127.0.0.1:${open.port}/api/settings`)
  expect(await settings.json()).toMatchObject({ signIn: false })
  await open.close()
})
