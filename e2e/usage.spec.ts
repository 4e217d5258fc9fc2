import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAxeClean } from './fixtures/axe-scan.ts'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { expect, test } from './fixtures/test.ts'
import { writeAsCli } from './fixtures/write-as-cli.ts'

test.use({ ownProgram: 'usage' })

const panel = (page: Page, name: RegExp) => page.getByRole('region', { name })

test.beforeEach(async ({ page }) => {
  // what is read later draws the charts anew, under whoever walks them
  await expectReadyIndex(page)
  await page.goto('/usage?range=all')
  await expect(panel(page, /^Cost per day, 53 weeks/)).toBeVisible()
})

test('columns are stacked by project, reached by keyboard, say their value and lead to their sessions', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'By project' }).click()
  await expect(
    panel(page, /by project/)
      .locator('.legend a')
      .first(),
  ).toHaveAttribute('href', /^\/p\//)
  await page.getByRole('button', { name: 'By model' }).click()
  const columns = panel(page, /^Cost per .*, by model/)
  const marks = columns.locator('svg a')
  await marks.last().focus()
  await page.keyboard.press('Home')
  await expect(marks.first()).toBeFocused()
  await expect(columns.locator('.chart-readout')).toHaveText(
    (await marks.first().getAttribute('aria-label')) ?? '',
  )
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/\?from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/)
  await expect(page.getByLabel('Time', { exact: true })).not.toHaveValue('')
})

test('on a phone a chart that is wider than the page begins with what is newest', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/usage?range=all')
  for (const name of [/^Cost per .*, by model/, /^Cost per day, 53 weeks/]) {
    const marks = panel(page, name).locator('[data-cell]')
    await panel(page, name).scrollIntoViewIfNeeded()
    await expect(marks.last()).toBeInViewport()
    await expect(marks.first()).not.toBeInViewport()
  }
})

test('days and hours are walked by arrow keys as one stop each, and an hour leads to its sessions', async ({
  page,
}) => {
  for (const name of [/^Cost per day, 53 weeks/, /^Cost per hour of the week/]) {
    const cells = panel(page, name).locator('[data-cell]')
    await expect(panel(page, name).locator('[data-cell][tabindex="0"]')).toHaveCount(1)
    await cells.first().focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await expect(panel(page, name).locator('[data-cell="1,1"]')).toBeFocused()
    await expect(panel(page, name).locator('.chart-readout')).toContainText('Tue, ')
  }
  const hours = panel(page, /^Cost per hour of the week/)
  const hour = hours.locator('a[data-cell]:not([aria-label$="nothing"])').first()
  const name = (await hour.getAttribute('aria-label')) ?? ''
  await hour.click()
  await expect(page).toHaveURL(/\?hour=[1-7]-\d\d$/)
  await expect(page.getByRole('button', { name: name.replace(/:[^:]*$/, ''), pressed: true })).toBeVisible()
  await expect(page.getByRole('listitem').getByRole('link').first()).toBeVisible()
})

test('each chart is also a table and a file', async ({ page }) => {
  const charts = [/^Cost per .*, by model/, /^Cost per day, 53 weeks/, /^Cost per hour/, /^Cache hit rate/]
  for (const name of charts) {
    await panel(page, name).getByRole('button', { name: 'View as table' }).click()
    await expect(panel(page, name).getByRole('table').getByRole('row').nth(1)).toBeVisible()
    const download = page.waitForEvent('download')
    await panel(page, name).getByRole('link', { name: /^CSV/ }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^gemini-usage-by-.*\.csv$/)
    const [head, first] = (await readFile(await file.path(), 'utf8')).split('\r\n')
    expect(first?.split(',').length).toBe(head?.split(',').length)
  }
  await page.evaluate('scrollTo(0, 0)')
  // the charts themselves are looked at with all pages, in both themes
  await expectAxeClean(page, 'main')
})

test('a budget is set, warns on both pages once the month passes it, and is taken back', async ({
  page,
  program,
}) => {
  // whichever month it is when this runs
  const file = join(program.sandbox.home, '.gemini/tmp/webshop/chats/session-2026-11-25T10-00-0f7415b0.jsonl')
  writeAsCli(file, 'start', 'Of this month')
  for (const text of ['One.', 'Two.', 'Three.']) writeAsCli(file, 'answer', text)
  const budgets = panel(page, /^Budgets per month/)
  await page.getByRole('button', { name: 'Set a budget' }).click()
  await budgets.getByLabel('Dollars a month').fill('a lot')
  await budgets.getByRole('button', { name: 'Save' }).click()
  await expect(budgets.getByRole('alert')).toContainText('such as 20 or 12.50')
  await budgets.getByLabel('Dollars a month').fill('0.01')
  await budgets.getByRole('button', { name: 'Save' }).click()
  await expect(budgets.getByRole('listitem')).toContainText(/all projects.*of \$0\.01.*passed by \$/)
  const warning = page.getByText(/^This month has cost \$[\d.]+, \$[\d.]+ over the budget of \$0\.01/)
  await expect(warning).toBeVisible()
  await expectAxeClean(page, '#budgets')

  await page.getByRole('link', { name: 'Sessions' }).first().click()
  await expect(warning).toBeVisible()
  await page.getByRole('link', { name: 'Budgets' }).click()
  await budgets.getByRole('button', { name: 'Change the budget for all projects' }).click()
  await budgets.getByRole('button', { name: 'Remove' }).click()
  await expect(warning).toHaveCount(0)
  await expect(budgets).toContainText('None is set.')
})

test.describe('days begin where the reader is', () => {
  test.use({ timezoneId: 'Europe/Vienna' })

  test('or in UTC, for all of the page', async ({ page }) => {
    const hours = panel(page, /^Cost per hour of the week/)
    await expect(hours.getByText('Europe/Vienna')).toBeVisible()
    await page.getByRole('button', { name: 'Times in CET, Europe/Vienna. Show them in UTC' }).click()
    await expect(hours.getByText('UTC', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Times in UTC. Show them in Europe/Vienna' })).toBeFocused()
  })
})
