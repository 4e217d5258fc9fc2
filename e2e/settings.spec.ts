import { readFileSync } from 'node:fs'
import { expectAxeCleanInBothThemes } from './fixtures/axe-scan.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

test.use({ ownProgram: 'settings' })

test('what a browser chooses holds at once on every page and in other tabs, and after a reload', async ({
  page,
  context,
}) => {
  const other = await context.newPage()
  await other.goto('/')
  await expect(other.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
  await page.goto('/settings')
  const press = async (group: string, name: string) => {
    const button = page.getByRole('group', { name: group }).getByRole('button', { name })
    await button.click()
    await expect(button).toHaveAttribute('aria-pressed', 'true')
    await expect(button).toBeFocused()
  }
  await press('Theme', 'Dark')
  await press('Density', 'Compact')
  const ownZone = page.getByRole('combobox', { name: 'Your own zone' })
  await ownZone.fill('Middle Earth')
  await ownZone.press('Enter')
  await expect(page.getByRole('alert')).toContainText('knows no zone “Middle Earth”')
  await ownZone.fill('kolkata')
  await ownZone.press('Enter')
  await expect(ownZone).toHaveValue('Asia/Kolkata')
  await expect(ownZone).toBeFocused()
  await expect(other.getByRole('button', { name: /^Times in GMT\+5:30, Asia\/Kolkata/ })).toBeVisible()
  await press('Time zone', 'UTC')
  await press('Clock', '12 h')
  await page.getByRole('switch', { name: 'Thoughts' }).check()
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck()

  const clock = /\b\d{1,2}:\d\d\s?(?:am|pm)/i
  await expect(other.locator('html')).toHaveAttribute('data-density', 'compact')
  await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(other.getByRole('button', { name: /^Times in UTC/ })).toBeVisible()
  await other.keyboard.type('gu')
  await expect(other).toHaveURL(/\/$/)
  await other.goto(`/s/${SESSIONS.rounding.id}`)
  await expect(other.locator('.conversation article').first()).toContainText(clock)
  await expect(other.getByText('Investigating the rounding').first()).toBeVisible()
  await expect(other.getByRole('button', { name: /2 thoughts/ }).first()).toHaveAttribute(
    'aria-expanded',
    'true',
  )
  await other.goto('/usage?range=all')
  await expect(other.getByRole('table', { name: /per hour of the week/ })).toContainText('9 am')

  await page.reload()
  await expect(ownZone).toHaveValue('Asia/Kolkata')
  for (const name of ['Dark', 'Compact', 'UTC', '12 h'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('switch', { name: 'Thoughts' })).toBeChecked()
  await expect(page.getByRole('switch', { name: 'Single-key shortcuts' })).not.toBeChecked()
})

test('homes, cache, prices, own marks and the report are at hand, each said what it does', async ({
  page,
}, testInfo) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/settings#prices')
  const section = (name: string) => page.getByRole('region', { name })
  await expect(section('Prices')).toBeFocused()
  await expect(section('Privacy')).toContainText('Browsers of this computer that you let in')

  const label = section('Homes').getByRole('textbox')
  await label.fill('laptop')
  await section('Homes').getByRole('button', { name: 'Save' }).click()
  await expect(section('Homes')).toContainText('laptop')
  await page.reload()
  await expect(label).toHaveValue('laptop')

  await section('Prices').getByRole('button', { name: 'Add a model' }).click()
  const form = page.getByRole('form', { name: 'Price of a model' })
  await form.getByLabel('Model').fill('my-model')
  await form.getByLabel(/^New input/).fill('cheap')
  await form.getByRole('button', { name: 'Keep this price' }).click()
  await expect(form.getByRole('alert')).toContainText('A price is a number of dollars')
  await form.getByLabel(/^New input/).fill('0,5')
  await form.getByLabel(/^Output/).fill('3')
  await form.getByRole('button', { name: 'Keep this price' }).click()
  await expect(section('Prices')).toContainText('Your price: in $0.5, cached as new, out and thoughts $3')

  await section('Cache').getByRole('button', { name: 'Clear' }).click()
  await expect(section('Cache')).toContainText('The sessions are read anew.')

  const saved = page.waitForEvent('download')
  await section('Own marks').getByRole('link', { name: 'Export' }).click()
  const file = await (await saved).path()
  expect(JSON.parse(readFileSync(file, 'utf8')).marks).toBe('gemini-dash')
  const choice = section('Own marks').getByLabel('Import marks from a file')
  await choice.setInputFiles(file)
  await expect(section('Own marks')).toContainText('Everything in this file was known already.')
  await choice.setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{') })
  await expect(section('Own marks').getByRole('alert')).toContainText('This file is no JSON.')

  await expect(section('Written under a home')).toContainText('Nothing was written so far.')
  await section('Health').getByRole('button', { name: 'Show the report' }).click()
  await expect(section('Health').locator('pre')).toContainText('# Health of gemini-dash')
  await expectAxeCleanInBothThemes(page)
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await page.screenshot({
      path: testInfo.outputPath(`settings-${colorScheme}-${width}.png`),
      fullPage: true,
    })
  }
  await page.goto('/usage')
  await page.getByRole('button', { name: 'More pages, settings and theme' }).click()
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveURL(/\/settings$/)
})
