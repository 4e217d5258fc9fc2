import type { Locator, Page } from '@playwright/test'
import { expectAxeClean, expectAxeCleanInBothThemes } from './fixtures/axe-scan.ts'
import { expectNoSidewaysScroll } from './fixtures/no-sideways-scroll.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

test.use({ expectedProblem: /500 \(/ })

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' })
const box = (page: Page) => palette(page).getByRole('combobox')
const chosen = (page: Page) => palette(page).getByRole('option', { selected: true })

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(box(page)).toBeFocused()
}

/** Types, waits until that line is chosen, and takes it. */
async function goBy(page: Page, typed: string, line: string | RegExp): Promise<void> {
  await openPalette(page)
  await page.keyboard.type(typed)
  await expect(chosen(page)).toContainText(line)
  await page.keyboard.press('Enter')
  await expect(palette(page)).toHaveCount(0)
}

const heading = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { level: 1, name })

test('by the palette alone: every page, a session, its views and its actions', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
  for (const [typed, line, title] of [
    ['usage', 'Usage', 'Usage'],
    ['health', 'Health', /^Health|read/],
    ['compare', 'Compare sessions', 'Compare sessions'],
    ['files', 'Files', 'Files'],
    ['search', 'Search', 'Search'],
    ['settings', 'Settings', 'Settings'],
  ] as const) {
    await goBy(page, typed, line)
    await expect(heading(page, title).first()).toBeAttached()
  }
  await goBy(page, 'saved cha', 'Saved chats')
  await expect(page).toHaveURL(/kind=checkpoint/)
  await goBy(page, 'prices and plan', 'Settings: prices and plan')
  await expect(page).toHaveURL(/\/settings#prices$/)
  await expect(page.getByRole('region', { name: 'Prices' })).toBeFocused()
  await goBy(page, 'clock of', 'Clock of 24 or 12 hours')
  await expect(page.getByRole('button', { name: '12 h' })).toHaveAttribute('aria-pressed', 'true')
  await goBy(page, 'clock of', 'Clock of 24 or 12 hours')
  await goBy(page, 'show these', 'Show these keys')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  await page.keyboard.press('Escape')
  await goBy(page, 'webshop', /webshop/)
  await expect(heading(page, 'webshop')).toBeVisible()
  // letters left out, words in another order
  await goBy(page, 'chekout rounding', SESSIONS.rounding.title)
  await expect(heading(page, SESSIONS.rounding.title)).toBeVisible()
  await goBy(page, 'where it', /^Where it went/)
  await expect(page).toHaveURL(/view=context/)
  await goBy(page, 'export', 'Export')
  await expect(page.getByRole('dialog')).toContainText('Export')
  await page.keyboard.press('Escape')
  await goBy(page, 'all sess', 'All sessions')
  await expect(page).toHaveURL(/\/$/)
})

test('by the palette alone: what each page can do; the address keeps it over a reload', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const shows = async (query: RegExp) => {
    await expect(page).toHaveURL(query)
    await page.reload()
    await expect(page).toHaveURL(query)
  }
  await page.goto('/')
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
  await openPalette(page)
  await expect(palette(page).getByRole('group', { name: 'This page' })).toContainText('Export the sessions')
  await page.keyboard.press('Escape')
  await goBy(page, 'order most exp', 'Order: Most expensive')
  await goBy(page, 'only sessions with', 'Only sessions with errors')
  await shows(/\/\?sort=cost&has=errors$/)
  await expect(page.getByRole('combobox', { name: 'Order' })).toHaveValue('cost')
  await expect(page.getByRole('button', { name: 'Has errors' })).toHaveAttribute('aria-pressed', 'true')
  await goBy(page, 'export the ses', 'Export the sessions that are shown')
  await expect(page.getByRole('dialog', { name: /^Export \d+ sessions?$/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await goBy(page, 'save this', 'Save this view under a name')
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
  await page.keyboard.type('Costly failures')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await goBy(page, 'clear all fil', 'Clear all filters')
  await expect(page).toHaveURL(/\/\?sort=cost$/)
  await goBy(page, 'costly fail', 'Costly failures')
  await expect(page).toHaveURL(/has=errors/)
  await goBy(page, 'copy the link to th', 'Copy the link to this page')
  await expect(page.getByRole('status').filter({ hasText: /^Copied$/ })).toBeVisible()
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(page.url())

  await page.goto('/search?q=rounding')
  await expect(page.locator('.hit').first()).toBeVisible()
  await goBy(page, 'said by you', 'Said by, on or off: You')
  await goBy(page, 'order relev', 'Order: Relevance')
  await goBy(page, 'time any', 'Time: Any time')
  await shows(/\/search\?q=rounding&in=prompt&sort=relevance$/)
  await expect(page.getByRole('checkbox', { name: /^You/ })).toBeChecked()
  await goBy(page, 'clear all fil', 'Clear all filters beside the query')
  await expect(page.getByRole('checkbox', { name: /^You/ })).not.toBeChecked()

  await page.goto('/usage?range=all')
  await expect(page.locator('.column-chart').first()).toBeVisible()
  await goBy(page, 'metric tok', 'Metric: Tokens')
  await goBy(page, 'charts as tab', 'All charts as tables')
  await shows(/\/usage\?range=all&metric=tokens&tables=days(%2C|,)year/)
  await expect(page.getByRole('button', { name: 'View as chart' })).toHaveCount(4)

  await page.goto(`/compare?a=${SESSIONS.rounding.id}`)
  await expect(page.getByRole('searchbox', { name: 'Filter by title' })).toBeVisible()
  await goBy(page, 'sessions of all', 'Sessions of: All projects')
  await page.getByRole('searchbox', { name: 'Filter by title' }).fill('invoices')
  await shows(/of=all&q=invoices/)
  await expect(page.getByRole('searchbox', { name: 'Filter by title' })).toHaveValue('invoices')
  await page.goto('/file')
  await page.getByRole('searchbox', { name: 'Part of a path' }).fill('price')
  await shows(/\/file\?q=price$/)
  await expect(page.getByRole('searchbox', { name: 'Part of a path' })).toHaveValue('price')
  await page.goto('/settings')
  await expect(page.getByRole('region', { name: 'Own marks' })).toBeVisible()
  const download = page.waitForEvent('download')
  await goBy(page, 'export own', 'Export own marks')
  expect((await download).suggestedFilename()).toBe('gemini-dash-marks.json')
})

test('it gives the focus back, walks by arrows, and never is a dead end', async ({ page }) => {
  await page.goto('/usage')
  const more = page.getByRole('button', { name: 'More pages, settings and theme' })
  await more.focus()
  await openPalette(page)
  await expect(palette(page).getByRole('group', { name: 'Newest sessions' }).getByRole('option')).toHaveCount(
    5,
  )
  await expect(palette(page).getByRole('group', { name: 'Pages' })).toContainText('Health')
  const first = await chosen(page).textContent()
  await page.keyboard.press('ArrowDown')
  await expect(chosen(page)).not.toHaveText(first ?? '')
  await page.keyboard.press('ArrowUp')
  await expect(chosen(page)).toHaveText(first ?? '')
  await page.keyboard.press('Control+k')
  await expect(palette(page)).toHaveCount(0)
  await expect(more).toBeFocused()

  // asked for again before the browser has told that it closed; the focus may still be in it then
  for (const target of ['.palette input', 'body']) {
    await openPalette(page)
    await page.evaluate(`
      const target = document.querySelector('${target}')
      document.querySelector('.palette').close()
      target.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', code: 'KeyK', ctrlKey: true, bubbles: true }))
    `)
    await expect(box(page)).toBeFocused()
    await page.keyboard.press('Escape')
  }
  await openPalette(page)
  // what comes late neither changes what Enter takes nor pushes it down
  await page.keyboard.type('page')
  const link = 'Copy the link to this page'
  await expect(chosen(page)).toHaveText(link)
  await expect(palette(page).getByRole('option', { name: 'Dark theme for the admin pages' })).toBeVisible()
  await expect(chosen(page)).toHaveText(link)
  await expect(palette(page).getByRole('option').first()).toHaveText(link)
  await box(page).fill('')
  await page.keyboard.type('vouchre')
  await expect(palette(page)).toContainText('No session, page or action is called vouchre.')
  await expect(chosen(page)).toContainText('Did you mean “voucher”?')
  await expectAxeClean(page, 'dialog[open]')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/search\?q=voucher$/)

  await openPalette(page)
  await page.keyboard.type('rounding')
  await page.keyboard.press('Shift+Enter')
  await expect(page).toHaveURL(/\/search\?q=rounding$/)
})

test('sessions that cannot be asked for are said so, in their place, and asked for again', async ({
  page,
}) => {
  await page.goto('/usage')
  await expect(heading(page, 'Usage')).toBeVisible()
  await page.route('**/api/sessions?title=*', (route) => route.fulfill({ status: 500, body: '{}' }))
  await openPalette(page)
  await page.keyboard.type('rounding')
  const retry = palette(page).getByRole('option', { name: /could not be asked for\. Try again/ })
  await expect(retry).toBeVisible()
  await page.unroute('**/api/sessions?title=*')
  await retry.click()
  await expect(chosen(page)).toContainText(SESSIONS.rounding.title)
  await page.keyboard.press('Escape')

  // what asks on its way says so as well
  await page.goto('/')
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
  await page.route('**/api/sessions?*', (route) => route.fulfill({ status: 500, body: '{}' }))
  await goBy(page, 'export the ses', 'Export the sessions that are shown')
  await expect(page.getByRole('status').filter({ hasText: 'The server answered 500.' })).toBeVisible()
})

test('a session asked for by its title is one request after typing, not one a letter', async ({ page }) => {
  await page.goto('/usage')
  await expect(heading(page, 'Usage')).toBeVisible()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('title=')) asked.push(new URL(request.url()).searchParams.get('title') ?? '')
  })
  await openPalette(page)
  await page.evaluate(TYPE_FAST)
  await expect(chosen(page)).toContainText(SESSIONS.rounding.title)
  await expect.poll(() => asked.at(-1)).toBe('rounding at checkout')
  // at most the title, and what is near it
  expect(asked.length).toBeLessThan(3)
})

/** Letter by letter, each drawn before the next, faster than anybody types: also where the machine is slow. */
const TYPE_FAST = `(async () => {
  const box = document.activeElement
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
  for (const letter of 'rounding at checkout') {
    set.call(box, box.value + letter)
    box.dispatchEvent(new InputEvent('input', { bubbles: true, data: letter }))
    await Promise.resolve()
  }
})()`

test('the palette is clean in both themes, and fills a phone', async ({ page }, testInfo) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  await expect(heading(page, SESSIONS.rounding.title)).toBeVisible()
  await openPalette(page)
  for (const typed of ['', 'fix pri']) {
    await page.keyboard.type(typed)
    await expect(palette(page).getByRole('option').nth(1)).toBeVisible()
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expectAxeCleanInBothThemes(page, 'dialog[open]')
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.screenshot({
          path: testInfo.outputPath(`palette-${typed || 'first'}-${colorScheme}-${width}.png`),
        })
      }
      await expectNoSidewaysScroll(page)
    }
  }
})

test('by keyboard alone: through all pages, the list and a session, and with single keys no more where they are off', async ({
  page,
}) => {
  await page.goto('/')
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
  for (const [keys, path] of [
    ['gu', '/usage'],
    ['gd', '/doctor'],
    ['gc', '/compare'],
    ['gf', '/file'],
    ['gm', '/\\?kind=checkpoint'],
    ['g,', '/settings'],
    ['gs', '/search'],
  ] as const) {
    // the search page puts the focus into its box
    await page.keyboard.type(keys)
    await expect(page).toHaveURL(new RegExp(`${path}$`))
  }
  const searchBox = page.getByRole('combobox', { name: 'Search', exact: true })
  await expect(searchBox).toBeFocused()
  await searchBox.blur()
  await page.keyboard.type('gh')
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
  await page.keyboard.type('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/s\//)
  const here = page.url()
  await expect(page.locator('.conversation article').first()).toBeVisible()
  await page.keyboard.type('gp')
  await expect(page).toHaveURL(/\/p\//)
  await page.goBack()
  await expect(page.locator('.conversation article').first()).toBeVisible()
  await page.keyboard.press('[')
  await expect(page).not.toHaveURL(here)
  await expect(page.locator('.conversation article').first()).toBeVisible()
  await page.keyboard.press(']')
  await expect(page).toHaveURL(new RegExp(`${here}$`))
  await page.keyboard.press(']')
  await expect(page.getByRole('status').filter({ hasText: 'No later session of this project' })).toBeVisible()
  await page.keyboard.press('Shift+D')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await page.keyboard.press('.')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
})
