import type { Page } from '@playwright/test'
import { type Bars, countBars } from './fixtures/count-bars.ts'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

test.use({ now: '2026-11-29T12:00:00Z' })

interface Bar {
  name: string
  path: string
  width: 1440 | 390
  isReady: (page: Page) => Promise<void>
  /** Upper limits. */
  most: Partial<
    Record<'controls' | 'byPointer' | 'above' | 'fonts' | 'digits' | 'firstPrompt' | 'height', number>
  >
  said?: Partial<Bars['said']>
  leastCalls?: number
}

const HEIGHTS = { 1440: 900, 390: 844 } as const

const isRead = async (page: Page) => {
  await expect(
    page
      .getByRole('slider', { name: /^Tokens by request/ })
      .locator('svg')
      .first(),
  ).toBeVisible()
  await expect(page.locator('.conversation[aria-busy="false"]')).toBeVisible()
  await expect(page.locator('.call-head').first()).toBeVisible()
}

/** Limits for the complexity of a first screen, for sessions of the demo home. */
const BARS: Bar[] = [
  ...[SESSIONS.long, SESSIONS.rounding].flatMap(({ id, title }): Bar[] => [
    {
      name: title,
      path: `/s/${id}`,
      width: 1440,
      isReady: isRead,
      most: { controls: 40, byPointer: 3, above: 15, fonts: 8, digits: 45, firstPrompt: 300 },
      said: { fail: 3, $: 2, 'tool call': 3 },
      leastCalls: id === SESSIONS.long.id ? 10 : 5,
    },
    {
      name: `${title}, on a phone`,
      path: `/s/${id}`,
      width: 390,
      isReady: isRead,
      most: { controls: 24, above: 16, fonts: 8, firstPrompt: 400 },
    },
  ]),
  {
    name: 'Usage',
    path: '/usage?range=30d',
    width: 1440,
    isReady: async (page) => {
      await expect(page.locator('svg.column-chart')).toBeVisible()
      await expect(page.getByRole('table', { name: 'Sessions' })).toBeVisible()
    },
    most: { height: 1400, fonts: 8 },
  },
  {
    name: 'the cost of a session',
    path: `/s/${SESSIONS.rounding.id}?view=cost`,
    width: 1440,
    isReady: async (page) => {
      await expect(page.locator('.context-line')).toBeVisible()
      await expect(page.getByRole('table', { name: 'Cost by turn' }).locator('tfoot')).toBeVisible()
    },
    most: { height: 1000, fonts: 8 },
  },
  {
    name: 'the changes of a session',
    path: `/s/${SESSIONS.long.id}?view=changes`,
    width: 1440,
    isReady: (page) => expect(page.locator('.change .diff-table').first()).toBeVisible(),
    most: { fonts: 8 },
  },
]

for (const { name, path, width, isReady, most, said, leastCalls } of BARS)
  test(`the first screen of ${name} is calm`, async ({ page }) => {
    // until then a row has no verdict
    await expectReadyIndex(page)
    await page.setViewportSize({ width, height: HEIGHTS[width] })
    await page.goto(path)
    await isReady(page)
    const bars = await countBars(page)
    const sizes = { ...bars, fonts: bars.fonts.length, firstPrompt: bars.firstPrompt ?? 0 }
    const above = Object.entries(most).flatMap(([bar, limit]) => {
      const size = sizes[bar as keyof typeof most]
      return size > limit ? [`${bar}: ${size}, at most ${limit}`] : []
    })
    const loud = Object.entries(said ?? {}).flatMap(([word, limit]) => {
      const times = bars.said[word as keyof Bars['said']]
      return times > limit ? [`“${word}”: ${times}, at most ${limit}`] : []
    })
    expect([...above, ...loud], JSON.stringify(bars)).toEqual([])
    expect(bars.isSideways).toBe(false)
    expect(bars.calls).toBeGreaterThanOrEqual(leastCalls ?? 0)
  })

test('one session is drawn in five ways at most', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const drawings = () =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('main svg')].filter((svg) => !svg.classList.contains('icon') && svg.getBoundingClientRect().height > 20).map((svg) => svg.parentElement.className)`,
    )
  await page.goto(`/s/${SESSIONS.long.id}`)
  await isRead(page)
  await expect(page.locator('.minimap')).toBeVisible()
  const seen = new Set(await drawings())
  await page.getByRole('slider', { name: /^Tokens by request/ }).press('Enter')
  await expect(page.getByRole('group', { name: /^Tokens per request/ })).toBeVisible()
  for (const drawing of await drawings()) seen.add(drawing)
  await page.getByRole('button', { name: 'Fold the chart' }).click()
  for (const view of ['Changes', 'Cost']) {
    await page.getByRole('navigation', { name: 'Session' }).getByRole('link', { name: view }).click()
    await expect(page.locator('main .skeleton')).toHaveCount(0)
    await expect(page.locator('main section').first()).toBeVisible()
    for (const drawing of await drawings()) seen.add(drawing)
  }
  expect(seen.size, [...seen].join(', ')).toBeLessThanOrEqual(5)
  expect(seen.size).toBeGreaterThanOrEqual(3)
})
