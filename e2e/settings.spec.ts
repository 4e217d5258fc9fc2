import { readFileSync } from 'node:fs'
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
  const ownZone = page.getByRole('combobox', { name: 'Time zone' })
  await ownZone.fill('Middle Earth')
  await ownZone.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Unknown time zone “Middle Earth”')
  await ownZone.fill('kolkata')
  await ownZone.press('Enter')
  await expect(ownZone).toHaveValue('Asia/Kolkata')
  await expect(ownZone).toBeFocused()
  await expect(other.getByRole('button', { name: /^Times in GMT\+5:30, Asia\/Kolkata/ })).toBeVisible()
  await page.getByRole('checkbox', { name: 'Thinking' }).check()
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck()

  await expect(other.locator('html')).toHaveAttribute('data-density', 'compact')
  await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark')
  await other.keyboard.type('gu')
  await expect(other).toHaveURL(/\/$/)
  await other.goto(`/s/${SESSIONS.rounding.id}`)
  await expect(other.getByText('Investigating the rounding').first()).toBeVisible()
  await expect(other.getByRole('button', { name: /2 thoughts/ }).first()).toHaveAttribute(
    'aria-expanded',
    'true',
  )

  await page.reload()
  await expect(ownZone).toHaveValue('Asia/Kolkata')
  for (const name of ['Dark', 'Compact'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('checkbox', { name: 'Thinking' })).toBeChecked()
  await expect(page.getByRole('switch', { name: 'Single-key shortcuts' })).not.toBeChecked()
})

test('prices, budget, cache, own data and the report are at hand, each says what it does', async ({
  page,
}) => {
  const section = (name: string) => page.getByRole('region', { name, exact: true })
  // all settings used to be on one page
  await page.goto('/settings#prices')
  await expect(page).toHaveURL(/\/settings\/prices$/)
  await page.getByRole('button', { name: 'Add a model' }).click()
  const form = page.getByRole('form', { name: 'Price of a model' })
  await form.getByLabel('Model').fill('my-model')
  await form.getByLabel(/^Input/).fill('cheap')
  await form.getByRole('button', { name: 'Save price' }).click()
  await expect(form.getByRole('alert')).toContainText('A price is a number of dollars')
  await form.getByLabel(/^Input/).fill('0,5')
  await form.getByLabel(/^Output/).fill('3')
  await form.getByRole('button', { name: 'Save price' }).click()
  await expect(page.getByRole('row', { name: /^my-model/ })).toContainText('$0.50$0.50$3.00')
  const budgets = section('Budgets per month')
  await budgets.getByRole('button', { name: 'Set a budget' }).click()
  await budgets.getByLabel('Dollars a month').fill('20')
  await budgets.getByRole('button', { name: 'Save' }).click()
  await expect(budgets).toContainText('of $20.00')

  await page.getByRole('link', { name: 'Storage' }).click()
  await section('Cache').getByRole('button', { name: 'Clear' }).click()
  await expect(section('Cache')).toContainText('All session files are being read again.')
  const saved = page.waitForEvent('download')
  await section('Stars, notes and tags').getByRole('link', { name: 'Export' }).click()
  const file = await (await saved).path()
  expect(JSON.parse(readFileSync(file, 'utf8')).marks).toBe('gemini-dash')
  const choice = section('Stars, notes and tags').getByLabel('Import stars, notes and tags from a file')
  await choice.setInputFiles(file)
  await expect(section('Stars, notes and tags')).toContainText('Everything in this file is here already.')
  await choice.setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{') })
  await expect(section('Stars, notes and tags').getByRole('alert')).toContainText('This file is no JSON.')
  await expect(section('Changes to the Gemini folder')).toContainText('No changes yet')

  await page.getByRole('link', { name: 'Privacy' }).click()
  await expect(section('Privacy')).toContainText('Only browsers signed in with a link from the terminal.')
  await page.getByRole('link', { name: 'Diagnostics' }).click()
  await expect(page.getByText(/^gemini-dash \S+ · Node\.js \S+ · \S+$/)).toBeVisible()
  await page.getByRole('button', { name: 'Create report' }).click()
  await expect(page.locator('pre')).toContainText('# Health of gemini-dash')
})

test('no page of the settings is higher than 1,300 px', async ({ page }) => {
  for (const section of ['', '/prices', '/storage', '/privacy', '/diagnostics']) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`/settings${section}`)
    await expect(page.locator('.settings-section').first()).toBeVisible()
    const height = await page.evaluate('document.documentElement.scrollHeight')
    expect(height, section).toBeLessThanOrEqual(1_300)
  }
})
