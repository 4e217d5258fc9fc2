import { expect, test } from '../fixtures/test.ts'
import { shoot } from './shoot.ts'

test.use({ homeContent: 'recorded' })

shoot('failed-turn', 1000, async (page) => {
  await page.goto('/s/wKeLLWsdBaT_#m-025c58e0-8f6a-431f-a027-50a390d19999')
  await expect(page.getByText('No answer: the API refused the request').first()).toBeVisible()
})

shoot('failed-turn-silent', 700, async (page) => {
  await page.goto('/s/BnRoumLcb1K8')
  await expect(page.getByText('No answer was recorded').first()).toBeVisible()
})

shoot('failed-sessions', 900, async (page) => {
  await page.goto('/?has=errors')
  await expect(page.locator('.session-row').first()).toBeVisible()
})
