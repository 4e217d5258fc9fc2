import { expect, test } from './fixtures/test.ts'

test.use({ homeContent: 'recorded', now: '2026-11-29T12:00:00Z' })

/** Written by the CLI itself; a key depends only on the session. */
const REFUSED_061 = '/s/wKeLLWsdBaT_#m-025c58e0-8f6a-431f-a027-50a390d19999'
const SILENT_061 = '/s/BnRoumLcb1K8'
const SILENT_025 = '/s/zUcXWg4rde1v'
const REASON =
  'No answer: the API refused the request: 400 INVALID_ARGUMENT, ‘Scripted: the request was refused.’'
const NO_REASON = 'No answer was recorded: the request failed or the program was stopped'

test('C4: a refused prompt stands, its turn closes with the reason, and the record is one press away', async ({
  page,
}) => {
  await page.goto(REFUSED_061)
  const ending = page.getByText(REASON)
  await expect(ending).toBeVisible()
  const prompt = page.getByRole('article').filter({ hasText: 'Make the server fail' }).first()
  await expect(prompt).not.toHaveClass(/taken-back/)
  await expect(page.getByText('(unanswered)')).toHaveCount(0)
  await expect(page.locator('.outline-turn', { hasText: 'Make the server fail' })).not.toHaveClass(
    /taken-back/,
  )

  // the API's answer is code, and the CLI's text about its keys is a quotation
  await expect(page.locator('.notice-answer pre')).toContainText('"status":"INVALID_ARGUMENT"')
  const quoted = page.getByRole('article').filter({ hasText: 'Press F12' })
  await expect(quoted).toContainText('Shown in the terminal')
  await expect(quoted.locator('blockquote')).toContainText('Press F12')

  await page.getByRole('button', { name: 'Raw record' }).click()
  await expect(page.getByRole('dialog')).toContainText('"type": "error"')
})

for (const [version, path] of [
  ['0.61', SILENT_061],
  ['0.25', SILENT_025],
]) {
  test(`C4: a prompt that nothing follows (${version}) says that no answer was recorded`, async ({
    page,
  }) => {
    await page.goto(path ?? '')
    // the verdict in the head says the same
    await expect(page.getByRole('feed', { name: 'Conversation' }).getByText(NO_REASON)).toBeVisible()
    await expect(page.locator('.message.taken-back')).toHaveCount(0)
    await page.getByRole('button', { name: 'Raw record' }).click()
    await expect(page.getByRole('dialog')).toContainText('Make the server fail')
  })
}

test('C4, C3: the list marks such sessions, and the view "Failed" keeps them', async ({ page }) => {
  await page.goto('/?has=errors')
  const rows = page.locator('.session-row')
  const badges = rows.filter({ hasText: 'Make the server fail' }).getByText('No reply', { exact: true })
  await expect(badges.first()).toBeVisible()
  await expect(badges.first()).toHaveAttribute('title', 'No reply after “Make the server fail”')
  await expect(rows.getByText('API error').first()).toBeVisible()
})
