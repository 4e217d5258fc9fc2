import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestServer } from '../../test/open-test-server.ts'
import { openTestServer } from '../../test/open-test-server.ts'
import { getWith, rawHttp } from '../../test/raw-http.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

const PATHS = [
  '/',
  '/index.html',
  '/assets/page-0123abcd.js',
  '/api/health',
  '/api/events',
  '/api/nowhere',
  '/nowhere',
  '/s/x',
]

const OURS = ['127.0.0.1:PORT', 'localhost:PORT', '[::1]:PORT', 'LOCALHOST:PORT', 'LocalHost:PORT']

const FOREIGN = [
  '',
  ':PORT',
  'PORT',
  '127.0.0.1',
  'localhost',
  '[::1]',
  '::1',
  '127.0.0.1:1',
  '127.0.0.1:PORT0',
  '127.0.0.1:0PORT',
  '127.0.0.1:PORT:PORT',
  '127.0.0.1:',
  '127.0.0.2:PORT',
  '127.1:PORT',
  '2130706433:PORT',
  '0x7f000001:PORT',
  '0.0.0.0:PORT',
  '[::]:PORT',
  '[::ffff:127.0.0.1]:PORT',
  '[0:0:0:0:0:0:0:1]:PORT',
  '192.168.1.5:PORT',
  'evil.example',
  'evil.example:PORT',
  '127.0.0.1.nip.io:PORT',
  'localhost.evil.example:PORT',
  'localhost.:PORT',
  'app.localhost:PORT',
  '127.0.0.1.:PORT',
  'user@127.0.0.1:PORT',
  '127.0.0.1:PORT@evil.example',
  'evil.example#127.0.0.1:PORT',
  'http://127.0.0.1:PORT',
  '127.0.0.1:PORT/',
  '127.0.0.1:PORT,evil.example',
  'evil.example, 127.0.0.1:PORT',
  'locаlhost:PORT',
]

const withPort = (host: string) =>
  Buffer.from(host.replaceAll('PORT', String(server.port))).toString('latin1')

async function refusalAt(host: string) {
  const page = await getWith(server.port, '/', [`Host: ${host}`, 'Accept: text/html,*/*;q=0.8'])
  expect(page.status).toBe(403)
  const answer = await getWith(server.port, '/', [`Host: ${host}`])
  return {
    title: asText(/<h1>(.*)<\/h1>/.exec(utf8(page.body))?.[1] ?? ''),
    commands: [...page.body.matchAll(/<pre>(.*)<\/pre>/g)].map(([, command = '']) => asText(command)),
    body: page.body,
    message: JSON.parse(utf8(answer.body)).error.message as string,
  }
}

/** `getWith` returns bytes as characters. */
function utf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString()
}

function asText(markup: string): string {
  return markup.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}

describe('R2: Host', () => {
  test.each(OURS)('%s is ours', async (host) => {
    const answer = await getWith(server.port, '/api/health', [
      `Host: ${withPort(host)}`,
      `Cookie: ${server.cookie}`,
    ])
    expect(answer.status).toBe(200)
  })

  test.each(FOREIGN)('"%s" is refused on every route, whatever cookie comes with it', async (host) => {
    const answers = new Set<string>()
    for (const path of PATHS) {
      const lines = [`Host: ${withPort(host)}`, `Cookie: ${server.cookie}`]
      const answer = await getWith(server.port, path, lines)
      expect(answer.status).toBe(403)
      expect(JSON.parse(utf8(answer.body))).toEqual({
        error: { code: 'foreign', message: expect.stringContaining('doesn’t answer at “') },
      })
      const page = await getWith(server.port, path, [...lines, 'Accept: text/html'])
      expect([page.status, page.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8'])
      answers.add(answer.body).add(page.body)
    }
    // The same two answers for every request: they echo nothing of it.
    expect(answers.size).toBe(2)
  })

  test('a refusal at another port of this machine names how to forward the same one', async () => {
    const { title, commands, message } = await refusalAt('localhost:4848')
    expect(title).toBe('gemini-dash doesn’t answer at “localhost:4848”')
    expect(commands).toEqual(['gemini-dash --port 4848', 'ssh -L 4848:localhost:4848 HOST'])
    for (const command of commands) expect(message).toContain(command)
  })

  test('a refusal at another name says how to allow it, or to close the page', async () => {
    const { commands, body } = await refusalAt('Fluffy-Waffle-4747.App.GitHub.dev')
    const own = `gemini-dash --port ${server.port} --allow-host`
    expect(commands).toEqual([`${own} fluffy-waffle-4747.app.github.dev`])
    expect(body).toContain('close this page')
    expect((await refusalAt('box.tailnet.ts.net:8443')).commands).toEqual([`${own} box.tailnet.ts.net:8443`])
  })

  test.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    'a.example; rm -rf ~',
    '$(reboot)',
    '`x`',
    "'&amp;",
    'x'.repeat(9_000),
  ])('%s is shown as text, and no command is made of it', async (host) => {
    const { title, commands, body } = await refusalAt(host)
    expect(commands).toEqual([])
    expect(title.length).toBeLessThan(150)
    expect(title).toContain(host.slice(0, 100))
    expect(body.match(/<(?!\/)[^ >]+/g)).toEqual([
      ...[
        '<!doctype',
        '<html',
        '<head',
        '<meta',
        '<meta',
        '<meta',
        '<title',
        '<link',
        '<style',
        '<body',
        '<main',
      ],
      ...['<h1', '<p'],
    ])
  })

  test.each(['POST', 'OPTIONS', 'PROPFIND', 'DELETE'])(
    '%s with a foreign Host is refused alike',
    async (method) => {
      const answer = await rawHttp(
        server.port,
        `${method} /api/health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
      )
      expect(answer.status).toBe(403)
    },
  )

  test('two Host headers are refused, even if both are ours', async () => {
    const ours = `Host: 127.0.0.1:${server.port}`
    for (const lines of [
      [ours, 'Host: evil.example'],
      ['Host: evil.example', ours],
      [ours, ours],
    ]) {
      const answer = await getWith(server.port, '/api/health', [...lines, `Cookie: ${server.cookie}`])
      expect([400, 403]).toContain(answer.status)
    }
  })

  test('no Host at all is refused', async () => {
    expect((await getWith(server.port, '/', [])).status).toBe(403)
    const old = await rawHttp(server.port, `GET /api/health HTTP/1.0\r\nCookie: ${server.cookie}\r\n\r\n`)
    expect(old.status).toBe(403)
  })

  test('an absolute request line is refused, whatever Host says', async () => {
    for (const authority of ['evil.example', `127.0.0.1:${server.port}`]) {
      const answer = await getWith(server.port, `http://${authority}/api/health`, [
        `Host: 127.0.0.1:${server.port}`,
        `Cookie: ${server.cookie}`,
      ])
      expect(answer.status).toBe(403)
    }
  })

  test('an upgrade with a foreign Host is refused', async () => {
    const answer = await rawHttp(
      server.port,
      'GET /api/events HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n',
    )
    expect(answer.status).toBe(403)
  })
})

describe('--allow-host', () => {
  let allowing: TestServer
  beforeAll(async () => {
    allowing = await openTestServer({ allowedHosts: ['box.example', 'box.example:8443'] })
  })
  afterAll(() => allowing.close())

  const statusWith = async (host: string, origin?: string) => {
    const lines = [`Host: ${host}`, `Cookie: ${allowing.cookie}`]
    if (origin !== undefined) lines.push(`Origin: ${origin}`)
    return (await getWith(allowing.port, '/api/health', lines)).status
  }

  test('lets the name in, with its https origin', async () => {
    for (const host of ['box.example', 'BOX.example', 'box.example:443', 'box.example:8443']) {
      expect(await statusWith(host), host).toBe(200)
    }
    for (const origin of ['https://box.example', 'https://box.example:8443']) {
      expect(await statusWith('box.example', origin), origin).toBe(200)
      // as in Codespaces: the proxy rewrites the host, but not the origin
      expect(await statusWith(`localhost:${allowing.port}`, origin), origin).toBe(200)
    }
  })

  test('lets nothing else in', async () => {
    const hosts = [
      'box.example:80',
      'box.example:PORT',
      'a.box.example',
      'box.example.evil.example',
      'box.exampl',
    ]
    for (const host of hosts) {
      expect(await statusWith(host.replace('PORT', String(allowing.port))), host).toBe(403)
    }
    const origins = [
      'http://box.example',
      'https://box.example:1',
      'https://a.box.example',
      'https://localhost',
    ]
    for (const origin of origins) expect(await statusWith('box.example', origin), origin).toBe(403)
    const answer = await getWith(allowing.port, '/api/health', ['Host: box.example'])
    expect(answer.status).toBe(403)
    expect(answer.body).toContain('gemini-dash url')
  })
})
