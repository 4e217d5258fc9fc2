import type { Page } from '@playwright/test'
import { BROWSER_ARGUMENTS, IGNORED_ARGUMENTS } from '../scripts/steps/browser-arguments.ts'
import { findBrowser } from '../scripts/steps/find-browser.mjs'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

// scrollbars that take space, as is usual with a mouse
test.use({
  homeContent: 'kept',
  launchOptions: {
    executablePath: findBrowser(),
    ignoreDefaultArgs: [...IGNORED_ARGUMENTS, '--hide-scrollbars'],
    args: BROWSER_ARGUMENTS,
  },
})

const address = `/s/${SESSIONS.rounding.id}`
const WIDE = { width: 1440, height: 900 }
const SIZES = [
  { ...WIDE, highest: 300 },
  { width: 390, height: 844, highest: 400 },
]

const firstPrompt = (page: Page) => page.locator('[data-voice="you"] .prompt-plate').first()
const topOf = async (page: Page) => (await firstPrompt(page).boundingBox())?.y ?? Number.POSITIVE_INFINITY

for (const { highest, ...size } of SIZES) {
  test(`C6: the first prompt stands above ${highest} px at ${size.width} × ${size.height}`, async ({
    page,
  }) => {
    await page.setViewportSize(size)
    await page.goto(address)
    await expect(page.locator('.session-strip svg').first()).toBeVisible()
    await expect(firstPrompt(page)).toBeVisible()
    expect(await page.evaluate('window.innerWidth - document.documentElement.clientWidth')).toBeGreaterThan(0)
    await expect.poll(() => topOf(page)).toBeLessThan(highest)
    expect(
      await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    ).toBe(0)
  })
}

test('C6, C7: the verdict and the strip lead to their places', async ({ page }) => {
  await page.setViewportSize(WIDE)
  await page.goto(address)
  await page.getByRole('link', { name: 'npm test -- price cart' }).click()
  await expect(page.locator('.call.failed', { hasText: 'never rerun' }).first()).toBeInViewport()

  await page.goto(address)
  const strip = page.getByRole('slider', { name: /^Tokens by request/ })
  await expect(strip).toHaveAttribute('aria-valuemax', '24')
  await strip.focus()
  await page.keyboard.press('Home')
  await expect(strip).toHaveAttribute('aria-valuetext', /^Request 1, turn 1, 9\.5k in/)
  const box = await strip.boundingBox()
  if (box === null) throw new Error('the strip is not drawn')
  await page.mouse.click(box.x + box.width - 4, box.y + 30)
  await expect(page).toHaveURL(/#m-/)
})

test('T1: there is no tick over a session whose last run of a command failed; a failed call says what became of it', async ({
  page,
}) => {
  await page.setViewportSize(WIDE)
  await page.goto(`/s/${SESSIONS.long.id}`)
  const verdict = page.locator('.session-verdict > .verdict')
  await expect(verdict).toContainText('7 failed commands were never rerun. Last: pytest -q')
  await expect(verdict).toHaveClass('verdict neverRerun')

  await page.goto(`/s/${SESSIONS.nightly.id}`)
  await expect(verdict).toHaveClass('verdict finished')
  const failed = page.locator('.call.failed', { hasText: 'later succeeded' }).first()
  await failed.getByRole('link', { name: /^Later succeeded at \d\d:\d\d:\d\d$/ }).click()
  await expect(page).toHaveURL(/#m-/)

  await page.goto('/')
  const row = page.locator('.session-row', { hasText: SESSIONS.long.title })
  await expect(row.getByRole('link', { name: '7 failed: show them, never rerun' })).toBeVisible()
})

test('C6: a session of few requests has no strip, and the reader’s browser keeps the chart unfolded', async ({
  page,
}) => {
  await page.setViewportSize(WIDE)
  await page.goto(address)
  await page.getByRole('slider', { name: /^Tokens by request/ }).press('Enter')
  const fold = page.getByRole('button', { name: 'Fold the chart' })
  await expect(fold).toBeVisible()
  await page.reload()
  await fold.click()
  await page.reload()
  await expect(firstPrompt(page)).toBeVisible()
  await expect(fold).toHaveCount(0)

  const { sessions } = await (await page.request.get('/api/sessions?limit=1000')).json()
  const short = sessions.find((row: { usage: { calls: number } | null }) => row.usage?.calls === 1)
  await page.goto(`/s/${short.key}`)
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(page.locator('.session-strip')).toHaveCount(0)
})

test('C6: the first prompt stands as high in other sessions, also below what the CLI puts before it', async ({
  page,
}) => {
  const { sessions } = await (await page.request.get('/api/sessions?kind=main&limit=1000')).json()
  const low: string[] = []
  let looked = 0
  for (const { highest, ...size } of SIZES) {
    await page.setViewportSize(size)
    for (const { key, title, buried } of sessions.filter((_: unknown, index: number) => index % 4 === 0)) {
      const { outline, branches } = await (await page.request.get(`/api/sessions/${key}`)).json()
      const first = outline.find(({ number }: { number: number }) => number === 1)
      if (buried || first === undefined || first.superseded !== null) continue
      // earlier undone messages have their own line there
      if (branches.some((gone: { firstOffset: number }) => gone.firstOffset < first.firstOffset)) continue
      await page.goto(`/s/${key}`)
      await expect(firstPrompt(page)).toBeVisible()
      await expect(page.locator('.minimap').or(page.getByRole('article').first()).first()).toBeAttached()
      const top = await topOf(page)
      looked += 1
      if (top >= highest) low.push(`${title}: ${Math.round(top)} px at ${size.width}`)
      const sideways = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      if ((await page.evaluate<number>(sideways)) > 0) low.push(`${title} moves sideways at ${size.width}`)
    }
  }
  expect(looked).toBeGreaterThan(8)
  expect(low).toEqual([])
})
