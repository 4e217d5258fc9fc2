import { expectAxeClean } from './fixtures/axe-scan.ts'
import { expect, test } from './fixtures/test.ts'
import { writeAsCli } from './fixtures/write-as-cli.ts'

test.use({ homeContent: 'empty' })

test('an empty home is no error: the page tells where it looked and what to do', async ({
  page,
  program,
}) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText(`${program.sandbox.home}/.gemini`, { exact: false }).first()).toBeVisible()
  await expect(page.getByText('--home', { exact: false }).first()).toBeVisible()
  await expectAxeClean(page)
})

test('R37: the first session of all appears by itself', async ({ page, program }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const file = `${program.sandbox.home}/.gemini/tmp/first/chats/session-2026-11-21T22-00-11112222.jsonl`
  writeAsCli(file, 'start', 'The very first prompt')
  await expect(page.getByRole('link', { name: 'The very first prompt' })).toBeVisible({ timeout: 45_000 })
})
