import { defineConfig } from '@playwright/test'
import base from '../../playwright.config.ts'

// npm run screenshots: not tests, but pictures of the same program on the same homes.
export default defineConfig({
  ...base,
  testDir: '.',
  testMatch: '*.shots.ts',
  outputDir: '../../test-results/screenshots',
})
