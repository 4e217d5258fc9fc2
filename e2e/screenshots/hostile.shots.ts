import { expect } from '@playwright/test'
import { test } from '../fixtures/test.ts'
import { HOSTILE } from '../fixtures/write-hostile-home.ts'
import { shoot } from './shoot.ts'

test.use({ homeContent: 'hostile' })

shoot('hostile', 2000, async (page) => {
  await page.goto(`/s/${HOSTILE.id}#m-${HOSTILE.bidi}`)
  const message = page.locator(`[id="m-${HOSTILE.bidi}"]`)
  await expect(message).toBeVisible()
  await page.evaluate(
    `document.querySelectorAll('#m-${HOSTILE.bidi} [aria-expanded=false]').forEach((head) => head.click())`,
  )
})
