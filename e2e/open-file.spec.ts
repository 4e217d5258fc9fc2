import { cpSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from './fixtures/test.ts'

// opened files have their own port; a refused file is an error of the server
test.use({ expectedProblem: /^foreign request: http:\/\/127\.0\.0\.1:|status of 400/ })

const SENT = fileURLToPath(
  new URL(
    '../fixtures/homes/0.61.0/.gemini/tmp/webshop/chats/session-2026-11-21T20-30-3e7a7b68.jsonl',
    import.meta.url,
  ),
)
const TITLE = 'Map the whole codebase'
const LABEL = 'Opened file, not in your history, not counted in Usage'

test('a session file is shown apart, is in no list, and is gone when it is closed', async ({
  page,
  program,
}) => {
  await page.goto('/open')
  await expect(page.getByRole('heading', { level: 1, name: 'Open a session file' })).toBeVisible()
  const before = await (await page.request.get('/api/sessions?limit=0')).json()

  await page.getByLabel('Session files', { exact: true }).setInputFiles(SENT)
  await expect(page.getByText(LABEL)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: TITLE })).toBeVisible()
  const opened = new URL(page.url()).origin
  expect(opened).not.toBe(program.origin)

  const after = await (await page.request.get(`${program.origin}/api/sessions?limit=0`)).json()
  expect(after.total).toBe(before.total)

  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(`${program.origin}/open`)
  await expect(async () => {
    await expect(page.request.get(opened)).rejects.toThrow('ECONNREFUSED')
  }).toPass()
})

test('several files, and a folder, are opened together; what can’t be resumed here says so', async ({
  page,
}, testInfo) => {
  await page.goto('/open')
  const folder = testInfo.outputPath('sent')
  cpSync(dirname(SENT), folder, { recursive: true })
  await page.getByLabel('Folder of session files', { exact: true }).setInputFiles(folder)
  await expect(page.getByText(LABEL)).toBeVisible()
  await expect(page.getByText(' and 9 more')).toBeVisible()
  await page.getByRole('link', { name: TITLE }).first().click()
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(page.getByRole('dialog')).toContainText('An opened file can’t be resumed here')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Close' }).click()
})

test('a file that is dropped is opened; one that is no session is refused with its reason', async ({
  page,
}) => {
  await page.goto('/open')
  const chooser = page.getByLabel('Session files', { exact: true })
  await chooser.setInputFiles({
    name: 'notes.json',
    mimeType: 'text/plain',
    buffer: Buffer.from('# Notes\n'),
  })
  await expect(page.getByRole('alert')).toHaveText(
    'notes.json cannot be opened: this is a Markdown text, for example an exported conversation. An editor opens it.',
  )
  await chooser.setInputFiles([
    { name: 'empty.json', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
    { name: 'good.jsonl', mimeType: 'text/plain', buffer: readFileSync(SENT) },
    { name: 'notes.json', mimeType: 'text/plain', buffer: Buffer.from('# Notes\n') },
  ])
  await expect(page.getByRole('alert').locator('p')).toHaveText([
    'empty.json cannot be opened: it is empty.',
    /^notes\.json cannot be opened: this is a Markdown text/,
  ])
  await expect(page.getByRole('button', { name: 'Show the file that was opened' })).toBeVisible()
  const turns = [
    { role: 'user', parts: [{ text: 'Is it Tuesday?' }] },
    { role: 'model', parts: [{ text: 'It is.' }] },
  ]
  // as text, because these are browser objects
  const dropped = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([${JSON.stringify(JSON.stringify(turns))}], 'tuesday.json'))
    return transfer
  })()`)
  await page.locator('.drop-zone').dispatchEvent('drop', { dataTransfer: dropped })
  await expect(page.getByText(LABEL)).toBeVisible()
  await expect(page.getByText('Is it Tuesday?').first()).toBeVisible()
})
