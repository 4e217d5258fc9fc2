import { expect, type Page } from '@playwright/test'
import { PAGES } from '../fixtures/pages.ts'
import { SESSIONS } from '../fixtures/sessions.ts'
import { shoot } from './shoot.ts'

shoot('home', 1180, (page) => visit(page, 'home'))
shoot('session', 1100, (page) => visit(page, 'session'))
shoot('usage', 1500, (page) => visit(page, 'usage'))

shoot('project', 1000, async (page) => {
  const { projects } = await (await page.request.get('/api/projects')).json()
  const webshop = projects.find((project: { name: string }) => project.name === 'webshop')
  await page.goto(`/p/${webshop.key}`)
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
})

shoot('session-tools', 2600, async (page) => {
  await visit(page, 'session')
  for (const name of [/WriteTodos/, /Investigator/i, /Edit.*src\/price\.js/, /2 thoughts.*Applying/]) {
    const head = page.getByRole('button', { name }).first()
    if ((await head.getAttribute('aria-expanded')) === 'false') await head.click()
  }
})

shoot('search', 1000, async (page) => {
  await page.goto('/search?q=rounding')
  await expect(page.locator('mark').first()).toBeVisible()
})

async function visit(page: Page, name: string): Promise<void> {
  const target = PAGES.find((each) => each.name === name)
  if (!target) throw new Error(`no page ${name}`)
  await page.goto(target.path)
  await target.isReady(page)
}
