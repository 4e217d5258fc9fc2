import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestServer } from '../../test/open-test-server.ts'
import { openTestServer } from '../../test/open-test-server.ts'
import { getWith } from '../../test/raw-http.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

async function statusWith(path: string, headerLines: string[]): Promise<number> {
  const lines = [`Host: 127.0.0.1:${server.port}`, `Cookie: ${server.cookie}`, ...headerLines]
  return (await getWith(server.port, path, lines)).status
}

describe('R4: Origin', () => {
  test.each(['http://127.0.0.1:PORT', 'http://localhost:PORT', 'http://[::1]:PORT', 'HTTP'])(
    '%s',
    async (origin) => {
      const value = origin.replace('PORT', String(server.port))
      expect(await statusWith('/api/health', [`Origin: ${value}`])).toBe(origin === 'HTTP' ? 403 : 200)
    },
  )

  test.each([
    'null',
    '',
    'http://evil.example',
    'http://evil.example:PORT',
    'https://127.0.0.1:PORT',
    'http://127.0.0.1',
    'http://127.0.0.1:1',
    'http://127.0.0.1:PORT/',
    'http://127.0.0.1:PORT.evil.example',
    'http://user@127.0.0.1:PORT',
    'file://',
    'chrome-extension://abcdefghijklmnop',
    'http://[',
    '%%%',
    'http://127.0.0.1:PORT http://evil.example',
  ])('"%s" is refused everywhere', async (origin) => {
    for (const path of ['/', '/api/health', '/api/events', '/assets/page-0123abcd.js', '/nowhere']) {
      expect(await statusWith(path, [`Origin: ${origin.replace('PORT', String(server.port))}`])).toBe(403)
    }
  })
})

test('R4: a refusal of an https address says how to allow it', async () => {
  const refused = async (origin: string, accept: string) => {
    const lines = [`Host: localhost:${server.port}`, `Origin: ${origin}`, `Accept: ${accept}`]
    return getWith(server.port, '/api/health', lines)
  }
  const command = `gemini-dash --port ${server.port} --allow-host box.example`
  const answer = await refused('https://box.example', 'application/json')
  expect(JSON.parse(answer.body).error.message).toContain(command)
  const page = await refused('https://box.example', 'text/html')
  expect(page.body).toContain(`<pre>${command}</pre>`)
  expect((await refused('http://box.example', 'text/html')).body).not.toContain('<pre>')
  expect((await refused('<b>', 'text/html')).body).not.toContain('<b>')
})

describe('R4: Sec-Fetch-Site', () => {
  test.each(['same-origin', 'none'])('%s may ask anything', async (site) => {
    for (const path of ['/', '/api/health', '/assets/page-0123abcd.js']) {
      expect(await statusWith(path, [`Sec-Fetch-Site: ${site}`])).toBe(200)
    }
  })

  test.each(['cross-site', 'same-site', 'SAME-ORIGIN', 'junk', ''])('"%s" may load nothing', async (site) => {
    for (const path of ['/', '/api/health', '/api/events', '/assets/page-0123abcd.js']) {
      expect(await statusWith(path, [`Sec-Fetch-Site: ${site}`, 'Sec-Fetch-Mode: no-cors'])).toBe(403)
    }
  })

  test('a link of another site may lead a tab to a page, but not to data, a file or a frame', async () => {
    const navigation = ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate']
    expect(await statusWith('/', [...navigation, 'Sec-Fetch-Dest: document'])).toBe(200)
    expect(await statusWith('/', [...navigation, 'Sec-Fetch-Dest: iframe'])).toBe(403)
    expect(await statusWith('/api/health', [...navigation, 'Sec-Fetch-Dest: document'])).toBe(403)
    expect(await statusWith('/assets/page-0123abcd.js', [...navigation, 'Sec-Fetch-Dest: document'])).toBe(
      403,
    )
  })
})

test('R4: no bytes in a header make the server fail', async () => {
  const name = fc.constantFrom(
    'Origin',
    'Sec-Fetch-Site',
    'Cookie',
    'Host',
    'Referer',
    'Accept',
    'If-None-Match',
    'Range',
    'Last-Event-ID',
  )
  const value = fc.uint8Array({ maxLength: 200 }).map((bytes) =>
    Buffer.from(bytes)
      .toString('latin1')
      .replace(/[\r\n]/g, ''),
  )
  await fc.assert(
    fc.asyncProperty(
      name,
      value,
      fc.constantFrom('/', '/api/health', '/nowhere'),
      async (header, text, path) => {
        expect(await statusWith(path, [`${header}: ${text}`])).toBeLessThan(500)
      },
    ),
    { numRuns: 150 },
  )
  expect(server.problems).toEqual([])
})
