import type { Page } from '@playwright/test'
import { makeOtherBuild } from './fixtures/other-build.ts'
import { type Program, startProgram } from './fixtures/program.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

test.use({
  ownProgram: 'updates',
  // missing or refused chunks, and the server while it is down
  expectedProblem:
    /ERR_CONNECTION_(REFUSED|RESET)|ERR_INCOMPLETE_CHUNKED|ERR_CONTENT_LENGTH_MISMATCH|ERR_EMPTY|404 \(|403 \(|preload|dynamically imported|MIME type/i,
})

/** Each test stops it; the next one starts with the first build again, on the same port. */
let first: Program | null = null
test.beforeEach(async ({ program }) => {
  first = first === null ? program : await startProgram(program.sandbox, program.port)
})
test.afterAll(() => first?.stop())

const session = `/s/${SESSIONS.rounding.id}`
const updated = (page: Page) => page.getByText('gemini-dash was updated.', { exact: true })
const firstPrompt = (page: Page) => page.locator('.conversation article').first()

async function openSession(page: Page): Promise<void> {
  await page.goto(session)
  await expect(firstPrompt(page)).toBeVisible()
}

test('C17: after an update of the program what is read stays, a notice says so, and parts that are gone fail alone', async ({
  page,
  context,
  program,
}) => {
  test.slow()
  const tab = await context.newPage()
  await openSession(tab)
  await page.bringToFront()
  await openSession(page)
  await first?.stop()
  const other = await startProgram(program.sandbox, program.port, {
    cli: makeOtherBuild(program.sandbox.folder),
  })
  try {
    await expect(updated(page)).toBeVisible()
    await expect(firstPrompt(page)).toBeVisible()
    await page.keyboard.press('Shift+?')
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('this part belongs to the version before')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await expect(dialog).toContainText('this part belongs to the version before')
    await page.keyboard.press('Escape')
    await expect(firstPrompt(page)).toBeVisible()
    await expect(page.getByText('could not be drawn')).toHaveCount(0)

    // A page that was not loaded before comes from the new version.
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Appearance')
    await expect(updated(page)).toHaveCount(0)

    await tab.bringToFront()
    await expect(updated(tab)).toBeVisible()
    await tab.getByRole('button', { name: 'Reload' }).first().click()
    await expect(updated(tab)).toHaveCount(0)
    await expect(firstPrompt(tab)).toBeVisible()
    await tab.keyboard.press('Shift+?')
    await expect(tab.getByRole('dialog')).toContainText('Show these keys')
  } finally {
    await other.stop()
  }
})

test('C17: a part that is gone tells of the update by itself, also where no event does', async ({
  page,
  program,
}) => {
  test.slow()
  await page.route('**/api/events*', (route) => route.fulfill({ status: 404 }))
  await openSession(page)
  await expect(updated(page)).toHaveCount(0)
  await first?.stop()
  const other = await startProgram(program.sandbox, program.port, {
    cli: makeOtherBuild(program.sandbox.folder),
  })
  try {
    await page.keyboard.press('Shift+?')
    await expect(updated(page)).toBeVisible()
    await expect(page.getByRole('dialog')).toContainText('this part belongs to the version before')
    await page.keyboard.press('Escape')
    await expect(firstPrompt(page)).toBeVisible()
  } finally {
    await other.stop()
  }
})

test('a note that is being written survives that the server stops, comes back and is another version', async ({
  page,
  program,
}) => {
  test.slow()
  await openSession(page)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Note, tags and title' }).click()
  const form = page.getByRole('dialog', { name: 'Note, tags and title' })
  const note = form.getByRole('textbox', { name: 'Note', exact: true })
  await note.fill('The sum is rounded twice.')
  await first?.stop()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByRole('alert')).toContainText('gemini-dash does not answer')
  await expect(note).toHaveValue('The sum is rounded twice.')
  const other = await startProgram(program.sandbox, program.port, {
    cli: makeOtherBuild(program.sandbox.folder),
  })
  try {
    await page.reload()
    await expect(form).toContainText('What you had begun to write is back.')
    await expect(note).toHaveValue('The sum is rounded twice.')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form).toHaveCount(0)
    await expect(page.getByText('The sum is rounded twice.')).toBeVisible()
    await page.reload()
    await expect(firstPrompt(page)).toBeVisible()
    await expect(form).toHaveCount(0)
  } finally {
    await other.stop()
  }
})
