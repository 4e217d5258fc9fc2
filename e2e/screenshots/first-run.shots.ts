import { expect } from '@playwright/test'
import { test } from '../fixtures/test.ts'
import { shoot } from './shoot.ts'

test.use({ homeContent: 'empty' })

shoot('first-run', 900, async (page) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})
