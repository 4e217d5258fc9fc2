import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures/test.ts'

test.use({ ownProgram: 'doctor', permissions: ['clipboard-read', 'clipboard-write'] })

test('the settings say in a line what was not read, what is deleted soon and which project is unknown, with the details on demand', async ({
  page,
}) => {
  await page.goto('/doctor')
  await expect(page).toHaveURL(/\/settings\/storage$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Storage' })).toBeVisible()
  const finding = (name: string) => page.getByRole('group', { name })
  const notRead = finding('1 of 42 files couldn’t be read')
  await expect(notRead).toContainText('The file is cut off (byte 10,240)')
  await notRead.getByRole('button', { name: 'Details' }).press('Enter')
  await expect(notRead.getByRole('link', { name: /9c1d40ab\.json/ })).toBeVisible()

  await finding('Deleted soon')
    .getByRole('button', { name: /^Show \d+$/ })
    .click()
  await expect(
    finding('Deleted soon').getByRole('link', { name: 'What does this project do?' }),
  ).toBeVisible()

  const unknown = finding('Unknown project')
  await unknown.getByRole('button', { name: 'Locate…' }).click()
  await unknown.getByRole('button', { name: 'Look for this folder' }).click()
  await expect(unknown.getByText('none has its hash')).toBeVisible()

  await page.getByRole('link', { name: 'Diagnostics' }).click()
  await finding('Unknown fields').getByRole('button', { name: 'Show' }).click()
  await expect(finding('Unknown fields').getByText('panel,level,hints')).toBeVisible()
  await expect(finding('Unknown fields').getByText('1 time in 1 session')).toBeVisible()
  await finding('Duplicate files').getByRole('button', { name: 'Show' }).click()
  await expect(finding('Duplicate files').getByRole('link')).toHaveCount(1)
})

test('the report that one copies holds names and counts, and no path, title or text', async ({ page }) => {
  await page.goto('/doctor#new')
  await expect(page).toHaveURL(/\/settings\/diagnostics#new$/)
  await page.getByRole('button', { name: 'Copy report' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  const report = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(report).toContain('| resultDisplay | `panel,level,hints` | 1 | 1 | session-*.jsonl |')
  expect(report).not.toMatch(/tmp\/|webshop|3e7a7b68/)
})

test('many findings stay readable, and a row leads to its session by keyboard', async ({ page, program }) => {
  test.slow()
  const chats = join(program.sandbox.home, '.gemini/tmp/shelf-api/chats')
  mkdirSync(join(chats, 'session-folder.json'))
  for (let n = 10; n < 40; n++) {
    writeFileSync(join(chats, `session-2026-11-20T10-${n}-eeee00${n}.json`), n % 2 === 0 ? '' : '{"a":1}')
  }
  const skippedCount = async () => (await (await page.request.get('/api/doctor')).json()).files.skipped.length
  await expect.poll(skippedCount).toBe(32)
  await page.goto('/settings/storage#not-read')
  const notRead = page.getByRole('group', { name: /couldn’t be read$/ })
  await expect(notRead).toBeFocused()
  await expect(
    notRead.getByText('This is named like a session but is a folder.', { exact: true }),
  ).toBeVisible()
  await expect(notRead.getByText('The file is empty').first()).toBeVisible()
  await notRead.getByRole('button', { name: '10 more' }).first().press('Enter')
  await notRead.getByRole('link', { name: /eeee0010\.json/ }).press('Enter')
  await expect(page.getByText('This file could not be read as a session.')).toBeVisible()
})

test('a report that cannot be loaded says so, with a way to try again', async ({ page }) => {
  await page.route('**/api/doctor', (route) => route.fulfill({ status: 200, body: 'no json' }))
  await page.goto('/settings/storage')
  await expect(page.getByText('Couldn’t load these settings.')).toBeVisible()
  await page.unroute('**/api/doctor')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('region', { name: 'Gemini folders' })).toBeVisible()
})
