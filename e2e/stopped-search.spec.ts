import type { Page } from '@playwright/test'
import { expectAxeClean } from './fixtures/axe-scan.ts'
import { expectNoSidewaysScroll } from './fixtures/no-sideways-scroll.ts'
import { openHome } from './fixtures/open-home.ts'
import { expect, test } from './fixtures/test.ts'

const hits = (page: Page) => page.getByRole('link').filter({ has: page.locator('mark') })

/** Its automaton always grows: each long text takes as long as a search allows. */
const SLOW = '(?:.{1,300}x){3}Q|heron'

test('S7: a search whose time is over says so, keeps what it found, can go on, and be stopped again', async ({
  browser,
}) => {
  await openHome(browser, 'slow-search', async ({ page }) => {
    // a shorter timeout for the search, so that it stops after few files
    await page.route('**/api/search?*', (route) =>
      route.continue({ url: `${route.request().url()}&timeout=2` }),
    )
    await page.goto(`/search?q=${encodeURIComponent(SLOW)}&mode=regex`)
    await expect(
      page.getByText(/^Stopped after 2 seconds: searched \d of 8 files, newest first$/),
    ).toBeVisible()
    await expect(page.getByText('1 result in 1 session so far')).toHaveAttribute('aria-live', 'polite')
    await expect(hits(page)).toHaveCount(1)
    await expect(
      page.getByText(/^\d+ messages? not fully searched: the pattern takes too long/),
    ).toBeVisible()
    await expect(page.getByRole('button', { name: 'Export' })).toHaveCount(0)
    // only a search whose time is over is drawn like this
    await expectAxeClean(page)
    await expectNoSidewaysScroll(page)

    const goOn = page.locator('.scan-progress').getByRole('button', { name: 'Search on' })
    await goOn.click()
    await expect(page.getByText(/^Searching on from \d of 8 files/)).toBeVisible()
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect(goOn).toBeVisible()
    await expect(hits(page)).toHaveCount(1)
    for (let part = 0; part < 5 && (await page.locator('.scan-progress').count()) > 0; part += 1) {
      await goOn.click()
      await expect(page.getByText(/^Searching on/)).toBeHidden()
    }
    // The other match is in the oldest session.
    await expect(page.getByText('2 results', { exact: true })).toBeVisible()
    await expect(hits(page)).toHaveCount(2)
  })
})
