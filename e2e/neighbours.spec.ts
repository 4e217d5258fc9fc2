import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

const { id } = SESSIONS.slowShelf

test.beforeEach(async ({ page }) => {
  await page.goto(`/s/${id}`)
})

test('a pasted picture stands under its prompt, and one that is gone is named', async ({ page }) => {
  const picture = page.getByRole('img', { name: 'Pasted picture clipboard-1763557480000.png' })
  await picture.scrollIntoViewIfNeeded()
  await expect(picture).toHaveJSProperty('naturalWidth', 120)
  // its space is reserved before it loads
  await expect(picture).toHaveAttribute('width', '120')
  await expect(
    page.getByText('clipboard-1763557310000.png was pasted here and is no longer there.'),
  ).toBeVisible()
})

test('a call shows the whole output that the CLI saved, or says that it is gone', async ({ page }) => {
  await page.getByRole('button', { name: /Shell psql shelf/ }).click()
  await page.getByText('Full output saved by Gemini CLI').waitFor()
  const card = page.locator('.call', { hasText: 'psql shelf' })
  await card.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(card.getByText('Seq Scan on books_90')).toBeVisible()
  const download = page.waitForEvent('download')
  await card.getByRole('link', { name: 'Save' }).click()
  expect((await download).url()).toContain(`/api/sessions/${id}/neighbours/`)

  await page.getByRole('button', { name: /Shell tail -n 4000/ }).click()
  await expect(
    page.getByText(/Gemini CLI saved the full output to run_shell_command_.*, which is no longer there/),
  ).toBeVisible()
})

test('plans, tasks, restore points and typed lines are listed beside the session', async ({ page }) => {
  const files = page.getByRole('region', { name: 'Files beside this session' })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Files of this session' }).click()
  await files.getByRole('button', { name: /bring-back-the-index\.md/ }).click()
  await expect(files.getByRole('heading', { name: 'Bring back the index' })).toBeVisible()
  const tasks = files.getByRole('list', { name: 'Tasks' }).getByRole('listitem')
  await expect(tasks).toHaveText([
    /Bring the shelf page back.*epic, in progress/,
    /Create the index.*closed/,
    /Measure again.*after Create the index.*open/,
  ])
  await expect(files.getByText('before WriteFile of explain-shelf.sql, commit 5f0c2d7a')).toBeVisible()
  await expect(files.getByText('And how long does the migration take?')).toBeVisible()
})

test('the list leads to the call that a file belongs to', async ({ page }) => {
  const files = page.getByRole('region', { name: 'Files beside this session' })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Files of this session' }).click()
  await files.getByRole('button', { name: 'Show' }).first().click()
  await expect(page).toHaveURL(/#m-/)
})
