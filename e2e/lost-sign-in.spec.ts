import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { CLI, type Program } from './fixtures/program.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'
import { writeAsCli } from './fixtures/write-as-cli.ts'

test.use({
  ownProgram: 'lost-sign-in',
  // missing or refused chunks, and the server while it is down
  expectedProblem:
    /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY|404 \(|403 \(|preload|dynamically imported|MIME type/i,
})

const session = `/s/${SESSIONS.rounding.id}`
const signedOut = (page: Page) => page.getByText('This browser is not signed in any more.')
const firstPrompt = (page: Page) => page.locator('.conversation article').first()

async function openSession(page: Page): Promise<void> {
  await page.goto(session)
  await expect(firstPrompt(page)).toBeVisible()
}

test('C20: a sign-in lost while reading leaves what is read, and one elsewhere brings the tab back', async ({
  page,
  context,
  program,
}) => {
  await openSession(page)
  rmSync(join(program.sandbox.folder, 'data', 'browser-sessions'), { recursive: true })
  const file = join(
    program.sandbox.home,
    '.gemini/tmp/webshop/chats',
    'session-2026-11-23T10-00-70000001.jsonl',
  )
  writeAsCli(file, 'start', 'Begun while signed out')
  await page.getByRole('link', { name: 'Usage' }).first().click()
  await expect(signedOut(page)).toBeVisible()
  await page.goBack()
  await expect(firstPrompt(page)).toBeVisible()
  // A page whose code was never loaded.
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await expect(signedOut(page)).toBeVisible()

  const elsewhere = await context.newPage()
  await elsewhere.goto(await freshAddress(program))
  await expect(elsewhere.getByRole('link', { name: 'Begun while signed out' })).toBeVisible()
  await page.bringToFront()
  await expect(signedOut(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Appearance')
  await page.goBack()
  await expect(firstPrompt(page)).toBeVisible()
})

test('a change that a proxy sends from another address says so, and nobody is told to sign in', async ({
  page,
  program,
}) => {
  // the test above has signed every browser out
  await page.goto(await freshAddress(program))
  await openSession(page)
  await page.route('**/api/**', async (route) => {
    const request = route.request()
    if (request.method() === 'GET') return route.fallback()
    const headers = { ...request.headers(), origin: 'https://box.example' }
    await route.fulfill({ response: await route.fetch({ headers }) })
  })
  // even a brief message would send users to the terminal
  await page.evaluate(`new MutationObserver(() => {
    if (document.body.textContent.includes('not signed in any more')) document.body.dataset.wasToldToSignIn = ''
  }).observe(document.body, { childList: true, subtree: true })`)
  await page.keyboard.press('s')
  await expect(page.getByText('Requests from “https://box.example” aren’t answered').first()).toBeVisible()
  expect(await page.locator('[data-was-told-to-sign-in]').count()).toBe(0)
  await page.unrouteAll({ behavior: 'wait' })
})

/** The output of `gemini-dash url`. */
async function freshAddress({ sandbox }: Program): Promise<string> {
  const where = ['--home', sandbox.home, '--data-dir', join(sandbox.folder, 'data')]
  let address = ''
  await expect(() => {
    address = execFileSync(process.execPath, [CLI, 'url', ...where], {
      encoding: 'utf8',
      stdio: 'pipe',
    })
  }).toPass()
  return address.trim()
}
