import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

const { id } = SESSIONS.rounding

test('by time the outline says what happened when and how long it took at most; its steps lead to the message', async ({
  page,
}) => {
  await page.goto(`/s/${id}`)
  const outline = page.getByRole('complementary', { name: 'Outline of the session' })
  await outline.getByRole('button', { name: /^Outline: / }).click()
  await page.getByRole('button', { name: 'By time' }).click()
  await expect(
    outline.getByText('2 h 46 min: model ≤ 3 min 20 s, tools ≤ 1 min 30 s, you ≤ 2 h 41 min'),
  ).toBeVisible()
  const step = outline.getByRole('link', { name: /SearchText .* ≤ 1\.1 s/ }).first()
  await step.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#m-/)

  await page.reload()
  await outline.getByRole('button', { name: /by time$/ }).click()
  await page.getByRole('button', { name: 'By turn' }).click()
  await expect(outline.getByRole('navigation', { name: 'Turns' })).toBeVisible()
})

test('times are local or in UTC, as the reader chose, and stay so', async ({ page }) => {
  await page.goto(`/s/${id}`)
  const facts = page.locator('.session-facts')
  await expect(facts).toContainText('20:17')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('times in your zone')
  await page.keyboard.press('Enter')
  await expect(facts).toContainText('19:17')
  await expect(page.getByRole('article').getByText('16:31:29').first()).toBeVisible()
  await page.reload()
  await expect(facts).toContainText('19:17')
})

test('a click on the strip leads to the message of a request, and dragging scrolls', async ({ page }) => {
  await page.goto(`/s/${id}`)
  const strip = page.getByRole('slider', { name: /^Tokens by request/ })
  await expect(strip.locator('svg').first()).toBeVisible()
  const box = await strip.boundingBox()
  if (box === null) throw new Error('the strip is not drawn')
  await page.mouse.click(box.x + box.width * 0.7, box.y + 20)
  await expect(page).toHaveURL(/#m-/)
  await page.goto(`/s/${id}`)
  await expect(strip).toHaveAttribute('aria-valuetext', /turn 1,/)
  await page.mouse.move(box.x + 4, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2, box.y + 20, { steps: 5 })
  await expect.poll(() => page.evaluate<number>('scrollY')).toBeGreaterThan(500)
  await page.mouse.up()
  await expect(page).not.toHaveURL(/#m-/)
})
