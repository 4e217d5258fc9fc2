import type { Page } from '@playwright/test'
import { BROWSER_ARGUMENTS, IGNORED_ARGUMENTS } from '../scripts/steps/browser-arguments.ts'
import { findBrowser } from '../scripts/steps/find-browser.mjs'
import { expectAxeClean } from './fixtures/axe-scan.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

// scrollbars that take room, as most mice have them
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
  { ...WIDE, highest: 340 },
  { width: 390, height: 844, highest: 480 },
]

const firstPrompt = (page: Page) => page.locator('[data-voice="you"] .prompt-plate').first()
const topOf = async (page: Page) => (await firstPrompt(page).boundingBox())?.y ?? Number.POSITIVE_INFINITY

for (const { highest, ...size } of SIZES) {
  test(`C6: the first prompt stands above ${highest} px at ${size.width} × ${size.height}`, async ({
    page,
  }) => {
    await page.setViewportSize(size)
    await page.goto(address)
    await expect(page.locator('.context-strip svg')).toBeVisible()
    await expect(firstPrompt(page)).toBeVisible()
    expect(await page.evaluate('window.innerWidth - document.documentElement.clientWidth')).toBeGreaterThan(0)
    await expect.poll(() => topOf(page)).toBeLessThan(highest)
    expect(
      await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    ).toBe(0)
    await expectAxeClean(page, 'main')
  })
}

test('C6, C7: the verdict, the failed calls and the strip lead to their places', async ({ page }) => {
  await page.setViewportSize(WIDE)
  await page.goto(address)
  await page.getByRole('link', { name: '1 failed command was never rerun. Last: npm test' }).click()
  await expect(page.locator('.call.failed', { hasText: 'never rerun' }).first()).toBeInViewport()
  await page.goto(address)
  await page.getByRole('link', { name: '4 failed: 1 later succeeded, 3 never rerun' }).click()
  await expect(page.getByText('Failed, exit 1').first()).toBeInViewport()

  await page.goto(address)
  const strip = page.getByRole('group', { name: /^Context and cost over 24 calls/ })
  await strip.focus()
  await page.keyboard.press('Home')
  await expect(page.locator('.strip-end')).toContainText('Call 1, turn 1')
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
  await expect(row.getByText('Never rerun', { exact: true })).toBeVisible()
})

test('C6: a session of few calls has no strip, and the reader’s browser keeps what is open beside it', async ({
  page,
}) => {
  await page.setViewportSize(WIDE)
  await page.goto(address)
  const files = page.getByRole('region', { name: 'Files touched' })
  await page.getByRole('button', { name: 'Files touched' }).click()
  await expect(files.getByRole('row').first()).toBeVisible()
  await page.reload()
  await expect(files.getByRole('row').first()).toBeVisible()
  await page.getByRole('button', { name: 'Files touched' }).click()
  await page.reload()
  await expect(firstPrompt(page)).toBeVisible()
  await expect(files).toBeHidden()

  const { sessions } = await (await page.request.get('/api/sessions?limit=1000')).json()
  const short = sessions.find((row: { usage: { calls: number } | null }) => row.usage?.calls === 1)
  await page.goto(`/s/${short.key}`)
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(page.locator('.context-strip')).toHaveCount(0)
})

test('C6: the timeline leaves the conversation readable, and keeps the height that the reader gave it', async ({
  page,
}) => {
  await page.setViewportSize(WIDE)
  await page.goto(`${address}?view=timeline`)
  const dock = page.getByRole('region', { name: 'Timeline' })
  await expect(dock.getByRole('slider')).toBeVisible()
  const heightOf = async () => (await dock.boundingBox())?.height ?? 0
  const before = await heightOf()
  // what is read: below the bars, above the dock
  expect(WIDE.height - before - (await topOf(page))).toBeGreaterThan(300)

  const grip = dock.getByRole('separator', { name: 'Height of the timeline' })
  await grip.focus()
  await page.keyboard.press('ArrowUp')
  await expect.poll(heightOf).toBe(before + 24)
  const box = await grip.boundingBox()
  if (box === null) throw new Error('there is no grip')
  await page.mouse.move(box.x + 300, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + 300, box.y + box.height / 2 - 80)
  await page.mouse.up()
  await expect.poll(heightOf).toBe(before + 104)
  await page.reload()
  await expect.poll(heightOf).toBe(before + 104)

  await page.getByRole('button', { name: 'Show all about this session' }).click()
  await expect(page.locator('.head-figures')).toBeVisible()
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
      // what was taken back before it has a line of its own there
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
