import { expectReadyIndex } from './fixtures/ready-index.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

test('two sessions of the list stand side by side', async ({ page }) => {
  await expectReadyIndex(page)
  await page.goto('/')
  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  const picks = page.getByRole('checkbox', { name: /^Select / })
  await page.getByRole('checkbox', { name: `Select ${SESSIONS.rounding.title}` }).check()
  await picks.nth(1).check()
  await page.getByRole('link', { name: 'Compare the two' }).click()

  await expect(page.getByRole('region', { name: 'Session A' })).toContainText(SESSIONS.rounding.title)
  const cost = page.getByRole('region', { name: 'Figures' }).getByRole('row', { name: /^Cost \$/ })
  await expect(cost).toContainText(/\$\d.*\$\d.*[+−]\$\d/)
  await page.getByRole('link', { name: SESSIONS.rounding.title }).click()
  await expect(page).toHaveURL(/\/s\/[^/]+$/)
})

test('without two sessions it leads to the list', async ({ page }) => {
  await page.goto(`/compare?a=${SESSIONS.rounding.id}`)
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
})
