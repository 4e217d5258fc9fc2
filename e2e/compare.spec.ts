import { expectAxeClean } from './fixtures/axe-scan.ts'
import { expectNoSidewaysScroll } from './fixtures/no-sideways-scroll.ts'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

test('two sessions of the list stand side by side, in both themes and on a phone', async ({ page }) => {
  await expectReadyIndex(page)
  await page.goto('/')
  await page.getByRole('button', { name: 'Choose', exact: true }).click()
  const picks = page.getByRole('checkbox', { name: /^Choose / })
  await page.getByRole('checkbox', { name: `Choose ${SESSIONS.rounding.title}` }).check()
  await picks.nth(1).check()
  await page.getByRole('link', { name: 'Compare the two' }).click()

  await expect(page.getByRole('region', { name: 'Session A' })).toContainText(SESSIONS.rounding.title)
  const cost = page.getByRole('region', { name: 'Figures' }).getByRole('row', { name: /^Cost \$/ })
  await expect(cost).toContainText(/\$\d.*\$\d.*[+−]\$\d/)
  const turn = page.getByRole('region', { name: 'Turns' }).getByRole('link', { name: /^1 The cart shows/ })
  await expect(page.getByRole('region', { name: 'Files touched' })).toContainText('src/cart.js')
  await expectAxeClean(page, 'main')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 320, height: 844 })
  await expectAxeClean(page, 'main')
  await expectNoSidewaysScroll(page)
  await turn.click()
  await expect(page).toHaveURL(/\/s\/[^/]+#m-/)
})

test('a session is compared with another one, and its cost says what it would have been otherwise', async ({
  page,
}) => {
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  await page.locator('.head-figures > dl > div', { hasText: 'cost' }).getByRole('button').click()
  await page.getByRole('button', { name: /^What if/ }).click()
  const table = page.getByRole('region', { name: 'What if' }).getByRole('table')
  await expect(table.getByRole('row', { name: /^Without a cache/ })).toContainText(/\$\d.*more, \d+ %/)
  const real = table.getByRole('row', { name: /^As it was/ })
  // sub-agents are in every figure until they are left out
  const together = await real.textContent()
  await page.getByRole('button', { name: 'This session', exact: true }).click()
  await expect(real).not.toHaveText(together ?? '')
  await expectAxeClean(page, 'section[aria-label="What if"]')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'More of this session' }).click()
  await page.getByRole('link', { name: 'Compare with…' }).click()
  await page.getByLabel('Filter by title').fill('dev server')
  await page.getByRole('link', { name: /Find what keeps the dev server/ }).click()
  await expect(page.getByRole('region', { name: 'Session B' })).toContainText('dev server')
  await page.getByRole('link', { name: 'Swap' }).click()
  await expect(page.getByRole('region', { name: 'Session A' })).toContainText('dev server')
})
