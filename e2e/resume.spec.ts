import { readFile } from 'node:fs/promises'
import { expectAxeClean } from './fixtures/axe-scan.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

test('a session says with which command Gemini CLI goes on with it, and what speaks against that', async ({
  page,
}) => {
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  await page.getByRole('button', { name: 'Resume' }).click()
  const dialog = page.getByRole('dialog', { name: 'Resume with Gemini CLI' })
  const command = dialog.locator('.command code')
  await expect(command).toContainText(`cd /home/mia/code/webshop && `)
  await expect(command).toContainText(`gemini --resume ${SESSIONS.rounding.id}`)
  await expect(dialog.locator('.notice')).toContainText([
    'is not on this computer now',
    'does not look by itself',
  ])
  await dialog.getByRole('button', { name: 'PowerShell' }).click()
  await expect(command).toContainText('Set-Location -LiteralPath /home/mia/code/webshop; ')
  await expectAxeClean(page, 'dialog[open]')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Resume' })).toBeFocused()

  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 320, height: 844 })
  await page.getByRole('button', { name: 'Resume' }).click()
  await expectAxeClean(page, 'dialog[open]')
})

test('what another agent needs to go on is read before it is copied, without what names the person', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  await page.getByRole('button', { name: 'More of this session' }).click()
  await page.getByRole('button', { name: 'Hand over' }).click()
  const dialog = page.getByRole('dialog', { name: 'Hand over' })
  const text = dialog.locator('.dialog-text')
  await expect(text).toContainText('## What was asked')
  await expect(text).toContainText('- `src/money.js` (1 edit stands')
  await expect(text).not.toContainText('/home/mia')
  await expect(dialog.locator('.dialog-said')).toHaveText(/^About [\d,]+ tokens \(UTF-8 bytes \/ 4\)\./)
  await dialog.getByRole('button', { name: 'Copy Markdown' }).click()
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await text.textContent())
  await expectAxeClean(page, 'dialog[open]')

  await page.mouse.click(20, 300)
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'More of this session' }).click()
  await page.getByRole('button', { name: 'Hand over' }).click()

  await dialog.getByRole('button', { name: 'As recorded' }).click()
  await expect(text).toContainText('/home/mia')
  await expect(dialog.locator('.notice')).toContainText('Secrets, names and addresses')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 320, height: 844 })
  await expectAxeClean(page, 'dialog[open]')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'More of this session' })).toBeFocused()
})

test('R22: what is taken out of an export is looked at first, and can be left in', async ({ page }) => {
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  await page.getByRole('button', { name: 'More of this session' }).click()
  await page.getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export' })
  const homes = dialog.getByRole('region', { name: 'Home folders' })
  await expect(homes.locator('del').first()).toHaveText('/home/mia')
  await expect(homes.locator('ins').first()).toHaveText('~')
  await expectAxeClean(page, 'dialog[open]')
  const download = async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ])
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }
  const clean = await download()
  expect(clean.name).toMatch(/^2026-[-\w]+\.md$/)
  expect(clean.text).toContain('# ')
  expect(clean.text).not.toContain('/home/mia')
  await homes.getByRole('checkbox').first().uncheck()
  expect((await download()).text).toContain('/home/mia')

  await dialog.getByRole('button', { name: 'As recorded' }).click()
  await expect(dialog.locator('.notice')).toContainText('Secrets, names and addresses')
  await dialog.getByRole('button', { name: 'CSV' }).click()
  expect((await download()).text).toMatch(/^call,turn,message,time,model,/)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 320, height: 844 })
  await dialog.getByRole('button', { name: 'VAC record' }).click()
  await dialog.getByRole('button', { name: 'Redacted' }).click()
  await expect(homes.locator('del').first()).toBeHidden()
  await expectAxeClean(page, 'dialog[open]')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'More of this session' })).toBeFocused()
})
