import { expectAxeClean } from './fixtures/axe-scan.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

const { id } = SESSIONS.rounding

test('the timeline says where the time went; its rows are walked by keyboard and lead to the message', async ({
  page,
}) => {
  await page.goto(`/s/${id}`)
  await page.getByRole('button', { name: 'Timeline', exact: true }).click()
  await expect(page).toHaveURL(/view=timeline/)
  const dock = page.getByRole('region', { name: 'Timeline' })
  await expect(
    dock.getByText(
      /^From the first message to the last 2 h 46 min, of it at most: model 3 min 20 s, tools 1 min 30 s, waiting for you 2 h 41 min/,
    ),
  ).toBeVisible()

  const rows = dock.getByRole('group', { name: /steps of the session by time/ })
  await rows.focus()
  // where the walk begins goes by what is read
  await expect(async () => {
    await page.keyboard.press('Home')
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowDown')
    await expect(dock.getByRole('status')).toHaveText(/SearchText: .*at most 1\.1 s/, { timeout: 1_000 })
  }).toPass()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/view=timeline.*#m-/)
  await expectAxeClean(page, '.timeline-dock')

  await dock.getByRole('button', { name: 'View as table' }).click()
  await expect(dock.getByRole('row', { name: /Sub-agent .*34 s/ })).toBeVisible()
  await expectAxeClean(page, '.timeline-dock')
  await dock.getByRole('button', { name: 'Close the timeline' }).click()
  await expect(dock).toBeHidden()
})

test('times are local or in UTC, as the reader chose, and stay so', async ({ page }) => {
  await page.goto(`/s/${id}`)
  const facts = page.locator('.session-facts')
  await expect(facts).toContainText('Sat, 21 Nov 2026, 17:30 to 20:17 CET')
  await facts.getByRole('button', { name: 'Times in CET, Europe/Vienna. Show them in UTC' }).click()
  await expect(facts).toContainText('Sat, 21 Nov 2026, 16:30 to 19:17 UTC')
  await expect(page.getByRole('article').getByText('16:31:29').first()).toBeVisible()
  await page.reload()
  await facts.getByRole('button', { name: 'Times in UTC. Show them in Europe/Vienna' }).click()
  await expect(facts).toContainText('17:30 to 20:17 CET')
})

test('scrubbing the strip scrolls the conversation', async ({ page }) => {
  await page.goto(`/s/${id}?view=timeline`)
  const strip = page.getByRole('slider', { name: /Moment of the session/ })
  await strip.focus()
  await page.keyboard.press('End')
  await expect(strip).toHaveAttribute('aria-valuetext', /turn 8/)
  await expect(page).toHaveURL(/#m-/)
  const box = await strip.boundingBox()
  if (box === null) throw new Error('the strip is not drawn')
  const before = page.url()
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await expect(page).not.toHaveURL(before)
})

test('the files of a session lead to the calls behind them, and to the history of a file', async ({
  page,
}) => {
  await page.goto(`/s/${id}`)
  const files = page.getByRole('region', { name: 'Files touched' })
  await page.getByRole('button', { name: 'Files touched' }).click()
  await expect(files.getByText('26 paths, 7 changed, 2 of them new, 1 sub-agent included.')).toBeVisible()
  const row = files.getByRole('row', { name: /src\/voucher\.js/ })
  await expect(row).toContainText('2 lines added, 7 removed')
  await expectAxeClean(page, '.files-touched')
  await row.getByRole('button', { name: /src\/voucher\.js/ }).click()
  await expect(files.getByText('by a sub-agent').first()).toBeVisible()
  await files.getByRole('link', { name: 'Edit' }).last().click()
  await expect(page).toHaveURL(/#m-/)

  await files.getByRole('link', { name: 'History of this file in all sessions' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'src/voucher.js' })).toBeVisible()
  await expect(page.getByRole('link', { name: /The cart shows/ }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Reads', exact: true }).click()
  await expect(page).toHaveURL(/show=reads/)
  await expectAxeClean(page)

  // chosen among all files, its path is relative: the project that has it is found
  await page.goto('/file')
  await page.getByRole('link', { name: /src\/cart\.js/ }).click()
  await expect(page).toHaveURL(/project=/)
  await expect(page.getByRole('heading', { level: 1, name: 'src/cart.js' })).toBeVisible()
  await expect(page.getByText('33 messages in 11 sessions')).toBeVisible()
})
