import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { machineTime } from '../fixtures/machine-time.ts'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { expect, test } from './fixtures/test.ts'

test.use({ ownProgram: 'recover' })

// until then a log of two sessions is one row
test.beforeEach(async ({ page }) => expectReadyIndex(page))

test('what is gone is recovered by a button, after it was shown what would be written, and stands in the journal', async ({
  page,
  program,
}) => {
  test.slow()
  const headers = { origin: program.origin }
  const { sessions } = await (await page.request.get('/api/sessions?project=webshop')).json()
  const { key, files } = sessions[0]
  await page.request.put('/api/keep', { data: { enabled: true }, headers })
  await page.request.post('/api/keep/now', { data: {}, headers })
  for (const { home, path } of files) rmSync(join(home, path))
  await page.request.post('/api/keep/now', { data: {}, headers })
  const gone = page.getByText('Everything here is read from the archive')
  const dialog = page.getByRole('dialog', { name: 'Recover this session' })
  const write = dialog.getByRole('button', { name: 'Write these files' })
  await page.goto(`/s/${key}`)
  await expect(gone).toBeVisible()
  await page.getByRole('button', { name: 'Recover…' }).click()
  await expect(dialog.getByText(/^tmp\/webshop\/chats\/session-.*\.jsonl$/)).toBeVisible()
  await expect(write).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect((await (await page.request.get('/api/journal')).json()).entries).toEqual([])

  await page.getByRole('button', { name: 'Recover…' }).click()
  await write.click()
  await expect(dialog.getByText('Written, and read back')).toBeVisible()
  await expect(dialog.getByText(/gemini --resume/)).toBeVisible()
  const { entries } = await (await page.request.get('/api/journal')).json()
  const [{ home, files: written, done }] = entries
  expect([entries.length, done !== null, existsSync(join(home, written.at(-1).path))]).toEqual([
    1,
    true,
    true,
  ])
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(gone).toHaveCount(0)

  await page.goto('/doctor#journal')
  await expect(page).toHaveURL(/\/settings\/storage#journal$/)
  const journal = page.getByRole('region', { name: 'Changes to the Gemini folder' })
  await expect(journal.getByText('written and read back')).toBeVisible()
})

test('a session is moved to the folder in which its project lies now, after it was shown what would be written', async ({
  page,
}) => {
  test.slow()
  const { sessions } = await (await page.request.get('/api/sessions')).json()
  const { key, files, project } = sessions.find(
    (each: { project: { name: string } }) => each.project.name !== 'webshop',
  )
  const [{ home }] = files
  const hourAgo = machineTime().getTime() / 1000 - 3600
  for (const { path } of files) utimesSync(join(home, path), hourAgo, hourAgo)
  const folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'moved-'))), project.name)
  mkdirSync(folder)
  mkdirSync(join(home, 'tmp', 'moved-here'))
  writeFileSync(join(home, 'tmp', 'moved-here', '.project_root'), folder)
  const dialog = page.getByRole('dialog', { name: 'Move to another folder' })
  const write = dialog.getByRole('button', { name: 'Write these files' })
  await page.goto(`/s/${key}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Move…', exact: true }).click()
  await dialog.getByRole('button', { name: folder }).click()
  await expect(dialog.getByLabel('New project folder')).toHaveValue(folder)
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByText(/^tmp\/moved-here\/chats\/session-/)).toBeVisible()
  await write.click()
  await expect(dialog.getByText('Written, and read back')).toBeVisible()
  // from the folder it was moved to
  await expect(dialog.getByText(/gemini --resume/)).toContainText(folder)
  const { session } = await (await page.request.get(`/api/sessions/${key}`)).json()
  expect([session.project.path, session.files.length]).toEqual([folder, files.length + 1])
})
