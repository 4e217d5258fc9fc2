import { expectReadyIndex } from './fixtures/ready-index.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

test('from the list of all sessions to one of them', async ({ page }) => {
  // until then rows and the notice above them may come between press and release
  await expectReadyIndex(page)
  await page.goto('/')
  await page.getByRole('link', { name: SESSIONS.rounding.title }).click()
  await expect(page).toHaveURL(/\/s\/[\w-]{12}/)
  await expect(page.getByRole('heading', { level: 1, name: SESSIONS.rounding.title })).toBeVisible()
  await expect(page.getByText('The cart shows', { exact: false }).first()).toBeVisible()
})

test('the list shows projects, days, CJK and emoji titles, and the file that could not be read', async ({
  page,
}) => {
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Projects' }).getByRole('button', { name: '4 more' }).click()
  for (const name of ['webshop', 'shelf-api', 'atlas-notes', '料理ノート']) {
    await expect(page.getByRole('link', { name }).first()).toBeVisible()
  }
  await expect(page.getByRole('link', { name: '为收据页面添加人民币格式' })).toBeVisible()
  await expect(page.getByRole('link', { name: '🚀 Release 2.3.0' })).toBeVisible()
  await expect(page.getByText('Damaged file', { exact: true }).first()).toBeVisible()
})

test('a file that was cut keeps the messages before the cut readable', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('listitem').filter({ hasText: 'Damaged file' }).getByRole('link').first().click()
  await expect(page.getByText('Only part of this file could be read', { exact: false })).toBeVisible()
  await expect(page.getByRole('article').first()).toBeVisible()
})

test('a project shows its own sessions only', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'billing-jobs' }).first().click()
  await expect(page).toHaveURL(/\/p\//)
  await expect(page.getByRole('link', { name: SESSIONS.nightly.title })).toBeVisible()
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toHaveCount(0)
})

test('a thought opens and tells more than its subject', async ({ page }) => {
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  const thoughts = page.getByRole('button', { name: /Thinking.*Investigating the rounding/ })
  await expect(thoughts).toHaveAttribute('aria-expanded', 'false')
  await thoughts.click()
  await expect(page.getByText('The sum of three floats is not exact.', { exact: false })).toBeVisible()
})

test('a tool opens: the diff of an edit', async ({ page }) => {
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  const edit = page.getByRole('button', { name: /Edit.*src\/price\.js/ }).first()
  await edit.scrollIntoViewIfNeeded()
  if ((await edit.getAttribute('aria-expanded')) === 'false') await edit.click()
  await expect(page.getByText('Money is rounded once, at the end, never per item.').first()).toBeVisible()
})

test('a sub-agent has a session of its own, one link away', async ({ page }) => {
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  const agent = page.getByRole('button', { name: /Investigator/i }).first()
  await agent.scrollIntoViewIfNeeded()
  if ((await agent.getAttribute('aria-expanded')) === 'false') await agent.click()
  await page.getByRole('link', { name: 'Open as page' }).first().click()
  await expect(
    page.getByText('Find every place that adds up, discounts or prints money', { exact: false }).first(),
  ).toBeVisible()
})

test('a bar of the token chart leads to its message', async ({ page }) => {
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  await page.getByRole('slider', { name: /^Tokens by request/ }).press('Enter')
  const chart = page.getByRole('group', { name: /Tokens per request/ })
  await expect(chart).toBeVisible()
  await chart.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#m-/)
  await expect(
    page.getByText('The checkout works end to end. The receipt', { exact: false }),
  ).toBeInViewport()
})

test('C8: the list is ordered in Display, the most first or turned around, and the heads say by what', async ({
  page,
}) => {
  await page.goto('/')
  const heads = page.getByRole('table', { name: 'Columns of the list' })
  const head = (name: string) => heads.getByRole('columnheader', { name })
  const costs = async () => {
    await expect(page.locator('.session-list.stale')).toHaveCount(0)
    const texts = await page.locator('.session-row .of-cost').allTextContents()
    return texts.filter((text) => text.startsWith('$')).map((text) => Number.parseFloat(text.slice(1)))
  }
  await expect(head('Last activity')).toHaveAttribute('aria-sort', 'descending')
  await page.getByRole('button', { name: 'Display' }).click()
  const order = page.getByRole('combobox', { name: 'Order' })
  await order.selectOption('Most expensive')
  await expect(page).toHaveURL(/sort=cost/)
  await expect(head('Cost')).toHaveAttribute('aria-sort', 'descending')
  await expect(head('Last activity')).not.toHaveAttribute('aria-sort', /./)
  await expect.poll(async () => isFalling(await costs())).toBe(true)
  await order.selectOption('Least expensive')
  await expect(page).toHaveURL(/sort=-cost/)
  await expect(head('Cost')).toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(async () => isFalling((await costs()).reverse())).toBe(true)
  await order.selectOption('Newest first')
  await expect(page).not.toHaveURL(/sort=/)
})

function isFalling(values: readonly number[]): boolean {
  return values.length > 3 && values.every((value, at) => at === 0 || value <= (values[at - 1] ?? 0))
}

test('C7: the failures of a row and of the list lead to what they count', async ({ page }) => {
  await expectReadyIndex(page)
  await page.goto('/')
  const row = page.locator('.session-row', { hasText: SESSIONS.rounding.title })
  await row.getByRole('link', { name: '4 failed: show them, never rerun' }).click()
  await expect(page).toHaveURL(/\/s\/[\w-]{12}\?show=errors/)
  await expect(page.getByRole('button', { name: 'Outline: Failed' })).toBeVisible()
  await expect(page.getByRole('feed').locator('.call.failed')).toHaveCount(4)

  await page.goto('/')
  const failedView = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: /^Failed/ })
  await failedView.click()
  await expect(page).toHaveURL(/\?has=errors$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Failed sessions' })).toBeVisible()
  await expect(
    page
      .locator('.session-row')
      .first()
      .getByRole('link', { name: /failed: show/ }),
  ).toBeVisible()
})

test('C7: the failures of a tool lead to what they count', async ({ page }) => {
  await expectReadyIndex(page)
  await page.goto('/usage?range=all&table=tools')
  const failed = page.locator('td.error').first()
  const count = await failed.textContent()
  await failed.getByRole('link').click()
  await expect(page).toHaveURL(/\/search\?q=tool%3A\w+(\+after%3A[\d-]+)?\+is%3Aerror/)
  await expect(page.getByRole('main')).toContainText(new RegExp(`(?<!\\d)${count} results`))
})
