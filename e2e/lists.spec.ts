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
