import { expectReadyIndex } from './fixtures/ready-index.ts'
import { expect, test } from './fixtures/test.ts'
import { BOTH } from './fixtures/write-both-home.ts'

test.use({ homeContent: 'both', now: '2026-11-29T12:00:00Z' })

test('a list of two programs names the newer one, marks its first day in a project, and filters by either', async ({
  page,
}) => {
  await expectReadyIndex(page)
  await page.goto('/')
  const row = (title: string) => page.locator('.session-row', { hasText: title })
  await expect(row('Totals round down')).toContainText('Antigravity CLI')
  await expect(row('Before the change')).not.toContainText('Gemini CLI')
  await expect(page.locator('.session-since')).toHaveCount(0)

  await page.getByRole('link', { name: /^shop/ }).first().click()
  await expect(page.getByText('Antigravity CLI since 10 Sept · Gemini CLI before')).toBeVisible()

  await page.getByRole('button', { name: /^Filter/ }).click()
  await page.getByRole('combobox', { name: 'Recorded by' }).selectOption('gemini-cli')
  await expect(page).toHaveURL(/source=gemini-cli/)
  await expect(row('Totals round down')).toHaveCount(0)
  await expect(row('Before the change')).toBeVisible()
  await expect(page.locator('.session-since')).toHaveCount(0)
})

test('a search is narrowed to one of two programs, and its box knows the filter', async ({ page }) => {
  await expectReadyIndex(page)
  await page.goto('/search?q=in:prompt')
  const group = page.getByRole('group', { name: 'Recorded by' })
  await group.getByRole('checkbox', { name: /Gemini CLI/ }).check()
  await expect(page).toHaveURL(/source=gemini-cli/)
  await expect(page.getByText('Before the change').first()).toBeVisible()
  await expect(page.getByText('Why does the total round down?')).toHaveCount(0)
  await page.goto('/search?q=in:prompt source:antigravity-cli')
  await expect(page.getByText('Why does the total round down?').first()).toBeVisible()
  await expect(page.getByText('Before the change')).toHaveCount(0)
})

test('a conversation reads and leaves as any session, with what the agent wrote for the person', async ({
  page,
}) => {
  await page.goto(`/s/${BOTH.whole}`)
  await expect(page.getByRole('heading', { name: 'Totals round down' })).toBeVisible()
  await expect(page.getByRole('heading', { name: /^Antigravity: It uses int/ })).toBeVisible()
  const exported = await page.request.get(`/api/sessions/${BOTH.whole}/export?format=html`)
  expect(await exported.text()).toContain('Why does the total round down?')
  await expect(page.getByText('CONVERSATION_HISTORY')).toHaveCount(0)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Files of this session' }).click()
  const files = page.getByRole('region', { name: 'Files beside this session' })
  await files.getByRole('button', { name: /implementation_plan\.md/ }).click()
  await expect(files.getByRole('heading', { name: 'Round to cents' })).toBeVisible()
})

test('one that is read from its transcript, or not at all, says so in one sentence', async ({ page }) => {
  await page.goto(`/s/${BOTH.transcript}`)
  await expect(
    page.getByText('From the transcript; may be incomplete. The database could not be read.'),
  ).toBeVisible()
  await page.goto(`/s/${BOTH.encrypted}`)
  await expect(
    page.getByText(
      'Antigravity CLI before 1.0.4 encrypted its conversations: only the name of this one can be read.',
    ),
  ).toBeVisible()
})
