import { expectAxeCleanInBothThemes } from './fixtures/axe-scan.ts'
import { expectNoSidewaysScroll } from './fixtures/no-sideways-scroll.ts'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { expect, test } from './fixtures/test.ts'

test.use({ homeContent: 'recorded' })

test('C21: of several homes each row says which it is from, and one of them can be chosen', async ({
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
  const filter = page.getByRole('combobox', { name: 'Home' })
  await filter.selectOption('Home 0.25.0')
  await expect(page).toHaveURL(/home=0\.25\.0/)
  await expect(page.locator('.summary .figure').first()).toContainText(`${wanted.length}of ${all.total}`)
  await expect(rows).toHaveCount(wanted.length)
  for (const row of await rows.all())
    await expect(row.getByText('0.25.0', { exact: true }).first()).toBeVisible()
  await page.reload()
  await expect(filter).toHaveValue('0.25.0')
  await filter.selectOption('All homes')
  await expect(page).toHaveURL(/\/$/)
})

for (const width of [1440, 390]) {
  test(`C21: the list of several homes, ${width} px: axe finds nothing and nothing scrolls sideways`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/')
    await expect(page.locator('.session-row').first()).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAxeCleanInBothThemes(page)
  })
}
