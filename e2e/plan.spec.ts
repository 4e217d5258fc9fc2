import { expectReadyIndex } from './fixtures/ready-index.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

test.use({ homeContent: 'plan' })

test('who is on a plan sees tokens everywhere and a price nowhere', async ({ page }) => {
  // until then a row has no figures
  await expectReadyIndex(page)
  await page.goto('/')
  await expect(page.locator('.session-row', { hasText: SESSIONS.rounding.title })).toBeVisible()
  await expect(page.locator('main')).not.toContainText('$')

  await page.goto(`/s/${SESSIONS.rounding.id}`)
  await expect(page.locator('.session-facts', { hasText: '943k tokens' })).toBeVisible()
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(page.locator('main')).not.toContainText('$0.')

  await page.goto('/usage?range=all')
  await expect(page.getByRole('region', { name: /^Tokens per / })).toBeVisible()
  await expect(page.getByText('Prices are switched off, as you are on a plan.')).toBeVisible()
  await expect(page.locator('main')).not.toContainText('$')
})
