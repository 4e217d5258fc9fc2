import type { Page } from '@playwright/test'
import { expectAxeClean } from './fixtures/axe-scan.ts'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

const { id, title } = SESSIONS.rounding

test('a figure leads from a month over its sessions and calls to the record that it stands in, and back', async ({
  page,
}) => {
  await page.goto('/usage?range=all')
  const tile = page.locator('.tile', { hasText: 'Tokens' }).getByRole('button')
  await tile.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('row', { name: /^total/ })).toHaveClass('asked')
  await expect(dialog.getByText('1 call without recorded tokens')).toBeVisible()

  await dialog.getByRole('row', { name: title }).getByRole('button').last().click()
  await expect(dialog.getByText('24 model calls, 927,536 tokens in all, $0.669557025')).toBeVisible()
  await expect(dialog.getByRole('row', { name: 'Together 28 942,922 $0.680727025' })).toBeVisible()
  await expect(dialog.getByText('taken back: 3 calls, $0.012323875.')).toBeVisible()
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
  await expect(tile).toBeFocused()
})

test('the figures of a row of the list explain themselves, and the row stays a link', async ({ page }) => {
  await page.goto('/')
  const row = page.locator('.session-row', { hasText: title })
  // the first one is the star
  const [tokens, cost] = [row.getByRole('button').nth(1), row.getByRole('button').nth(2)]
  await cost.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('$0.669557025 at list price, without sub-agents')).toBeVisible()
  await expect(dialog.getByRole('row', { name: 'Together 28 942,922 $0.680727025' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(cost).toBeFocused()
  await tokens.press('Enter')
  await expect(dialog.getByRole('row', { name: /^total/ })).toHaveClass('asked')
  await page.keyboard.press('Escape')
  await expectAxeClean(page, 'main')
  // beside its links: all of it leads to the session
  await row.click({ position: { x: 4, y: 5 } })
  await expect(page).toHaveURL(/\/s\//)
})

test('a figure that is asked for while another explanation only just closes is explained', async ({
  page,
}) => {
  await page.goto('/')
  const row = page.locator('.session-row', { hasText: title })
  await row.getByRole('button').last().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('$0.669557025 at list price, without sub-agents')).toBeVisible()
  // the browser tells of the closing later
  await page.evaluate(CLOSE_AND_ASK_FOR_TOKENS)
  await expect(dialog.getByRole('row', { name: /^total/ })).toHaveClass('asked')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('the sum of a day in the list opens to the sessions that it is made of, and they to theirs', async ({
  page,
}) => {
  await expectReadyIndex(page)
  await page.goto('/')
  await page.locator('.session-day').first().getByRole('button').last().click()
  const dialog = page.getByRole('dialog')
  const parts = dialog.locator('[data-label="Sessions of this day"]')
  const rows = parts.locator('tbody tr')
  await expect(rows.filter({ hasText: title })).toBeVisible()
  const costsOf = (cells: string[]) =>
    cells.filter((text) => text.startsWith('$')).map((text) => Math.round(Number(text.slice(1)) * 1e9))
  const costs = costsOf(await rows.locator('td:last-child').allTextContents())
  expect(costs.length).toBeGreaterThan(1)
  expect(costsOf(await parts.locator('tfoot td:last-child').allTextContents())).toEqual([
    costs.reduce((sum, nanos) => sum + nanos, 0),
  ])
  await expectAxeClean(page, 'dialog[open]')
  await rows.filter({ hasText: title }).getByRole('button').last().click()
  await expect(dialog.getByRole('row', { name: 'Together 28 942,922 $0.680727025' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Back' }).click()
  await expect(rows.filter({ hasText: title })).toBeVisible()
})

test('the chart of a session is walked by keyboard; its table holds what it draws', async ({ page }) => {
  await page.goto(`/s/${id}`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await explainedRow(page, 'Input tokens', /^input 938,448/)
  await explainedRow(page, 'Cache hit rate', /^of it cached 637,585/)

  await page.getByRole('button', { name: 'Chart', exact: true }).click()
  const chart = page.getByRole('group', { name: /^Tokens per call, .* Arrow keys walk/ })
  await expect(chart.getByRole('img')).toBeVisible()
  await chart.focus()
  for (let step = 0; step < 7; step++) await page.keyboard.press('ArrowLeft')
  await expect(chart.locator('..').getByRole('status')).toHaveText(
    'Call 17, turn 5: 206,963 input, of it 40,267 cached, 153 output, $0.429',
  )
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#m-/)

  await page.getByRole('button', { name: 'View as table' }).first().click()
  const table = page.getByRole('group', { name: 'Tokens per call, table' })
  await expect(table.getByRole('row')).toHaveCount(25)
  await expect(
    table.getByRole('row', { name: /^17 5 .* 166,696 40,267 153 0 0 higher rate \$0\.429 \$0\.612$/ }),
  ).toBeVisible()
  const csv = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV' }).first().click()
  expect((await csv).suggestedFilename()).toMatch(/^gemini-calls-.*\.csv$/)
})

test('C8: the cost panel says where each dollar went, and leads to what shows it', async ({ page }) => {
  await page.goto(`/s/${id}`)
  await page.getByRole('link', { name: 'where it went' }).click()
  const panel = page.getByRole('region', { name: 'Where it went' })
  const items = panel.getByRole('listitem')
  await expect(items).toHaveCount(7)
  const texts = await items.allTextContents()
  const wanted = [
    /^\$.*Taken back/,
    /Above 200,000 tokens/,
    /Results sent again/,
    /Thoughts/,
    /The rest/,
    /Sub-agents/,
    /28 calls/,
  ]
  for (const [index, pattern] of wanted.entries()) expect(texts[index]).toMatch(pattern)
  // all digits stand in the titles, and the items add up to the total to the last of them
  const titles = await panel
    .locator('.went-usd')
    .evaluateAll((amounts) => amounts.map((amount) => amount.getAttribute('title') ?? ''))
  const units = titles.map((title) => Math.round(Number(title.slice(1)) * 1e11))
  expect(titles.at(-1)).toBe('$0.680727025')
  expect(units.slice(0, -1).reduce((sum, each) => sum + each, 0)).toBe(units.at(-1))
  await expectAxeClean(page, '.session-cost')
  await panel.getByRole('link', { name: 'Show the call' }).click()
  await expect(page).toHaveURL(/#m-/)
  await expect(page.getByRole('feed')).toBeVisible()
})

/** A figure of the session's head says which recorded field it is the sum of. */
async function explainedRow(page: Page, label: string, row: RegExp): Promise<void> {
  await page.locator('.figure', { hasText: label }).getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('row', { name: row })).toHaveClass(/asked/)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

const CLOSE_AND_ASK_FOR_TOKENS = `{
  document.querySelector('dialog').close()
  const row = [...document.querySelectorAll('.session-row')].find((row) => row.textContent.includes(${JSON.stringify(title)}))
  row.querySelector('.dotted-button').click()
}`
