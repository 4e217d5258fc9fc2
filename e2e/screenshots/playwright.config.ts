import { defineConfig } from '@playwright/test'
import base from '../../playwright.config.ts'

// npm run screenshots: not tests, but pictures of the same program on the same homes.
export default defineConfig({
  ...base,
  testDir: '.',
  // nothing is measured here, so a busy machine may take its time
  timeout: 60_000,
  expect: { timeout: 30_000 },
  testMatch: '*.shots.ts',
  outputDir: '../../test-results/screenshots',
})
