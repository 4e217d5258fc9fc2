import type { Page } from '@playwright/test'
import type { SessionList } from '../packages/api/src/index.ts'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { expect, test } from './fixtures/test.ts'

test.use({ homeContent: 'recorded' })

const WINDOWS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
/** Late changes in height (a growing head, a font, highlighted code) happen within this time. */
const STILL_MS = 350

for (const [turn, viewport] of WINDOWS.entries()) {
  test(`C2: one recorded session in eight opens at its top at ${viewport.width}×${viewport.height}`, async ({
    page,
  }) => {
    test.setTimeout(300_000)
    await page.setViewportSize(viewport)
    const moved: string[] = []
    // Alternates between wide and narrow windows: a layout shift would affect many sessions.
    const own = (await sessionsOf(page)).filter((_, place) => place % 8 === 4 * turn)
    for (const { key, title } of own) {
      await page.goto(`/s/${key}`)
      const heading = page.getByRole('heading', { level: 1 })
      await expect(heading).toBeVisible()
      await expect(page.locator('.conversation[aria-busy="false"]')).toBeAttached()
      await page.waitForTimeout(STILL_MS)
      const top = await page.evaluate<number>('scrollY')
      if (top !== 0) moved.push(`${title}: ${top} px`)
      else await expect(heading).toBeInViewport()
    }
    expect(moved).toEqual([])
  })
}

test('as long as a session is on its way its page says so', async ({ page }) => {
  const [first] = await sessionsOf(page)
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.route('**/api/sessions/**', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`/s/${first?.key}`)
  const loading = page.getByRole('main').getByRole('status', { name: 'Loading the session' })
  await expect(loading).toBeVisible()
  goOn()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(loading).toHaveCount(0)
})

async function sessionsOf(page: Page): Promise<SessionList['sessions']> {
  await expectReadyIndex(page)
  const list: SessionList = await (await page.request.get('/api/sessions?kind=all&limit=500')).json()
  expect(list.sessions.length).toBeGreaterThan(20)
  return list.sessions
}
