import { expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'

async function tagOfPage(isCacheKept: boolean): Promise<string> {
  const { port, cookie, close } = await openTestServer({ isCacheKept })
  try {
    const page = await (await fetch(`http://127.0.0.1:${port}/`, { headers: { cookie } })).text()
    return /<html[^>]*>/.exec(page)?.[0] ?? ''
  } finally {
    await close()
  }
}

test('a page comes with what the program warns of, so that the bar of it moves nothing later', async () => {
  expect(await tagOfPage(true)).toBe('<html lang="en">')
  const [, warnings = ''] = /data-warnings="([^"]*)"/.exec(await tagOfPage(false)) ?? []
  expect(JSON.parse(decodeURIComponent(warnings))).toEqual([
    { code: 'cache-not-kept', message: expect.stringContaining('icon.svg') },
  ])
})
