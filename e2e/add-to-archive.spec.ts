import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expectAxeClean } from './fixtures/axe-scan.ts'
import { expect, test } from './fixtures/test.ts'

// opened files have their own port; a disabled archive is an error of the server
test.use({
  ownProgram: 'add to archive',
  expectedProblem: /^foreign request: http:\/\/127\.0\.0\.1:|status of 503/,
})

const SENT = fileURLToPath(
  new URL(
    '../fixtures/homes/0.61.0/.gemini/tmp/webshop/chats/session-2026-11-21T20-30-3e7a7b68.jsonl',
    import.meta.url,
  ),
)
const TITLE = 'Map the whole codebase'

test('a copy goes into the archive, and is in the list then, marked as added', async ({ page, program }) => {
  test.slow()
  // a session that the sample does not contain
  const sent = readFileSync(SENT, 'utf8').replaceAll('3e7a7b68-baf0', '3e7a7b69-baf0')
  await page.goto('/open')
  await page
    .getByLabel('Session files', { exact: true })
    .setInputFiles({ name: 'from-tom.jsonl', mimeType: 'text/plain', buffer: Buffer.from(sent) })
  const add = page.getByRole('button', { name: 'Add a copy to the archive' })
  await expect(add).toBeVisible()
  await add.click()
  await expect(page.getByText('A copy could not be added: the archive is off')).toBeVisible()

  const on = await page.request.put(`${program.origin}/api/keep`, {
    data: { enabled: true },
    headers: { origin: program.origin },
  })
  expect(on.status()).toBe(200)
  await add.click()
  await expect(page.getByText('1 file was added to the archive')).toBeVisible()
  // only an opened file beside an archive says so
  await expectAxeClean(page)
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(`${program.origin}/open`)

  await page.goto('/?deleted=only')
  await expect(page.getByText('Added', { exact: true }).first()).toBeVisible()
  await page.getByRole('link', { name: TITLE }).first().click()
  await expect(page.getByText('Added from the file from-tom')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Recover…' })).toHaveCount(0)
})
