import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

test('a word that only a tool printed is found, and the hit is shown where it stands', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('searchbox', { name: 'Search all sessions' }).fill('E_LEDGER_DRIFT')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/search\?.*q=E_LEDGER_DRIFT/)
  await expect(page.getByText(SESSIONS.nightly.title).first()).toBeVisible()

  const hit = page.getByRole('link').filter({ has: page.locator('mark', { hasText: 'E_LEDGER_DRIFT' }) })
  await hit.first().click()
  await expect(page).toHaveURL(/\/s\/[\w-]{12}.*#m-/)
  await expect(page.getByRole('heading', { level: 1, name: SESSIONS.nightly.title })).toBeVisible()
  const mark = page.locator('main mark', { hasText: 'E_LEDGER_DRIFT' }).first()
  await expect(mark).toBeInViewport()
})

test('two characters of Chinese are enough', async ({ page }) => {
  await page.goto('/search?q=收据')
  await expect(page.getByText(SESSIONS.rounding.title).first()).toBeVisible()
  await expect(page.locator('mark', { hasText: '收据' }).first()).toBeVisible()
})

test('back from a hit leads to the results as they were', async ({ page }) => {
  await page.goto('/search?q=rounding')
  const hit = page
    .getByRole('link')
    .filter({ has: page.locator('mark') })
    .first()
  await hit.click()
  await expect(page).toHaveURL(/\/s\//)
  await page.goBack()
  await expect(page).toHaveURL(/\/search\?.*q=rounding/)
  await expect(page.locator('mark').first()).toBeVisible()
})

test('nothing found is said, not shown as an empty page', async ({ page }) => {
  await page.goto('/search?q=zzyzxnowhere')
  await expect(page.getByText(/no (hits|results|matches)|nothing/i).first()).toBeVisible()
})
