import { createHash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures/test.ts'
import { writeAsCli } from './fixtures/write-as-cli.ts'

test.use({ ownProgram: 'projects' })

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const rail = (page: Page) => page.getByRole('navigation', { name: 'Projects' })

async function openForm(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'More for this project' }).click()
  await page.getByRole('button', { name: 'Edit name and path' }).click()
  return page.getByRole('dialog', { name: 'Edit name and path' })
}

async function fillForm(page: Page, fields: { Name?: string; Path?: string }): Promise<void> {
  const dialog = await openForm(page)
  for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).fill(text)
  await dialog.getByRole('button', { name: 'Save' }).click()
}

test('a project that the user names is called so everywhere, also after a reload', async ({ page }) => {
  await page.goto('/p/dotfiles')
  await expect(heading(page, 'dotfiles')).toBeVisible()
  const address = await rail(page)
    .getByRole('link', { name: /^dotfiles/ })
    .getAttribute('href')
  await fillForm(page, { Name: 'My settings' })
  await expect(heading(page, 'My settings')).toBeVisible()
  await expect(rail(page).getByRole('link', { name: /^My settings/ })).toBeVisible()
  await expect(page).toHaveTitle(/My settings/)
  await page.goto(address ?? '')
  await expect(heading(page, 'My settings')).toBeVisible()

  await fillForm(page, { Name: '' })
  await expect(heading(page, 'dotfiles')).toBeVisible()
})

test.describe('a form that is refused', () => {
  test.use({ expectedProblem: /400/ })

  test('says what is wrong, keeps what was typed, and closes by Escape', async ({ page }) => {
    await page.goto('/p/webshop')
    await fillForm(page, { Path: 'code/webshop' })
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('alert')).toContainText('is not a whole path')
    await expect(dialog.getByLabel('Path')).toHaveValue('code/webshop')
    await dialog.getByLabel('Path').fill('')
    await dialog.getByLabel('Name').fill('turned \u202Eround')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByRole('alert')).toContainText('characters that cannot be seen')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: 'More for this project' })).toBeFocused()
  })
})

test('the heading says where the project is; the form says how that is known, and that the folder is gone', async ({
  page,
}) => {
  await page.goto('/p/webshop')
  await expect(heading(page, 'webshop')).toHaveAttribute('title', /webshop, from Gemini CLI’s marker file$/)
  const dialog = await openForm(page)
  await expect(dialog.getByText('The folder is gone')).toBeVisible()
  await dialog.getByRole('button', { name: 'How we found this path' }).click()
  await expect(dialog.getByText(/marker file: proven by its SHA-256/)).toBeVisible()
})

test('a folder that only its hash names is looked for, and found when it is there', async ({
  page,
  program,
}) => {
  const { home } = program.sandbox
  const path = join(home, 'code', 'clients', 'found-again')
  const hash = createHash('sha256').update(path).digest('hex')
  const chat = join(home, '.gemini/tmp', hash, 'chats/session-2026-11-21T22-00-11112222.jsonl')
  writeAsCli(chat, 'start', 'Words without a place')
  await page.goto('/')
  await page.getByRole('link', { name: 'Words without a place', exact: true }).waitFor()
  await rail(page).getByRole('button', { name: /more$/ }).click()
  await rail(page).getByTitle('Words without a place').click()
  await (await openForm(page)).getByRole('link', { name: 'Look for this folder' }).click()
  await expect(page).toHaveURL(/\/settings\/storage#projects$/)
  mkdirSync(path, { recursive: true })
  // the address opened the details
  const row = page.locator('.finding', { hasText: 'Words without a place' })
  await row.getByRole('button', { name: 'Look for this folder' }).click()
  await expect(row).toHaveCount(0)
  await page.goto('/p/found-again')
  await expect(heading(page, 'found-again')).toHaveAttribute('title', /found by the folder’s hash$/)
  rmSync(path, { recursive: true })
})

test('C21: a project without a name is called unknown, and says what it is about when it is pointed at', async ({
  page,
}) => {
  await page.goto('/')
  await rail(page).getByRole('button', { name: /more$/ }).click()
  await expect(rail(page).getByTitle(/^Which pages still use/)).toContainText('Unknown project')
})
