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
    'doesn’t exist on this computer',
    'isn’t Gemini CLI’s default folder',
  ])
  await dialog.getByRole('button', { name: 'PowerShell' }).click()
  await expect(command).toContainText('Set-Location -LiteralPath /home/mia/code/webshop; ')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Resume' })).toBeFocused()
})
