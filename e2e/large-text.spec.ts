import type { Page } from '@playwright/test'
import { BROWSER_ARGUMENTS, IGNORED_ARGUMENTS } from '../scripts/steps/browser-arguments.ts'
import { findBrowser } from '../scripts/steps/find-browser.mjs'
import { expectNoSidewaysScroll } from './fixtures/no-sideways-scroll.ts'
import { PAGES } from './fixtures/pages.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'
import { writeLongNames } from './fixtures/write-long-names.ts'

// as set in the browser, with scrollbars that take space
test.use({
  launchOptions: {
    executablePath: findBrowser(),
    ignoreDefaultArgs: [...IGNORED_ARGUMENTS, '--hide-scrollbars'],
    args: [...BROWSER_ARGUMENTS, '--blink-settings=defaultFontSize=32'],
  },
})

const FURTHER = ['/file', `/s/${SESSIONS.rounding.id}?view=cost`, `/s/${SESSIONS.rounding.id}?view=changes`]

test('text of twice the size, and names of any length, scroll nothing sideways on any page, whatever the window', async ({
  page,
  program,
}) => {
  await writeLongNames(page, program)
  const look = async (name: string) => {
    for (const width of [1440, 640, 390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      await test.step(`${name} at ${width} px`, () => expectNoSidewaysScroll(page))
    }
  }
  for (const { name, path, isReady } of PAGES) {
    await page.setViewportSize({ width: 1440, height: 800 })
    await page.goto(path)
    await isReady(page)
    await openParts(page, name)
    expect(await page.evaluate('getComputedStyle(document.documentElement).fontSize')).toBe('32px')
    await look(name)
  }
  for (const path of FURTHER) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await look(path)
  }
})

/** Opens the parts of the settings behind a button. */
async function openParts(page: Page, name: string): Promise<void> {
  if (name === 'diagnostics') {
    await page.getByRole('button', { name: 'Create report' }).click()
    await expect(page.locator('.setting-report > pre')).toBeVisible()
  }
  if (name === 'prices') {
    await page.getByRole('button', { name: 'Add a model' }).click()
    await expect(page.getByRole('form', { name: 'Price of a model' })).toBeVisible()
  }
}
