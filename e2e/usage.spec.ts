import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { expect, test } from './fixtures/test.ts'
import { chatsOf, writeAsCli } from './fixtures/write-as-cli.ts'

test.use({ ownProgram: 'usage' })

const panel = (page: Page, name: RegExp) => page.getByRole('region', { name })

test.beforeEach(async ({ page }) => {
  // later scan results redraw the charts during keyboard navigation
  await expectReadyIndex(page)
  await page.goto('/usage?range=all')
  await expect(
    panel(page, /^Cost per /)
      .locator('.bars rect')
      .first(),
  ).toBeVisible()
})

test('one number, one reason, one chart and one table: short, and the costliest session at the top', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(page.locator('.usage-figures > div')).toHaveText([
    /^Cost\$/,
    /^Sessions\d+.*requests, .* tokens$/,
    /^Failed tool calls\d+.* of /,
  ])
  const why = panel(page, /^Why \$/)
  const first = await why.getByRole('listitem').first().boundingBox()
  expect(first?.y).toBeLessThan(500)
  await expect(why.getByRole('link', { name: 'Show why' }).first()).toHaveAttribute('href', /view=cost/)
  await expect(page.getByRole('main').getByRole('table')).toHaveCount(1)
  await expect(page.locator('svg.column-chart')).toHaveCount(1)
})

test('columns are reached by keyboard, say their value and lead to their sessions', async ({ page }) => {
  await page.getByRole('group', { name: 'Interval' }).getByRole('button', { name: 'Week' }).click()
  await page.getByLabel('Chart').selectOption('Tokens')
  await expect(page).toHaveURL(/unit=week&metric=tokens|metric=tokens&unit=week/)
  const columns = panel(page, /^Tokens per week$/)
  const marks = columns.locator('svg a')
  await marks.last().focus()
  await page.keyboard.press('Home')
  await expect(marks.first()).toBeFocused()
  await expect(columns.locator('.chart-readout')).toHaveText(
    (await marks.first().getAttribute('aria-label')) ?? '',
  )
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/\?from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/)
})

test('each of seven days has a date, also on a phone every second one', async ({ page, program }) => {
  // the sample sessions have fixed dates, which are before the last seven days
  const file = join(chatsOf(program), 'session-2026-11-28T09-00-5e7e0da1.jsonl')
  writeAsCli(file, 'start', 'A prompt of today')
  writeAsCli(file, 'answer', 'An answer of today')
  const dates = panel(page, /^Cost per day$/).locator('svg > text:not(.highest)')
  for (const [width, count] of [
    [1440, 7],
    [390, 4],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/usage?range=7d')
    await expect(dates).toHaveCount(count)
  }
})

test('the table shows sessions, projects, models or tools', async ({ page }) => {
  const table = page.getByRole('main').getByRole('table')
  for (const name of ['Projects', 'Models', 'Tools', 'Sessions']) {
    await page.getByRole('group', { name: 'Table' }).getByRole('button', { name }).click()
    await expect(table).toHaveAttribute('aria-label', name)
    await expect(table.getByRole('row').nth(1).getByRole('link').first()).toBeVisible()
  }
  await page.getByRole('link', { name: /more sessions$/ }).click()
  await expect(page).toHaveURL(/\/\?sort=cost/)
})

test('all data can be exported as CSV or JSON', async ({ page }) => {
  await page.getByRole('button', { name: 'Export data…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export data' })
  const csv = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Hours of the week as CSV' }).click()
  expect((await csv).suggestedFilename()).toMatch(/^gemini-usage-by-.*\.csv$/)
  const [head, first] = (await readFile(await (await csv).path(), 'utf8')).split('\r\n')
  expect(first?.split(',').length).toBe(head?.split(',').length)
  const json = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Models as JSON' }).click()
  expect((await json).suggestedFilename()).toBe('gemini-usage-by-model.json')
  const { rows } = JSON.parse(await readFile(await (await json).path(), 'utf8'))
  expect(rows.length).toBeGreaterThan(1)
})

test('a budget is set in Settings, and warns on Usage and Sessions once the month passes it', async ({
  page,
  program,
}) => {
  // in whatever month this runs
  const file = join(program.sandbox.home, '.gemini/tmp/webshop/chats/session-2026-11-25T10-00-0f7415b0.jsonl')
  writeAsCli(file, 'start', 'Of this month')
  for (const text of ['One.', 'Two.', 'Three.']) writeAsCli(file, 'answer', text)
  const budgets = panel(page, /^Budgets per month/)
  await page.goto('/settings/prices')
  await budgets.getByRole('button', { name: 'Set a budget' }).click()
  await budgets.getByLabel('Dollars a month').fill('a lot')
  await budgets.getByRole('button', { name: 'Save' }).click()
  await expect(budgets.getByRole('alert')).toContainText('such as 20 or 12.50')
  await budgets.getByLabel('Dollars a month').fill('0.01')
  await budgets.getByRole('button', { name: 'Save' }).click()
  await expect(budgets.getByRole('listitem')).toContainText(/all projects.*of \$0\.01.*\$/)
  const warning = page.getByText(/^This month has cost \$[\d.]+, \$[\d.]+ over the budget of \$0\.01/)
  for (const path of ['/usage', '/']) {
    await page.goto(path)
    await expect(warning).toBeVisible()
  }
  await page.getByRole('link', { name: 'Budgets' }).click()
  await expect(page).toHaveURL(/\/settings\/prices#budgets$/)
  await budgets.getByRole('button', { name: 'Change the budget for all projects' }).click()
  await budgets.getByRole('button', { name: 'Remove' }).click()
  await expect(budgets).toContainText('No budget.')
})

test.describe('days begin where the reader is', () => {
  test.use({ timezoneId: 'Europe/Vienna' })

  test('or in UTC, for all of the page', async ({ page }) => {
    await page.getByRole('button', { name: 'Times in CET, Europe/Vienna. Show them in UTC' }).click()
    await expect(page.getByRole('button', { name: 'Times in UTC. Show them in Europe/Vienna' })).toBeFocused()
  })
})
