import { expectAxeClean } from './fixtures/axe-scan.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

test.use({ homeContent: 'plan' })

test('who is on a plan sees tokens everywhere and a price nowhere', async ({ page }) => {
  await page.goto('/')
  await expect(page.locator('.session-row', { hasText: SESSIONS.rounding.title })).toContainText('943k')
  await expect(page.locator('main')).not.toContainText('$')

  await page.goto(`/s/${SESSIONS.rounding.id}`)
  await expect(page.locator('.head-figures > dl > div', { hasText: 'tokens' })).toBeVisible()
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(page.locator('main')).not.toContainText('$0.')

  await page.goto('/usage?range=all')
  await expect(page.getByRole('region', { name: /^Tokens per .*, by model/ })).toBeVisible()
  await expect(page.getByText('Prices are switched off, as you are on a plan.')).toBeVisible()
  await expect(page.locator('main')).not.toContainText('$')
  await expectAxeClean(page, 'main')
})
