import { expectAxeClean } from './fixtures/axe-scan.ts'
import { PAGES } from './fixtures/pages.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

// Contrast goes by the theme, the size of targets by the width: two pairs see all four.
const LOOKS = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 390 },
] as const

for (const { colorScheme, width } of LOOKS) {
  test.describe(`${colorScheme}, ${width} px`, () => {
    test.use({ colorScheme, viewport: { width, height: 900 } })

    for (const { name, path, isReady } of PAGES) {
      test(`axe finds nothing on ${name}`, async ({ page }) => {
        await page.goto(path)
        await isReady(page)
        await expectAxeClean(page)
      })
    }
  })
}

test('axe finds nothing on a session with thoughts and tools open', async ({ page }) => {
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  await page.getByRole('button', { name: /2 thoughts.*Investigating the rounding/ }).click()
  for (const name of [/WriteTodos/, /ReadFile.*price/, /SearchText/]) {
    await page.getByRole('button', { name }).first().click()
  }
  await expectAxeClean(page)
})

test('the way from the first session to its first thought by keyboard alone', async ({ page }) => {
  await page.goto('/')
  const link = page.getByRole('link', { name: SESSIONS.rounding.title })
  await expect(link).toBeVisible()
  await link.focus()
  await page.keyboard.press('Enter')
  const thoughts = page.getByRole('button', { name: /^2 thoughts/ }).first()
  await expect(thoughts).toBeVisible()
  await thoughts.focus()
  await page.keyboard.press('Enter')
  await expect(thoughts).toHaveAttribute('aria-expanded', 'true')
  await expect(thoughts).toBeFocused()
})
