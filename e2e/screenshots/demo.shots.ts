import { expect, type Page } from '@playwright/test'
import { PAGES } from '../fixtures/pages.ts'
import { SESSIONS } from '../fixtures/sessions.ts'
import { shoot } from './shoot.ts'

const session = `/s/${SESSIONS.rounding.id}`

shoot('home', 900, (page) => visit(page, 'home'))
shoot('session', 1000, async (page) => {
  await visit(page, 'session')
  await expect(page.getByRole('slider', { name: /^Tokens by request/ })).toBeVisible()
})
shoot('usage', 1500, (page) => visit(page, 'usage'))
shoot('health', 1300, (page) => visit(page, 'health'))
shoot('file', 760, (page) => visit(page, 'file'))
shoot('search-start', 900, (page) => visit(page, 'search start'))

shoot('project', 1000, async (page) => {
  const { projects } = await (await page.request.get('/api/projects')).json()
  const webshop = projects.find((project: { name: string }) => project.name === 'webshop')
  await page.goto(`/p/${webshop.key}`)
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
})

shoot('home-no-match', 800, async (page) => {
  await page.goto('/?q=nothing+is+called+so')
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeHidden()
})

shoot('session-tools', 2600, async (page) => {
  await visit(page, 'session')
  for (const name of [/WriteTodos/, /Investigator/i, /Edit.*src\/price\.js/, /2 thoughts.*Applying/]) {
    const head = page.getByRole('button', { name }).first()
    if ((await head.getAttribute('aria-expanded')) === 'false') await head.click()
  }
})

shoot('session-seams', 1400, async (page) => {
  await page.goto(session)
  const fold = page.getByRole('button', { name: /taken back/ }).first()
  await fold.click()
})

shoot('session-errors', 1100, async (page) => {
  await page.goto(`${session}?show=errors`)
  await expect(page.getByText('Failed, exit 1').first()).toBeVisible()
})

shoot('session-find', 1100, async (page) => {
  await page.goto(`${session}?q=price`)
  await expect(page.locator('.find-count')).toHaveText(/found/)
})

shoot('session-changes', 1100, async (page) => {
  await page.goto(`${session}?view=changes`)
  await expect(page.getByRole('heading', { name: /^The cart shows/ })).toBeVisible()
})

shoot('session-beside', 1100, async (page) => {
  await page.goto(`/s/${SESSIONS.slowShelf.id}`)
  await expect(page.getByRole('article').first()).toBeVisible()
})

shoot('session-thoughts', 1100, async (page) => {
  await page.goto(session)
  const isPhone = (page.viewportSize()?.width ?? 0) < 800
  // there the outline is a sheet
  if (isPhone) await page.getByRole('button', { name: /^Turn/ }).click()
  await page
    .getByRole('button', { name: /^Outline: / })
    .last()
    .click()
  await page.getByRole('button', { name: 'Thinking', exact: true }).first().click()
  await expect(page.getByText('Applying the change').first()).toBeVisible()
})

shoot('session-cost', 1100, async (page) => {
  await page.goto(`${session}?view=cost`)
  await expect(page.getByRole('region', { name: /^Why it cost/ })).toBeVisible()
})

shoot('session-by-time', 700, async (page) => {
  await page.goto(session)
  const isPhone = (page.viewportSize()?.width ?? 0) < 800
  if (isPhone) await page.getByRole('button', { name: /^Turn/ }).click()
  await page
    .getByRole('button', { name: /^Outline: / })
    .last()
    .click()
  await page.getByRole('button', { name: 'By time' }).click()
  await expect(page.getByRole('navigation', { name: 'Steps by time' })).toBeVisible()
})

// the sheet of keys; on a phone, which has none, the drawer of projects
shoot('layer', 900, async (page) => {
  await visit(page, 'home')
  await page.getByRole('button', { name: /^(Keys \(\?\)|Projects)$/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
})

shoot('compare', 1200, async (page) => {
  await page.goto(`/compare?a=${SESSIONS.rounding.id}&b=${SESSIONS.slowShelf.id}`)
  await expect(page.getByRole('region', { name: 'Figures' })).toBeVisible()
})

shoot('session-raw', 900, async (page) => {
  await page.goto(session)
  await page.getByRole('article').first().hover()
  await page.getByRole('button', { name: 'More of this message' }).click()
  await page.getByRole('button', { name: 'Raw record' }).click()
  await expect(page.getByRole('dialog', { name: 'Raw record' })).toBeVisible()
})

shoot('session-cut', 900, async (page) => {
  await page.goto('/')
  await page.getByRole('listitem').filter({ hasText: 'Damaged file' }).getByRole('link').first().click()
  await expect(page.getByText('Only part of this file could be read', { exact: false })).toBeVisible()
})

shoot('search', 1000, async (page) => {
  await page.goto('/search?q=rounding')
  await expect(page.locator('mark').first()).toBeVisible()
})

shoot('search-nothing', 800, async (page) => {
  await page.goto('/search?q=xyzzyplugh')
  await expect(page.getByText(/xyzzyplugh/).first()).toBeVisible()
})

shoot(
  'not-found',
  700,
  async (page) => {
    await page.goto('/s/no-such-session')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  },
  /status of 404/,
)

async function visit(page: Page, name: string): Promise<void> {
  const target = PAGES.find((each) => each.name === name)
  if (!target) throw new Error(`no page ${name}`)
  await page.goto(target.path)
  await target.isReady(page)
}
