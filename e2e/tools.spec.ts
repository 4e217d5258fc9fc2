import { openGroup } from './fixtures/open-group.ts'
import { expect, test } from './fixtures/test.ts'

test.use({ homeContent: 'tools' })
test.describe.configure({ mode: 'parallel' })

test('heads say in one line what was done and how it ended', async ({ page }) => {
  await openGroup(page, 0)
  for (const name of [
    /Shell npm run lint.*Failed, exit 2/,
    /npm run dev.*In background/,
    /sleep 900.*Timed out/,
    /node leak\.js.*Ended by SIGKILL/,
  ])
    await expect(page.getByRole('button', { name })).toBeVisible()
  await openGroup(page, 2)
  for (const name of [
    /ReadFile src\/limits\.ts, lines 10 to 40.*31 lines/,
    /SearchText “total” .*4 matches in 3 files/,
    /FindFiles \*\*\/\*\.ts.*6 files/,
  ])
    await expect(page.getByRole('button', { name })).toBeVisible()
})

test('a diff changes to two columns, and every diff with it', async ({ page }) => {
  const message = await openGroup(page, 1)
  await message.getByRole('button', { name: 'Split' }).first().click()
  await expect(message.locator('.diff-table.split').nth(1)).toBeVisible()
  await expect(message.locator('.diff-table:not(.split)')).toHaveCount(0)
  await page.reload()
  await openGroup(page, 1)
  await expect(message.locator('.diff-table.split').first()).toBeVisible()
})

test('a todo list says what changed since the one before', async ({ page }) => {
  const message = await openGroup(page, 3)
  await expect(message.getByText('now completed')).toBeVisible()
  await expect(message.getByText('new, pending')).toBeVisible()
})

test('a sub-agent’s conversation opens inside the call that started it', async ({ page }) => {
  const message = await openGroup(page, 6)
  const head = message.getByRole('button', { name: /Its conversation 2 answers, 1 tool call/ })
  await head.click()
  await expect(message.getByText('I look at the tree first.')).toBeVisible()
  await message.getByRole('button', { name: /ReadFolder src/ }).click()
  await expect(message.getByText('cart.ts').last()).toBeVisible()
})

test('a citation leads to its source', async ({ page }) => {
  const message = await openGroup(page, 4)
  await message.getByRole('link', { name: '[2]', exact: true }).click()
  await expect(message.locator('.sources > li:target')).toContainText('stackoverflow.com')
  await expect(message).toBeInViewport()
})

test('every field of a call is within reach', async ({ page }) => {
  const message = await openGroup(page, 5)
  await message.getByRole('button', { name: 'More of this call' }).last().click()
  await message.getByRole('button', { name: 'Raw', exact: true }).click()
  const fields = message.locator('[data-label="All fields of the call"]')
  await expect(fields).toContainText('Tool "no_such_tool" not found in registry')
  await expect(fields).toContainText('extraParts:')
})
