import type { Page } from '@playwright/test'
import { machineTime } from '../fixtures/machine-time.ts'
import { movedClock } from '../fixtures/moved-clock.ts'
import { makeSandbox } from './fixtures/demo-home.ts'
import { startProgram } from './fixtures/program.ts'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { expect, test } from './fixtures/test.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const range = (page: Page) => page.getByLabel('Range')
const panel = (page: Page, name: RegExp) => page.getByRole('region', { name })

test.describe('T12: the usage of a home without recent sessions', () => {
  test.beforeEach(async ({ page }) => {
    await page.clock.setFixedTime('2027-01-25T12:00:00Z')
    await expectReadyIndex(page)
  })

  test('opens on the shortest range that has something', async ({ page }) => {
    await page.goto('/usage')
    await expect(range(page)).toHaveValue('90d')
    await expect(
      panel(page, /^Cost per /)
        .locator('svg a')
        .first(),
    ).toBeVisible()
    await expect(page.getByText('Nothing recorded in this time.')).toHaveCount(0)
  })

  test('says of a range in which nothing is that it is empty, and shows all time', async ({ page }) => {
    await page.goto('/usage?range=30d')
    await expect(page.getByText('Nothing in the last 30 days.')).toBeVisible()
    await expect(panel(page, /^Cost per/)).toHaveCount(0)
    await page.getByRole('button', { name: 'Show all time' }).click()
    await expect(page).toHaveURL(/range=all/)
    await expect(range(page)).toHaveValue('all')
    await expect(panel(page, /^Cost per /)).toBeVisible()
  })
})

test('T12: the sample sessions are as they were 400 days later', async ({ browser }) => {
  const ahead = 400 * DAY_MS
  const sandbox = makeSandbox('empty')
  const program = await startProgram({ ...sandbox, homes: [] }, 0, {
    flags: ['--demo'],
    env: movedClock(ahead),
  })
  const context = await browser.newContext({ storageState: undefined, timezoneId: 'UTC' })
  const page = await context.newPage()
  await page.clock.setFixedTime(machineTime().getTime() + ahead)
  await page.goto(program.url)
  await expect(page.getByRole('heading', { level: 2 }).filter({ hasText: /^Yesterday/ })).toBeVisible()
  // the default range depends on what is known when the page opens
  const health = () => page.request.get(`${program.origin}/api/health`).then((answer) => answer.json())
  await expect.poll(async () => (await health()).index.state).toBe('ready')
  await page.goto(`${program.origin}/usage`)
  await expect(range(page)).toHaveValue('7d')
  await expect(
    panel(page, /^Cost per day/)
      .locator('svg a')
      .first(),
  ).toBeVisible()
  await page.goto(`${program.origin}/search?q=price&range=7d`)
  await expect(page.getByRole('link', { name: /Fix price rounding/ }).first()).toBeVisible()
  await context.close()
  await program.stop()
  sandbox.remove()
})
