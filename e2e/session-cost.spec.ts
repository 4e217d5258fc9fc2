import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

const { id } = SESSIONS.rounding

test('the chart of a session is walked by keyboard; its table holds what it draws', async ({ page }) => {
  await page.goto(`/s/${id}`)
  await page.getByRole('slider', { name: /^Tokens by request/ }).press('Enter')
  const chart = page.getByRole('group', { name: /^Tokens per request, .* Arrow keys walk/ })
  await expect(chart.getByRole('img')).toBeVisible()
  await chart.focus()
  for (let step = 0; step < 7; step++) await page.keyboard.press('ArrowLeft')
  await expect(chart.locator('..').getByRole('status')).toHaveText(
    'Request 17, turn 5: 206,963 input, 40,267 cached, 153 output, $0.429',
  )
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#m-/)

  await page.getByRole('button', { name: 'View as table' }).first().click()
  const table = page.getByRole('group', { name: 'Tokens per request, table' })
  await expect(table.getByRole('row')).toHaveCount(25)
  await expect(
    table.getByRole('row', { name: /^17 5 .* 166,696 40,267 153 0 0 higher rate \$0\.429 \$0\.612$/ }),
  ).toBeVisible()
})

test('C8: the cost panel says why it cost that, each dollar once, and leads to what shows it', async ({
  page,
}) => {
  await page.goto(`/s/${id}`)
  await page.getByRole('navigation', { name: 'Session' }).getByRole('link', { name: 'Cost' }).click()
  const panel = page.getByRole('region', { name: 'Why it cost $0.68' })
  const items = panel.getByRole('listitem')
  await expect(items).toHaveCount(4)
  const texts = await items.allTextContents()
  const wanted = [
    /^\$0\.44One command put 16\dk tokens into the context 6\d%.*Print only what you need/,
    /ReadManyFiles put .*Name the files you need with @\./,
    /started with a cold cache .*Finish a task before the break\./,
    /other requests .*Nothing to change\.$/,
  ]
  for (const [index, pattern] of wanted.entries()) expect(texts[index]).toMatch(pattern)
  const amounts = await panel.locator('.why-usd').allTextContents()
  expect(amounts.reduce((cents, amount) => cents + Math.round(Number(amount.slice(1)) * 100), 0)).toBe(68)
  // the titles have all digits, and they add up exactly to the total
  const titles = await panel
    .locator('.why-usd')
    .evaluateAll((each) => each.map((amount) => amount.getAttribute('title') ?? ''))
  const units = titles.map((title) => Math.round(Number(title.slice(1)) * 1e11))
  expect(units.reduce((sum, each) => sum + each, 0)).toBe(68_072_702_500)
  await panel.getByRole('link', { name: 'Go to turn 5' }).click()
  await expect(page).toHaveURL(/#m-/)
  await expect(page.getByRole('feed')).toBeVisible()
})
