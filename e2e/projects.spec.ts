import { createHash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAxeClean } from './fixtures/axe-scan.ts'
import { expect, test } from './fixtures/test.ts'
import { writeAsCli } from './fixtures/write-as-cli.ts'

test.use({ ownProgram: 'projects' })

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const rail = (page: Page) => page.getByRole('navigation', { name: 'Projects' })

async function fillForm(page: Page, fields: { Name?: string; Path?: string }): Promise<void> {
  await page.getByRole('button', { name: 'Name and path' }).click()
  const dialog = page.getByRole('dialog', { name: 'Name and path' })
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
    await expect(page.getByRole('button', { name: 'Name and path' })).toBeFocused()
  })
})

test('the page says how the path is known, and that the folder is gone', async ({ page }) => {
  await page.goto('/p/webshop')
  await expect(page.getByText('The folder is gone')).toBeVisible()
  await page.getByRole('button', { name: 'How the path is known' }).click()
  await expect(page.getByText(/marker in the project.s folder: proven by its SHA-256/)).toBeVisible()
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
  await rail(page).getByRole('link', { name: 'No name: Words without a place' }).click()
  await page.getByRole('button', { name: 'Look for this folder' }).click()
  await expect(page.getByText(/^Looked at \d+ folders? below .*: none has its hash/)).toBeVisible()
  await expectAxeClean(page)

  mkdirSync(path, { recursive: true })
  await page.getByRole('button', { name: 'Look for this folder' }).click()
  await expect(heading(page, 'found-again')).toBeVisible()
  await expect(page.getByText('found by the folder’s hash')).toBeVisible()
  rmSync(path, { recursive: true })
})

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`${colorScheme}, 390 px`, () => {
    test.use({ colorScheme, viewport: { width: 390, height: 844 } })

    test('axe finds nothing on the form and on the evidence', async ({ page }) => {
      await page.goto('/p/webshop')
      await page.getByRole('button', { name: 'How the path is known' }).click()
      await page.getByRole('button', { name: 'Name and path' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAxeClean(page)
    })
  })
}

test('C21: projects without a name say what they are about, and their folders are looked for from the list', async ({
  page,
}) => {
  await page.goto('/')
  const projects = page.getByRole('navigation', { name: 'Projects' })
  await expect(projects.getByText(/^No name: Which pages still use/)).toBeVisible()
  await projects.getByRole('button', { name: 'Find the folder of 1 project' }).click()
  await expect(projects.getByRole('status')).toHaveText(/^Looked at [\d,]+ folders?: found 0 of 1\.$/)
})
