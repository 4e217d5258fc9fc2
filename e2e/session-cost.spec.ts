import { expectAxeClean } from './fixtures/axe-scan.ts'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

const { id, title } = SESSIONS.rounding

test('a figure leads from a month over its sessions and calls to the record that it stands in, and back', async ({
  page,
}) => {
  await page.goto('/usage?range=all')
  const cost = page.locator('.usage-figures').getByRole('button')
  await cost.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('1 call without recorded tokens')).toBeVisible()

  await dialog.getByRole('row', { name: title }).getByRole('button').last().click()
  await expect(dialog.getByText('24 model calls, 927,536 tokens in total, $0.669557025')).toBeVisible()
  await expect(dialog.getByRole('row', { name: 'Total 28 942,922 $0.680727025' })).toBeVisible()
  await expect(dialog.getByText('rewound: 3 calls, $0.012323875.')).toBeVisible()
  await expectAxeClean(page, 'dialog[open]')

  await dialog
    .getByRole('row', { name: /207,116/ })
    .getByRole('button')
    .last()
    .click()
  await expect(dialog.getByRole('heading', { level: 2 })).toBeFocused()
  await expect(
    dialog.getByText('166,696 × $2.5 + 40,267 × $0.25 + 153 × $15, per million tokens'),
  ).toBeVisible()
  await expect(dialog.getByRole('row', { name: 'line 59, counts 206,963 40,267 153 0' })).toBeVisible()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAxeClean(page, 'dialog[open]')

  await dialog.getByRole('button', { name: 'Back' }).click()
  await expect(dialog.getByRole('heading', { name: 'How this session is counted' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  await expect(cost).toBeFocused()
})

test('a figure that is asked for while another explanation only just closes is explained', async ({
  page,
}) => {
  await page.goto(`/s/${id}`)
  await page.getByRole('slider', { name: /^Tokens by request/ }).press('Enter')
  await page.getByRole('button', { name: 'View as table' }).first().click()
  const table = page.getByRole('group', { name: 'Tokens per request, table' })
  await table.getByRole('row', { name: /^16 / }).getByRole('button').last().click()
  const dialog = page.getByRole('dialog')
  const sums = dialog.getByText(/per million tokens/)
  await expect(sums).toBeVisible()
  await expect(sums).not.toContainText('166,696 × $2.5')
  // the browser tells of the closing later
  await page.evaluate(CLOSE_AND_ASK_FOR_ANOTHER)
  await expect(sums).toContainText('166,696 × $2.5 + 40,267 × $0.25 + 153 × $15')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('the sum of all usage opens to the sessions that it is made of, and they to theirs', async ({
  page,
}) => {
  await expectReadyIndex(page)
  await page.goto('/usage?range=all')
  await page.locator('.usage-figures').getByRole('button').click()
  const dialog = page.getByRole('dialog')
  const rows = dialog.locator('[data-label="Sessions, costliest first"] tbody tr')
  await expect(rows.filter({ hasText: title })).toBeVisible()
  const costsOf = (cells: string[]) =>
    cells
      .filter((text) => text.startsWith('$'))
      .map((text) => Math.round(Number(text.replaceAll(/[^\d.]/g, '')) * 1e9))
  const costs = costsOf(await rows.locator('td:last-child').allTextContents())
  expect(costs.length).toBeGreaterThan(1)
  const models = dialog.locator('[data-label="By model"] tfoot td:last-child')
  expect(costsOf(await models.allTextContents())).toEqual([costs.reduce((sum, nanos) => sum + nanos, 0)])
  await expectAxeClean(page, 'dialog[open]')
  await rows.filter({ hasText: title }).getByRole('button').last().click()
  await expect(dialog.getByRole('row', { name: 'Total 28 942,922 $0.680727025' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Back' }).click()
  await expect(rows.filter({ hasText: title })).toBeVisible()
})

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
  const csv = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV' }).first().click()
  expect((await csv).suggestedFilename()).toMatch(/^gemini-calls-.*\.csv$/)
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
  // all digits stand in the titles, and add up to the total to the last of them
  const titles = await panel
    .locator('.why-usd')
    .evaluateAll((each) => each.map((amount) => amount.getAttribute('title') ?? ''))
  const units = titles.map((title) => Math.round(Number(title.slice(1)) * 1e11))
  expect(units.reduce((sum, each) => sum + each, 0)).toBe(68_072_702_500)
  await expectAxeClean(page, '.session-cost')
  await panel.getByRole('link', { name: 'Go to turn 5' }).click()
  await expect(page).toHaveURL(/#m-/)
  await expect(page.getByRole('feed')).toBeVisible()
})

const CLOSE_AND_ASK_FOR_ANOTHER = `{
  document.querySelector('dialog').close()
  const rows = [...document.querySelectorAll('[aria-label="Tokens per request, table"] tbody tr')]
  rows.find((row) => row.textContent.includes('166,696')).querySelector('.dotted-button').click()
}`
