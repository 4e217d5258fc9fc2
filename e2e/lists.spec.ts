import { expectReadyIndex } from './fixtures/ready-index.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

test('C10: a session that the CLI deletes says when, on its row and its page, and both lead to why', async ({
  page,
}) => {
  await page.goto('/')
  const row = page.locator('.session-row', { hasText: 'What does this project do?' })
  await row.getByRole('link', { name: 'goes at the next start' }).click()
  await expect(page).toHaveURL(/\/doctor#retention$/)
  const deleted = page.getByRole('region', { name: 'Deleted soon' })
  await expect(deleted).toBeFocused()
  await expect(deleted).toBeInViewport()
  await deleted.getByRole('link', { name: 'What does this project do?' }).click()
  await page.getByRole('link', { name: 'Gemini CLI deletes it at the next start' }).click()
  // with the address alone as well, as the report comes after the page
  await page.reload()
  await expect(page.getByRole('region', { name: 'Deleted soon' })).toBeFocused()
})

test('C10: sub-agents, saved chats and sessions of prompts alone are listed, and badges lead to what they count', async ({
  page,
}) => {
  await page.goto('/')
  const row = page.locator('.session-row', { hasText: SESSIONS.rounding.title })
  await row.getByRole('link', { name: '1 sub-agent' }).click()
  const agent = page.getByRole('heading', { level: 1, name: /^Find every place that adds up/ })
  await expect(agent).toBeVisible()
  await page.getByRole('link', { name: 'Sub-agent', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: SESSIONS.rounding.title })).toBeVisible()
  await page.getByRole('link', { name: '1 taken back' }).click()
  await expect(page.locator('.message:focus')).toBeInViewport()

  await page.goto('/')
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('Prompts only (1)')
  await expect(page).toHaveURL(/kind=prompts-only/)
  await expect(page.locator('.session-row')).toHaveCount(1)
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('Sub-agents (1)')
  await page
    .locator('.session-row')
    .getByRole('link', { name: /^Find every place/ })
    .click()
  await expect(agent).toBeVisible()
})

test('C10: the figures above a list are those of its filter, and say which it is', async ({ page }) => {
  await expectReadyIndex(page)
  const sessions = page.locator('.summary .figure').first()
  await page.goto('/')
  await expect(sessions).toHaveText('Sessions39')
  await page.getByRole('button', { name: 'Has errors' }).click()
  await expect(sessions).toHaveText(/^Sessions · failed\d+of 39$/)
  const rows = await page.request.get('/api/sessions?has=errors')
  const { total, sums } = await rows.json()
  await expect(sessions).toHaveText(`Sessions · failed${total}of 39`)
  await expect(page.locator('.summary')).toContainText(`Tool calls${sums.toolCalls}`)
  await page.goto('/p/webshop?model=gemini-2.5-flash')
  await expect(sessions).toHaveText(/^Sessions · project webshop · model 2\.5-flash\d+of 39$/)
})
