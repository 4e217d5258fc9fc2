import { expect, test } from './fixtures/test.ts'
import { INSIGHTS } from './fixtures/write-insights-home.ts'

test.use({ homeContent: 'insights' })

test('the cost of a session: its context request by request, its turns, and all the arithmetic', async ({
  page,
}) => {
  await page.goto(`/s/${INSIGHTS.id}?view=cost`)
  const context = page.getByRole('region', { name: 'Context over time' })
  const plot = context.getByRole('group', { name: /Arrow keys walk the requests/ })
  await plot.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await expect(context.getByRole('status')).toHaveText(/^Request 2, turn 1: .* tokens, .* cached/)
  await context.getByRole('button', { name: 'View as table' }).click()
  await expect(context.getByRole('row')).toHaveCount(INSIGHTS.calls + 1)
  await page.getByRole('button', { name: /^All the arithmetic/ }).click()
  const again = page.getByRole('region', { name: 'Most re-sent' }).first()
  await expect(again.getByRole('link', { name: 'Shell result' }).first()).toBeVisible()
  await again.getByRole('link', { name: 'Shell result' }).first().click()
  await expect(page).toHaveURL(/#m-.*call-0$/)
  await expect(page.getByText('npm run build').first()).toBeVisible()
})

test('repeated work is in the arithmetic, with the way to each time, also on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/s/${INSIGHTS.id}?view=cost`)
  await page.getByRole('button', { name: /^All the arithmetic/ }).click()
  const rows = page.getByRole('table', { name: 'Repeated work' }).locator('tbody tr')
  await expect(rows).toHaveText([
    /Shell: repeated until the result changed gh run view.*turn \d/,
    /Edit: failed and tried again/,
    /ReadFile: same call, same result src\/cart\.ts/,
    /SearchText: same call, same result 'total' within src/,
    /Errors, one after the other/,
  ])
  await rows.nth(1).getByRole('link').first().click()
  await expect(page).toHaveURL(/#m-.*call-0$/)
  await expect(page.getByText('Failed to edit, 0 occurrences').first()).toBeVisible()
})
