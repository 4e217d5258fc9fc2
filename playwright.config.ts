import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import { BROWSER_ARGUMENTS, IGNORED_ARGUMENTS } from './scripts/steps/browser-arguments.ts'
import { findBrowser } from './scripts/steps/find-browser.mjs'

// Runs the built program (npm run build) on copies of fixtures/home; each worker starts its own.
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  globalSetup: fileURLToPath(new URL('./scripts/gate/set-up-run.ts', import.meta.url)),
  // Generous, as the machine may be busy.
  timeout: 120_000,
  expect: { timeout: 45_000 },
  reporter: 'list',
  use: {
    // Playwright's own download if none is installed.
    launchOptions: {
      executablePath: findBrowser(),
      ignoreDefaultArgs: IGNORED_ARGUMENTS,
      args: BROWSER_ARGUMENTS,
    },
    viewport: { width: 1440, height: 950 },
    locale: 'en-GB',
    timezoneId: 'Europe/Vienna',
    screenshot: 'only-on-failure',
  },
})
