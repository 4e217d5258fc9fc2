import { expectAxeClean } from './fixtures/axe-scan.ts'
import { goBack } from './fixtures/go-back.ts'
import { expect, test } from './fixtures/test.ts'
import { INSIGHTS } from './fixtures/write-insights-home.ts'

test.use({ homeContent: 'insights' })

test('the context of a session is walked call by call, and every piece leads to its message', async ({
  page,
}) => {
  await page.goto(`/s/${INSIGHTS.id}`)
  await page.getByRole('button', { name: 'Cost and context', exact: true }).click()
  await expect(page).toHaveURL(/view=context/)
  const xray = page.getByRole('region', { name: 'What filled each prompt' })
  await expect(xray.getByText(/^24 calls sent 928k tokens; 91 % of them had been sent before/)).toBeVisible()

  const plot = xray.getByRole('group', { name: /Arrow keys choose a call/ })
  await plot.focus()
  await page.keyboard.press('Home')
  const chosen = xray.getByRole('region', { name: 'The chosen call' })
  await expect(chosen.getByRole('heading', { name: /^Call 1 / })).toBeVisible()
  await expect(chosen.getByText('The first call of its context')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(chosen.getByRole('row').nth(1)).toContainText(/ReadFile results.*11\.\dk.*\+11\.\dk/)
  await expect(xray.getByRole('status')).toHaveText(/^Call 3, turn 1: .* grew by ReadFile results$/)
  await expectAxeClean(page, '.session-context')

  await xray.getByRole('button', { name: 'View as table' }).click()
  await expect(xray.getByRole('row')).toHaveCount(INSIGHTS.calls + 1)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAxeClean(page, '.session-context')

  const again = page.getByRole('region', { name: 'Sent again and again' })
  await again.getByRole('link', { name: 'Shell result' }).first().click()
  await expect(page).toHaveURL(/#m-.*call-0$/)
  await expect(page.getByText('npm run build').first()).toBeVisible()
  await goBack(page)
  await expect(page).toHaveURL(/view=context/)
  await expect(again).toBeVisible()
  await expect(chosen.getByRole('heading', { name: /^Call 3 / })).toBeVisible()
})

test('what was done twice is told with what it took and the way to each time, also on a phone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/s/${INSIGHTS.id}?view=context`)
  const waste = page.getByRole('region', { name: 'Done twice' })
  await expect(
    waste.getByText(/^5 findings: about .* and 7 model calls that asked for nothing else/),
  ).toBeVisible()
  const findings = waste.locator('.waste-finding')
  await expect(findings).toHaveText([
    /Shell: asked again until the answer changed 4 times.*gh run view/,
    /Edit: failed and tried again 2 tries before it came through/,
    /ReadFile: same call, same result 2 times.*src\/cart\.ts/,
    /SearchText: same call, same result 2 times.*'total' within src/,
    /Errors, one after the other 3 times before the model answered/,
  ])
  await expectAxeClean(page, '.session-context')
  expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
  await findings.nth(1).getByRole('link').first().click()
  await expect(page).toHaveURL(/#m-.*call-0$/)
  await expect(page.getByText('Failed to edit, 0 occurrences').first()).toBeVisible()
})
