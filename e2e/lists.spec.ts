import { expectReadyIndex } from './fixtures/ready-index.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

test.use({ now: '2026-11-29T12:00:00Z' })

test('C10: a session that the CLI deletes says when on its row, and one notice leads to why', async ({
  page,
}) => {
  await expectReadyIndex(page)
  await page.goto('/')
  const row = page.locator('.session-row', { hasText: 'What does this project do?' })
  await expect(row.locator('.session-row-title')).toContainText('Deleted on next start')
  const notice = page.locator('.keep-notice')
  await expect(notice).toContainText(
    /^(Gemini CLI will delete|By the rules of Gemini CLI [\d.]+,) 2 of these sessions/,
  )
  await notice.getByRole('link', { name: 'Show them' }).click()
  await expect(page.getByRole('link', { name: 'What does this project do?' }).first()).toBeVisible()
  await page.goBack()
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await page.reload()
  await expect(row).toBeVisible()
  await expect(notice).toHaveCount(0)
})

test('C10: sub-agents, saved chats and prompts without a session are a filter away', async ({ page }) => {
  await page.goto('/')
  const filter = page.getByRole('button', { name: /^Filter/ })
  const kind = page.getByRole('combobox', { name: 'Kind' })
  await filter.click()
  await kind.selectOption('Prompts only (1)')
  await expect(page).toHaveURL(/kind=prompts-only/)
  await expect(page.locator('.session-row')).toHaveCount(1)
  await kind.selectOption('Sub-agents (1)')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Remove filter: sub-agents' })).toBeVisible()
  await page
    .locator('.session-row')
    .getByRole('link', { name: /^Find every place/ })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: /^Find every place that adds up/ })).toBeVisible()
})

test('C10: the two figures above a list are those of its filter, and lead to why', async ({ page }) => {
  await expectReadyIndex(page)
  const sum = page.locator('.scope-sum')
  await page.goto('/')
  await expect(sum).toHaveText(/^39 sessions · \$\d+\.\d\d Why\?$/)
  const failed = await (await page.request.get('/api/sessions?has=errors')).json()
  await page.goto('/?has=errors')
  await expect(sum).toHaveText(`${failed.total} sessions · $${failed.sums.cost.usd.toFixed(2)} `)
  await page.goto('/p/webshop?range=30d')
  await sum.getByRole('link', { name: 'Why?' }).click()
  await expect(page).toHaveURL(/\/usage\?range=30d&project=/)
})

test('P6: the list has five columns, two targets in a row, and at most 22 controls beside the rows', async ({
  page,
}) => {
  await expectReadyIndex(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const path of ['/', '/p/webshop']) {
    await page.goto(path)
    await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
    const heads = page.getByRole('table', { name: 'Columns of the list' }).getByRole('columnheader')
    await expect(heads).toHaveCount(path === '/' ? 5 : 4)
    for (const head of await heads.all()) await expect(head).toHaveAttribute('title', /./)
    const { beside, inRows, top } = await page.evaluate<{ beside: number; inRows: number[]; top: number }>(
      COUNTED,
    )
    // a project has its own menu, and the foot of its short list is visible
    expect(beside).toBeLessThanOrEqual(path === '/' ? 22 : 24)
    expect(Math.max(...inRows)).toBeLessThanOrEqual(2)
    expect(top).toBeLessThanOrEqual(260)
  }
})

test('the keyboard reaches the first row in less than thirty steps', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
  let steps = 0
  while (
    steps < 40 &&
    !(await page.evaluate<boolean>(`document.activeElement.closest('.session-row') !== null`))
  ) {
    await page.keyboard.press('Tab')
    steps += 1
  }
  expect(steps).toBeLessThan(30)
})

/** Controls on the first screen, outside the rows and in each row; position of the first row. */
const COUNTED = `(() => {
  const all = [...document.querySelectorAll('a, button, input, select, summary, [role=slider], [role=option]')].filter((element) => {
    const { top, bottom, width } = element.getBoundingClientRect()
    return element.checkVisibility() && width > 0 && bottom > 0 && top < innerHeight
  })
  const rows = [...document.querySelectorAll('.session-row')]
  return {
    beside: all.filter((element) => element.closest('.session-row') === null).length,
    inRows: rows.map((row) => all.filter((element) => row.contains(element)).length),
    top: rows[0].getBoundingClientRect().top,
  }
})()`
