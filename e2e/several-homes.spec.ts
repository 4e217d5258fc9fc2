import { expectReadyIndex } from './fixtures/ready-index.ts'
import { expect, test } from './fixtures/test.ts'

test.use({ homeContent: 'recorded' })

test('C21: of several Gemini folders each row says which it is from, and one of them can be chosen', async ({
  page,
}) => {
  await page.goto('/')
  const rows = page.locator('.session-row')
  await expect(rows.first()).toBeVisible()
  await expectReadyIndex(page)
  const all = await (await page.request.get('/api/sessions?limit=1000')).json()
  const wanted = all.sessions.filter(({ files }: { files: { home: string }[] }) =>
    files.some(({ home }) => home.endsWith('/0.25.0/.gemini')),
  )
  expect(wanted.length).toBeGreaterThan(0)
  const filter = page.getByRole('button', { name: /^Filter/ })
  await filter.click()
  await page.getByRole('combobox', { name: 'Folder' }).selectOption('0.25.0')
  await expect(page).toHaveURL(/home=0\.25\.0/)
  await expect(page.locator('.scope-sum')).toContainText(`${wanted.length} session`)
  await expect(rows).toHaveCount(wanted.length)
  for (const row of await rows.all())
    await expect(row.locator('.of-project [title]')).toHaveAttribute('title', /Gemini folder 0\.25\.0/)
  await page.reload()
  await page.getByRole('button', { name: 'Remove filter: Gemini folder 0.25.0' }).click()
  await expect(page).toHaveURL(/\/$/)
})
