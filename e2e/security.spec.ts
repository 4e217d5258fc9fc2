import { chromium } from '@playwright/test'
import { findBrowser } from '../scripts/steps/find-browser.mjs'
import { expect, test } from './fixtures/test.ts'

test('R3: a page of another host cannot reach the server through DNS (rebinding)', async ({ program }) => {
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--host-resolver-rules=MAP evil.test 127.0.0.1'],
  })
  const page = await browser.newPage()
  for (const path of ['/', '/api/health', '/api/sessions', '/s/x']) {
    const response = await page.goto(`http://evil.test:${program.port}${path}`)
    expect(response?.status(), path).toBe(403)
    expect(await response?.text()).not.toContain('webshop')
  }
  await browser.close()
})

test('without a cookie nothing is told, and the page says what to do', async ({ browser, program }) => {
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  const answer = await page.request.get(`${program.origin}/api/sessions`)
  expect([401, 403]).toContain(answer.status())
  const response = await page.goto(`${program.origin}/`)
  expect([401, 403]).toContain(response?.status())
  await expect(page.getByText('gemini-dash url', { exact: false }).first()).toBeVisible()
  await context.close()
})

test('R7: a one-time code works once', async ({ browser, program, signedIn }) => {
  expect(signedIn.cookies).toHaveLength(1)
  expect(signedIn.cookies[0]).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  const response = await page.goto(program.url)
  expect(response?.status()).toBe(403)
  expect(await context.cookies()).toEqual([])
  await context.close()
})

test('R6: a foreign page can neither read nor send', async ({ request, program }) => {
  const foreign = await request.get('/api/sessions', {
    headers: { origin: 'http://evil.test', 'sec-fetch-site': 'cross-site' },
  })
  expect(foreign.status()).toBe(403)
  expect(foreign.headers()['access-control-allow-origin']).toBeUndefined()
  expect((await request.get(`${program.origin}/api/sessions`)).status()).toBe(200)
})
