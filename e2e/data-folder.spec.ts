import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

test.use({ ownProgram: 'data-folder', expectedProblem: /503 \(/ })

test('S8: the tab stays signed in, a star is refused where it was given, and kept when the folder is back', async ({
  page,
  program,
}) => {
  const data = join(program.sandbox.folder, 'data')
  const { title } = SESSIONS.rounding
  await page.goto('/')
  const row = page.locator('.session-row', { hasText: title })
  const star = row.getByText('Starred', { exact: true })
  await expect(row).toBeVisible()
  renameSync(data, `${data}-away`)
  await page.keyboard.type('js')
  await expect(page.locator('#said')).toContainText('This could not be saved: the data folder')
  await expect(page.locator('#said')).toContainText('move it back')
  await expect(star).toHaveCount(0)
  await expect(page.getByRole('complementary', { name: 'Warning' })).toContainText('Changes are refused')
  await page.reload()
  await expect(row).toBeVisible()
  expect(existsSync(data)).toBe(false)
  renameSync(`${data}-away`, data)
  await page.keyboard.type('js')
  await expect(star).toBeAttached()
  await expect(page.getByRole('complementary', { name: 'Warning' })).toHaveCount(0)
  await page.reload()
  await expect(star).toBeAttached()
})
