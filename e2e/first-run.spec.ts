import { mkdirSync, writeFileSync } from 'node:fs'
import { goBack } from './fixtures/go-back.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'
import { writeAsCli } from './fixtures/write-as-cli.ts'

// one test starts a second program and waits for its scan: allow the sum of its timeouts
// the sample has its own port
test.use({ homeContent: 'empty', expectedProblem: /^foreign request: http:\/\/127\.0\.0\.1:/ })

test('an empty home is no error: the page tells where it looked and what to do', async ({
  page,
  program,
}) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText(`${program.sandbox.home}/.gemini`, { exact: false }).first()).toBeVisible()
  await expect(page.getByText('--home', { exact: false }).first()).toBeVisible()
})

test('Usage and Search of an empty home say so too, and a button opens the sample beside it', async ({
  page,
}) => {
  for (const path of ['/search?q=anything', '/usage']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: 'No sessions found yet' })).toBeVisible()
  }
  const own = page.url()
  await page.getByRole('button', { name: 'Open the sample' }).click()
  await expect(page.getByText('Sample data.')).toBeVisible()
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
  expect(new URL(page.url()).origin).not.toBe(new URL(own).origin)
  await goBack(page)
  await expect(page).toHaveURL(own)
  await expect(page.getByRole('heading', { level: 1, name: 'No sessions found yet' })).toBeVisible()
})

test('a home of saved chats only names them, and its list shows them', async ({ page, program }) => {
  const project = `${program.sandbox.home}/.gemini/tmp/shop`
  mkdirSync(project, { recursive: true })
  writeFileSync(`${project}/.project_root`, '/home/mia/shop')
  const turns = [
    { role: 'user', parts: [{ text: 'hello' }] },
    { role: 'model', parts: [{ text: 'hi' }] },
  ]
  for (const name of ['alpha', 'beta'])
    writeFileSync(`${project}/checkpoint-${name}.json`, JSON.stringify(turns))
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'No sessions found yet' })).toBeVisible()
  await page.getByRole('link', { name: 'Show 2 saved chats' }).click()
  await expect(page.getByRole('link', { name: 'alpha' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'beta' })).toBeVisible()
})

test('R37: the first session of all appears by itself', async ({ page, program }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const file = `${program.sandbox.home}/.gemini/tmp/first/chats/session-2026-11-21T22-00-11112222.jsonl`
  writeAsCli(file, 'start', 'The very first prompt')
  await expect(page.getByRole('link', { name: 'The very first prompt' })).toBeVisible()
})
