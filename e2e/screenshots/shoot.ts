import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { test } from '../fixtures/test.ts'

const DEFAULT_FOLDER = fileURLToPath(new URL('../../docs/screenshots', import.meta.url))
const folder = process.env.SCREENSHOTS_FOLDER ?? DEFAULT_FOLDER

/** The demo sessions end on this day; the pictures say "today". */
const NOW = new Date('2026-11-21T20:30:00Z')
const WIDTHS = [1440, 390]
const PHONE_FACTOR = 1.6

/** One picture in light and dark, wide and narrow: `<name>-<theme>-<width>.png`. */
export function shoot(
  name: string,
  heightPx: number,
  show: (page: Page) => Promise<void>,
  expectedProblem = /^$/,
): void {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of WIDTHS) {
      const height = Math.round(width < 800 ? heightPx * PHONE_FACTOR : heightPx)
      test.describe(`${name}, ${colorScheme}, ${width} px`, () => {
        test.use({ colorScheme, expectedProblem, viewport: { width, height }, reducedMotion: 'reduce' })
        test('picture', async ({ page }) => {
          await page.clock.setFixedTime(NOW)
          await show(page)
          await page.evaluate('document.fonts.ready')
          await page.waitForTimeout(400) // highlighting and charts come after the text
          await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) })
        })
      })
    }
  }
}
