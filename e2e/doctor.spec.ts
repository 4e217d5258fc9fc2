import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectAxeClean } from './fixtures/axe-scan.ts'
import { expect, test } from './fixtures/test.ts'

test.use({ ownProgram: 'doctor', permissions: ['clipboard-read', 'clipboard-write'] })

test('the health page says in a line how it stands, then what was not read and what is new', async ({
  page,
}) => {
  await page.goto('/')
  // the projects above the link are there
  await expect(page.getByRole('button', { name: 'Find the folder of 1 project' })).toBeVisible()
  await page.getByRole('link', { name: 'What and why' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Health' })).toBeVisible()
  await expect(page.getByText('1 file could not be read and 1 name in the files is new.')).toBeVisible()

  const notRead = page.getByRole('region', { name: 'Not read' })
  await expect(notRead.getByText('The file ends in the middle (byte 10240)')).toBeVisible()
  await expect(notRead.getByRole('link', { name: /9c1d40ab\.json/ })).toBeVisible()

  const fresh = page.getByRole('region', { name: 'Not known yet' })
  await expect(fresh.getByText('panel,level,hints')).toBeVisible()
  await expect(fresh.getByText('1 time in 1 session')).toBeVisible()

  const deleted = page.getByRole('region', { name: 'Deleted soon' })
  await expect(deleted.getByRole('link', { name: 'What does this project do?' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Copies' }).getByRole('link')).toHaveCount(1)
})

test('the report that one copies holds names and counts, and no path, title or text', async ({ page }) => {
  await page.goto('/doctor')
  await page.getByRole('button', { name: 'Copy report' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  const report = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(report).toContain('| resultDisplay | `panel,level,hints` | 1 | 1 | session-*.jsonl |')
  expect(report).not.toMatch(/tmp\/|webshop|3e7a7b68/)
})

test('many findings stay readable and clean, and a row leads to its session by keyboard', async ({
  page,
  program,
}) => {
  test.slow()
  const chats = join(program.sandbox.home, '.gemini/tmp/shelf-api/chats')
  mkdirSync(join(chats, 'session-folder.json'))
  for (let n = 10; n < 40; n++) {
    writeFileSync(join(chats, `session-2026-11-20T10-${n}-eeee00${n}.json`), n % 2 === 0 ? '' : '{"a":1}')
  }
  const skippedCount = async () => (await (await page.request.get('/api/doctor')).json()).files.skipped.length
  await expect.poll(skippedCount).toBe(32)
  await page.goto('/doctor')
  const notRead = page.getByRole('region', { name: 'Not read' })
  await expect(notRead.getByText('This is named like a session but is a folder.')).toBeVisible()
  await expect(notRead.getByText('The file is empty')).toBeVisible()
  await notRead.getByRole('button', { name: '10 more' }).first().press('Enter')
  await expectAxeClean(page)
  await notRead.getByRole('link', { name: /eeee0010\.json/ }).press('Enter')
  await expect(page.getByText('This file could not be read as a session.')).toBeVisible()
})

test('a report that cannot be loaded says so, with a way to try again', async ({ page }) => {
  await page.route('**/api/doctor', (route) => route.fulfill({ status: 200, body: 'no json' }))
  await page.goto('/doctor')
  await expect(page.getByText('The report could not be loaded.')).toBeVisible()
  await page.unroute('**/api/doctor')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('region', { name: 'Where it looked' })).toBeVisible()
})
