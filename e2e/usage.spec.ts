import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAxeClean } from './fixtures/axe-scan.ts'
import { expect, test } from './fixtures/test.ts'

const panel = (page: Page, name: RegExp) => page.getByRole('region', { name })

test.beforeEach(async ({ page }) => {
  await page.goto('/usage?range=all')
  await expect(panel(page, /^Cost per day, 53 weeks/)).toBeVisible()
})

test('a column is reached by keyboard, says its value and leads to its sessions', async ({ page }) => {
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
  await expect(page.getByLabel('Time')).not.toHaveValue('')
})

test('days and hours are walked by arrow keys as one stop each', async ({ page }) => {
  for (const name of [/^Cost per day, 53 weeks/, /^Cost per hour of the week/]) {
    const cells = panel(page, name).locator('[data-cell]')
    await expect(panel(page, name).locator('[data-cell][tabindex="0"]')).toHaveCount(1)
    await cells.first().focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await expect(panel(page, name).locator('[data-cell="1,1"]')).toBeFocused()
    await expect(panel(page, name).locator('.chart-readout')).toContainText('Tue, ')
  }
})

test('each chart is also a table and a file', async ({ page }) => {
  test.slow()
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
  await expectAxeClean(page)
})

test('columns by project lead to the project', async ({ page }) => {
  await page.getByRole('button', { name: 'By project' }).click()
  const legend = panel(page, /by project/).locator('.legend a')
  await legend.first().click()
  await expect(page).toHaveURL(/\/p\//)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme })

    test('axe finds nothing, and nothing is wider than a phone', async ({ page }) => {
      // some 600 marks, looked at twice
      test.slow()
      await expectAxeClean(page)
      await page.setViewportSize({ width: 390, height: 844 })
      await expectAxeClean(page)
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect(overflow).toBe(0)
    })
  })
}
