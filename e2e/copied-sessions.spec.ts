import { rmSync } from 'node:fs'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { expect, test } from './fixtures/test.ts'
import { FORK, ORIGINAL, writeAnswers } from './fixtures/write-copies.ts'

test.use({ ownProgram: 'copied sessions' })

test('I3: a copy says where it is from and where its requests count, until it counts them itself', async ({
  page,
  program,
}) => {
  // files written while watching starts are found only by the next scan, half a minute later
  await expectReadyIndex(page)
  const path = writeAnswers(program.sandbox.home, ORIGINAL, 0, [1, 2])
  writeAnswers(program.sandbox.home, FORK, 1, [1, 2, 3])
  const requests = async () => {
    const answer = await page.request.get(`/api/sessions/${FORK.id}`)
    return answer.ok() ? (await answer.json()).session.copiedFrom?.requests : undefined
  }
  await expect.poll(requests).toBe(2)

  await page.goto(`/s/${FORK.id}`)
  const head = page.locator('.session-head')
  await expect(head).toContainText(`Copied from ${ORIGINAL.prompt} · 2 requests counted there`)
  const answers = page.locator('article[data-voice="gemini"]')
  await expect(answers).toHaveCount(3)
  for (const copied of [0, 1]) {
    const margin = answers.nth(copied).locator('.entry-margin')
    await expect(margin).toHaveText(`Counted in ${ORIGINAL.prompt}`)
    await expect(margin.getByRole('link', { name: ORIGINAL.prompt })).toBeVisible()
  }
  await expect(answers.nth(2)).not.toContainText('Counted in')
  await expect(answers.nth(2).locator('.entry-margin')).toContainText('1k')
  await page.setViewportSize({ width: 390, height: 800 })
  await expect(answers.first()).toContainText(`Counted in ${ORIGINAL.prompt}`)
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.goto('/settings/diagnostics')
  const group = page.getByRole('group', { name: 'Copied sessions' })
  await expect(group).toContainText('1 session is a copy of another; 2 of its requests are counted there.')
  await group.getByRole('button', { name: 'Show' }).click()
  await group.getByRole('link', { name: FORK.prompt }).click()
  await head.getByRole('link', { name: ORIGINAL.prompt }).click()
  await expect(page.getByRole('heading', { level: 1, name: ORIGINAL.prompt })).toBeVisible()
  await expect(head).not.toContainText('Copied from')

  await page.goto(`/s/${FORK.id}`)
  await expect(head).toContainText('Copied from')
  rmSync(path)
  await expect(head).not.toContainText('Copied from')
  await expect(page.getByText('Counted in')).toHaveCount(0)
})

test('I3: where nothing of a copy counts in itself, its prompts are shown in the original', async ({
  page,
  program,
}) => {
  const [original, copy] = [
    { id: '0c33cccc-0000-4000-8000-000000000003', prompt: 'Count the apples' },
    { id: '0d44dddd-0000-4000-8000-000000000004', prompt: 'Count the pears' },
  ]
  await expectReadyIndex(page)
  writeAnswers(program.sandbox.home, original, 2, [4, 5])
  writeAnswers(program.sandbox.home, copy, 3, [4, 5])
  const isThere = async () => (await page.request.get(`/api/sessions/${copy.id}`)).status()
  await expect.poll(isThere).toBe(200)
  await page.goto(`/s/${copy.id}?view=cost`)
  await expect(page.getByText('This session is a copy.')).toBeVisible()
  await expect(page.getByText(/recorded tokens|No price is known/)).toHaveCount(0)
  await expect(page.locator('.session-head')).toContainText(', 0 tokens,')
  await page.getByRole('link', { name: 'in the original' }).click()
  await expect(page.getByRole('heading', { level: 1, name: original.prompt })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Context over time' })).toBeVisible()
})
