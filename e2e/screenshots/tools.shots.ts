import { expect } from '@playwright/test'
import { test } from '../fixtures/test.ts'
import { toolCallGroups } from '../fixtures/tool-calls.ts'
import { TOOLS_SESSION } from '../fixtures/write-tools-home.ts'
import { shoot } from './shoot.ts'

test.use({ homeContent: 'tools' })

for (const [index, title] of Object.keys(toolCallGroups()).entries()) {
  const name = title.toLowerCase().replaceAll(/[^a-z]+/g, '-')
  shoot(`tools-${name}`, 2400, async (page) => {
    await page.goto(`/s/${TOOLS_SESSION}#m-g${index}`)
    const message = page.locator(`#m-g${index}`)
    await expect(message).toBeVisible()
    await page.evaluate(
      `document.querySelectorAll('#m-g${index} .call-head[aria-expanded=false]').forEach((head) => head.click())`,
    )
    await expect(message.locator('.call-head[aria-expanded=false]')).toHaveCount(0)
  })
}
