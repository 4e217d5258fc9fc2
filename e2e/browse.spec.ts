import { expectReadyIndex } from './fixtures/ready-index.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

test('from the list of all sessions to one of them', async ({ page }) => {
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
  for (const name of ['webshop', 'shelf-api', 'atlas-notes', '料理ノート']) {
    await expect(page.getByRole('link', { name }).first()).toBeVisible()
  }
  await expect(page.getByRole('link', { name: '为收据页面添加人民币格式' })).toBeVisible()
  await expect(page.getByRole('link', { name: '🚀 Release 2.3.0' })).toBeVisible()
  await expect(page.getByText('Could not read: the file ends', { exact: false }).first()).toBeVisible()
})

test('a file that was cut keeps the messages before the cut readable', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('listitem').filter({ hasText: 'Could not read' }).getByRole('link').first().click()
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
  const thoughts = page.getByRole('button', { name: /2 thoughts.*Investigating the rounding/ })
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

test('a failed command is open from the start and tells its exit code', async ({ page }) => {
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  const shell = page.getByRole('button', { name: /Shell.*npm test -- price cart.*exit 1/ })
  await shell.scrollIntoViewIfNeeded()
  await expect(shell).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByText('expected 26.990000000000002 to be 27', { exact: false }).first()).toBeVisible()
})

test('a rewound turn is folded with its cause', async ({ page }) => {
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  const fold = page.getByRole('button', { name: /taken back/ }).first()
  await fold.scrollIntoViewIfNeeded()
  await fold.click()
  await expect(page.getByText('Formatting is spread over two files.', { exact: false })).toBeVisible()
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
  await page.getByRole('button', { name: 'Chart', exact: true }).click()
  const chart = page.getByRole('group', { name: /Tokens per call/ })
  await expect(chart).toBeVisible()
  await chart.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#m-/)
  await expect(
    page.getByText('The checkout works end to end. The receipt', { exact: false }),
  ).toBeInViewport()
})

test('C8: the heads of the columns order the list, the most first, and turn that around', async ({
  page,
}) => {
  await page.goto('/')
  const heads = page.getByRole('table', { name: 'Order of the sessions' })
  const head = (name: string) => heads.getByRole('columnheader', { name })
  const costs = async () => {
    await expect(page.locator('.session-list.stale')).toHaveCount(0)
    const texts = await page.locator('.session-row .session-cell.num:nth-last-child(3)').allTextContents()
    return texts.filter((text) => text.startsWith('$')).map((text) => Number.parseFloat(text.slice(1)))
  }
  await expect(head('Active')).toHaveAttribute('aria-sort', 'descending')
  await head('Cost').getByRole('button').click()
  await expect(page).toHaveURL(/sort=cost/)
  await expect(head('Cost')).toHaveAttribute('aria-sort', 'descending')
  await expect(head('Active')).not.toHaveAttribute('aria-sort', /./)
  await expect.poll(async () => isFalling(await costs())).toBe(true)
  await head('Cost').getByRole('button').click()
  await expect(page).toHaveURL(/sort=-cost/)
  await expect(head('Cost')).toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(async () => isFalling((await costs()).reverse())).toBe(true)
  await head('Time').getByRole('button').click()
  await expect(page).toHaveURL(/sort=duration/)
  await expect(page.getByRole('combobox', { name: 'Order' })).toHaveValue('duration')
  for (const [name, order] of [
    ['Turns', 'turns'],
    ['Tools', 'tools'],
  ] as const) {
    await head(name).getByRole('button').click()
    await expect(page).toHaveURL(new RegExp(`sort=${order}`))
    await expect(head(name)).toHaveAttribute('aria-sort', 'descending')
  }
  await head('Active').getByRole('button').click()
  await expect(page).not.toHaveURL(/sort=/)
})

function isFalling(values: readonly number[]): boolean {
  return values.length > 3 && values.every((value, at) => at === 0 || value <= (values[at - 1] ?? 0))
}

test('C7: the failures of a row, of the list and of a tool lead to what they count', async ({ page }) => {
  await expectReadyIndex(page)
  await page.goto('/')
  const row = page.locator('.session-row', { hasText: SESSIONS.rounding.title })
  await row.getByRole('link', { name: '4 failed: show them' }).click()
  await expect(page).toHaveURL(/\/s\/[\w-]{12}\?show=errors/)
  await expect(page.getByRole('button', { name: /^Errors 4/ })).toHaveAttribute('aria-pressed', 'true')

  await page.goto('/')
  await page
    .locator('.summary')
    .getByRole('link', { name: /failed$/ })
    .click()
  await expect(page).toHaveURL(/\?has=errors&sort=failed$/)
  await expect(
    page
      .locator('.session-row')
      .first()
      .getByRole('link', { name: /failed: show/ }),
  ).toBeVisible()

  await page.goto('/usage?range=all')
  const failed = page.locator('td.error').first()
  const count = await failed.textContent()
  await failed.getByRole('link').click()
  await expect(page).toHaveURL(/\/search\?q=tool%3A\w+(\+after%3A[\d-]+)?\+is%3Aerror/)
  await expect(page.getByRole('main')).toContainText(new RegExp(`\\b${count}\\b`))
})
