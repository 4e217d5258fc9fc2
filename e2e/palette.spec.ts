import type { Locator, Page } from '@playwright/test'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

test.use({ expectedProblem: /500 \(/ })

const found = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' })
const box = (page: Page) => page.getByRole('combobox', { name: 'Search or jump to' })
const chosen = (page: Page) => found(page).getByRole('option', { selected: true })

async function openBox(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(box(page)).toBeFocused()
}

/** Types, waits until the item is selected, and presses Enter. */
async function goBy(page: Page, typed: string, line: string | RegExp): Promise<void> {
  await openBox(page)
  await page.keyboard.type(typed)
  await expect(chosen(page)).toContainText(line)
  await page.keyboard.press('Enter')
  await expect(found(page)).toHaveCount(0)
}

const heading = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { level: 1, name })

test('by the one box alone: every page, a session, its views and its actions', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
  for (const [typed, line, title] of [
    ['usage', 'Usage', 'Usage'],
    ['settings', 'Settings', 'Appearance'],
  ] as const) {
    await goBy(page, typed, line)
    await expect(heading(page, title).first()).toBeAttached()
  }
  await goBy(page, 'search', 'Search')
  await expect(page).toHaveURL(/\/search$/)
  await page.goto('/')
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
  await goBy(page, 'saved cha', 'Saved chats')
  await expect(page).toHaveURL(/kind=checkpoint/)
  await goBy(page, 'settings disk', 'Settings: disk space of the Gemini folder')
  await expect(page).toHaveURL(/\/settings\/storage#disk$/)
  await expect(page.getByRole('group', { name: 'Disk space used by Gemini CLI' })).toBeFocused()
  await goBy(page, 'show these', 'Show these keys')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  await page.keyboard.press('Escape')
  await goBy(page, 'webshop', /webshop/)
  await expect(heading(page, 'webshop')).toBeVisible()
  // with missing letters and reordered words
  await goBy(page, 'chekout rounding', SESSIONS.rounding.title)
  await expect(heading(page, SESSIONS.rounding.title)).toBeVisible()
  await goBy(page, 'cost of', /^Cost of this session/)
  await expect(page).toHaveURL(/view=cost/)
  await goBy(page, 'share', 'Share this session')
  await expect(page.getByRole('dialog')).toContainText('Share this session')
  await page.keyboard.press('Escape')
  await goBy(page, 'all sess', 'All sessions')
  await expect(page).toHaveURL(/\/$/)
})

test('by the one box alone: what each page can do; the address keeps it over a reload', async ({
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
  await openBox(page)
  await expect(found(page).getByRole('group', { name: 'This page' })).toContainText('Export the sessions')
  await page.keyboard.press('Escape')
  await goBy(page, 'order most exp', 'Order: Most expensive')
  await goBy(page, 'failed only', 'Toggle: failed only')
  await shows(/\/\?sort=cost&has=errors$/)
  await expect(page.getByRole('button', { name: 'Remove filter: failed' })).toBeVisible()
  await goBy(page, 'export the ses', 'Export the sessions that are shown')
  await expect(page.getByRole('dialog', { name: /^Export \d+ sessions?$/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await goBy(page, 'save this', 'Save this view…')
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
  await goBy(page, 'who on or off you', 'Who, on or off: You')
  await goBy(page, 'order newest', 'Order: Newest')
  await goBy(page, 'time any', 'Time: Any time')
  await shows(/\/search\?q=rounding&in=prompt&sort=recent$/)
  await goBy(page, 'clear all fil', 'Clear all filters beside the query')
  await expect(page).toHaveURL(/\/search\?q=rounding&sort=recent$/)

  await page.goto('/usage?range=all')
  await expect(page.locator('.column-chart').first()).toBeVisible()
  await goBy(page, 'chart tok', 'Chart: Tokens')
  await goBy(page, 'table: tool', 'Table: Tools')
  await shows(/\/usage\?range=all&metric=tokens&table=tools/)
  await expect(page.getByRole('table', { name: 'Tools' })).toBeVisible()

  await page.goto('/settings/storage')
  await expect(page.getByRole('region', { name: 'Stars, notes and tags' })).toBeVisible()
  const download = page.waitForEvent('download')
  await goBy(page, 'export stars', 'Export stars, notes and tags')
  expect((await download).suggestedFilename()).toBe('gemini-dash-marks.json')
})

test('it gives the focus back, walks by arrows, and never is a dead end', async ({ page }) => {
  await page.goto('/usage')
  const link = page.getByRole('link', { name: 'Settings', exact: true })
  await link.focus()
  await openBox(page)
  await expect(found(page).getByRole('group', { name: 'Newest sessions' }).getByRole('option')).toHaveCount(5)
  await expect(found(page).getByRole('group', { name: 'Go to' })).toContainText('Search')
  const first = await chosen(page).textContent()
  await page.keyboard.press('ArrowDown')
  await expect(chosen(page)).not.toHaveText(first ?? '')
  await page.keyboard.press('ArrowUp')
  await expect(chosen(page)).toHaveText(first ?? '')
  await page.keyboard.press('Control+k')
  await expect(found(page)).toHaveCount(0)
  await expect(link).toBeFocused()

  await openBox(page)
  // late results neither change the item for Enter nor push it down
  await page.keyboard.type('copy the')
  const copying = 'Copy the link to this page'
  await expect(chosen(page)).toHaveText(copying)
  await expect(found(page).getByRole('group', { name: 'In messages' })).toBeVisible()
  await expect(found(page).getByRole('option').first()).toHaveText(copying)
  await box(page).fill('')
  await page.keyboard.type('vouchre')
  await expect(found(page).getByRole('option', { name: 'Did you mean “voucher”?' })).toBeVisible()
  await found(page).getByRole('option', { name: 'Did you mean “voucher”?' }).click()
  await expect(page).toHaveURL(/\/search\?q=voucher$/)

  await page.goto('/usage')
  await expect(heading(page, 'Usage')).toBeVisible()
  await openBox(page)
  await page.keyboard.type('rounding')
  await page.keyboard.press('Shift+Enter')
  await expect(page).toHaveURL(/\/search\?q=rounding$/)
  await expect(box(page)).toHaveValue('rounding')
})

test('it offers to find in this session, in this list, and in this project; a scope is a chip', async ({
  page,
}) => {
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  await expect(heading(page, SESSIONS.rounding.title)).toBeVisible()
  await openBox(page)
  await page.keyboard.type('rounding')
  await expect(chosen(page)).toHaveText(/^Find “rounding” in this session/)
  const titles = found(page)
    .getByRole('group')
    .evaluateAll((groups) => groups.map(({ ariaLabel }) => ariaLabel))
  expect((await titles).slice(0, 2)).toEqual(['This session', 'Sessions'])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/s\/[^/]+\?q=rounding/)
  await expect(page.getByText('5 results', { exact: true })).toBeVisible()

  await page.goto('/p/webshop')
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
  await openBox(page)
  await page.keyboard.type('price')
  // all projects can be searched from here, too
  await expect(found(page).getByRole('option', { name: /^See all 81 results/ })).toBeVisible()
  await expect(
    found(page).getByRole('option', { name: /^Filter titles in this list by “price” 1 session/ }),
  ).toBeVisible()
  const dates = found(page).getByRole('group', { name: 'In messages' }).locator('.box-end')
  await expect(dates).toHaveText(Array.from({ length: 5 }, () => /^\d+ \w+$|^\w+ \d+$/))
  await found(page).getByRole('option', { name: 'See results in webshop' }).click()
  await expect(page).toHaveURL(/\/search\?q=price&project=/)
  await page.getByRole('button', { name: /^Search all projects instead of webshop/ }).click()
  await expect(page).toHaveURL(/\/search\?q=price$/)
})

test('`?` in the empty box lists the filters that can be typed, and a line of it is written into the box', async ({
  page,
}) => {
  await page.goto('/usage')
  await expect(heading(page, 'Usage')).toBeVisible()
  await openBox(page)
  await page.keyboard.type('?')
  await expect(found(page).getByRole('group', { name: 'Filters you can type' })).toBeVisible()
  await found(page)
    .getByRole('option', { name: /^file:src\/\*\.ts has:diff/ })
    .click()
  await expect(box(page)).toHaveValue('file:src/*.ts has:diff')
  await expect(box(page)).toBeFocused()
  await page.keyboard.press('Shift+Enter')
  await expect(page).toHaveURL(/\/search\?q=file%3Asrc/)
})

test('sessions that cannot be asked for are said so, in their place, and asked for again', async ({
  page,
}) => {
  await page.goto('/usage')
  await expect(heading(page, 'Usage')).toBeVisible()
  await page.route('**/api/sessions?title=*', (route) => route.fulfill({ status: 500, body: '{}' }))
  await openBox(page)
  await page.keyboard.type('rounding')
  const retry = found(page).getByRole('option', { name: /could not be asked for\. Try again/ })
  await expect(retry).toBeVisible()
  await page.unroute('**/api/sessions?title=*')
  await retry.click()
  await expect(chosen(page)).toContainText(SESSIONS.rounding.title)
  await page.keyboard.press('Escape')

  // an action that makes a request also reports errors
  await page.goto('/')
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
  await page.route('**/api/sessions?*', (route) => route.fulfill({ status: 500, body: '{}' }))
  await goBy(page, 'export the ses', 'Export the sessions that are shown')
  await expect(page.getByRole('status').filter({ hasText: 'The server answered 500.' })).toBeVisible()
})

test('a session asked for by its title is one question after typing, not one a letter', async ({ page }) => {
  await page.goto('/usage')
  await expect(heading(page, 'Usage')).toBeVisible()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('title=')) asked.push(new URL(request.url()).searchParams.get('title') ?? '')
  })
  await openBox(page)
  await page.evaluate(TYPE_FAST)
  await expect(chosen(page)).toContainText(SESSIONS.rounding.title)
  await expect.poll(() => asked.at(-1)).toBe('rounding at checkout')
  // at most the title search, and the one for similar titles
  expect(asked.length).toBeLessThan(3)
})

/** Letter by letter, each rendered before the next, faster than anybody types, even on a slow machine. */
const TYPE_FAST = `(async () => {
  const box = document.activeElement
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
  for (const letter of 'rounding at checkout') {
    set.call(box, box.value + letter)
    box.dispatchEvent(new InputEvent('input', { bubbles: true, data: letter }))
    await Promise.resolve()
  }
})()`

test('by keyboard alone: through all pages, the list and a session, and with single keys no more where they are off', async ({
  page,
}) => {
  await page.goto('/')
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
  for (const [keys, path] of [
    ['gu', '/usage'],
    ['gf', '/search\\?q=file%3A'],
    ['gm', '/\\?kind=checkpoint'],
    ['g,', '/settings'],
    ['gs', '/search'],
  ] as const) {
    // the search page focuses its input
    await page.keyboard.type(keys)
    await expect(page).toHaveURL(new RegExp(`${path}$`))
  }
  await expect(box(page)).toBeFocused()
  await box(page).blur()
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
