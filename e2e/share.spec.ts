import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

async function openShare(page: Page) {
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  return page.getByRole('dialog', { name: 'Share this session' })
}

test('R22: sharing says what is redacted, shows it, and saves a readable file or one for programs', async ({
  page,
}) => {
  test.slow()
  const dialog = await openShare(page)
  await expect(dialog.getByRole('heading', { name: /^\d+ items will be redacted$/ })).toBeVisible()
  const name = page.getByRole('checkbox', { name: 'Your name and home folder' })
  await expect(dialog.getByRole('listitem').filter({ has: name })).toContainText('× /home/mia → ~')
  // the same as the session's head
  await expect(dialog).toContainText('8 turns, 41 tool calls.')
  // before saving a file: two buttons, five switches
  await expect(dialog.getByRole('checkbox')).toHaveCount(5)
  const save = async (press: () => Promise<void>) => {
    const [file] = await Promise.all([page.waitForEvent('download'), press()])
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }
  const asHtml = () => save(() => dialog.getByRole('button', { name: 'Readable file (HTML)' }).click())
  const forPrograms = (format: string) =>
    save(async () => {
      await dialog.getByRole('button', { name: 'For programs…' }).click()
      await dialog.getByRole('button', { name: format, exact: true }).click()
    })
  const clean = await asHtml()
  expect(clean.name).toMatch(/^2026-[-\w]+\.html$/)
  expect(clean.text).not.toContain('/home/mia')
  expect(clean.text).toContain('Tests  ')
  const markdown = await forPrograms('Markdown')
  expect(markdown.name).toMatch(/\.md$/)
  expect(markdown.text).not.toContain('/home/mia')

  await dialog.getByRole('button', { name: 'Preview redactions' }).click()
  const homes = dialog.getByRole('region', { name: 'Home folders' })
  await expect(homes.locator('del').first()).toHaveText('/home/mia')
  await expect(homes.locator('ins').first()).toHaveText('~')
  await homes.getByRole('checkbox').first().uncheck()
  expect((await forPrograms('JSONL')).text).toContain('/home/mia')
  await dialog.getByRole('checkbox', { name: 'Include tool output' }).uncheck()
  await expect(dialog.getByRole('checkbox', { name: /^Include attached/ })).toBeDisabled()
  for (const group of [/^Your name/, /^Email/, /^Keys/])
    await dialog.getByRole('checkbox', { name: group }).uncheck()
  await expect(dialog.getByRole('heading', { name: 'Nothing will be redacted' })).toBeVisible()
  await expect(dialog.locator('.notice')).toContainText('secrets, names and addresses')
  const bare = await asHtml()
  expect(bare.text).not.toContain('Tests  ')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Share', exact: true })).toBeFocused()
})

test('a brief for another agent is read before it is copied, without what names the person', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const share = await openShare(page)
  await share.getByRole('button', { name: 'Brief for another agent' }).click()
  const dialog = page.getByRole('dialog', { name: 'Brief for another agent' })
  const text = dialog.locator('.dialog-text')
  await expect(text).toContainText('## What was asked')
  await expect(text).toContainText('- `src/money.js` (1 edit: unchanged since')
  await expect(text).not.toContainText('/home/mia')
  await expect(dialog.locator('.dialog-said')).toHaveText(/^At most [\d,]+ tokens\./)
  await dialog.getByRole('button', { name: 'Copy Markdown' }).click()
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await text.textContent())

  await dialog.getByRole('button', { name: 'As recorded' }).click()
  await expect(text).toContainText('/home/mia')
  await expect(dialog.locator('.notice')).toContainText('secrets, names and addresses')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Share', exact: true })).toBeFocused()
})

test('a copy of a selection that lacks messages says so and offers the whole session; one that is whole does not', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const hint = page.getByText(/^Only part of the selection was copied/)
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
  await page.goto(`/s/${SESSIONS.long.id}`)
  const prompt = page.locator('.conversation-row article').first()
  await expect(prompt).toBeVisible()
  await prompt.locator('p').first().click({ clickCount: 3 })
  await page.keyboard.press('ControlOrMeta+c')
  await expect.poll(copied).not.toBe('')
  await expect(hint).toHaveCount(0)

  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('ControlOrMeta+c')
  await expect(hint).toBeVisible()
  const part = await copied()
  await page.getByRole('button', { name: 'Copy the whole session' }).click()
  await expect(page.locator('.find-hint')).toHaveText(/^Copied/)
  expect((await copied()).length).toBeGreaterThan(2 * part.length)
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page.locator('.find-hint')).toHaveCount(0)

  await page.reload()
  await expect(prompt).toBeVisible()
  // from the first messages to far below: the first stay drawn, those in between do not
  await prompt.locator('p').first().click()
  await page.keyboard.press('End')
  await expect(page.locator('.conversation-row').last()).toBeInViewport()
  await page
    .locator('.conversation-row p')
    .last()
    .click({ modifiers: ['Shift'] })
  await page.keyboard.press('ControlOrMeta+c')
  await expect(hint).toBeVisible()
})
