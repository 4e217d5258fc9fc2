import type { SessionEdits } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ROUNDING } from './ask-server.ts'
import { openSession } from './open-page.tsx'

test('"Files touched" draws the edits under their prompts, with what still stands', async () => {
  const response = await fetch(`/api/sessions/${ROUNDING}/edits`)
  const { prompts, counts }: SessionEdits = await response.json()
  const edits = prompts.flatMap((prompt) => prompt.edits)
  expect(edits.length).toBeGreaterThan(0)
  await openSession(ROUNDING)
  await page.getByRole('button', { name: /Files touched/ }).click()
  await page.getByText('By prompt').click()
  await expect.element(page.getByText(`${counts.stands} still stand`, { exact: false })).toBeVisible()
  expect(
    page
      .getByRole('listitem')
      .filter({ hasText: edits[0]?.name ?? '' })
      .elements().length,
  ).toBeGreaterThan(0)
})
