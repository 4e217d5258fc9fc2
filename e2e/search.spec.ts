import type { Page } from '@playwright/test'
import { expectAxeClean } from './fixtures/axe-scan.ts'
import { goBack } from './fixtures/go-back.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

const box = (page: Page) => page.getByRole('combobox', { name: 'Search' })
const hits = (page: Page) => page.getByRole('link').filter({ has: page.locator('mark') })
const queryOf = (page: Page) => new URL(page.url()).searchParams.get('q')

test('a word that only a tool printed is found, and the hit is shown where it stands', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('combobox', { name: 'Search all sessions' }).fill('E_LEDGER_DRIFT')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/search\?.*q=E_LEDGER_DRIFT/)
  await expect(page.getByText(SESSIONS.nightly.title).first()).toBeVisible()

  const hit = page.getByRole('link').filter({ has: page.locator('mark', { hasText: 'E_LEDGER_DRIFT' }) })
  await hit.first().click()
  await expect(page).toHaveURL(/\/s\/[\w-]{12}.*#m-/)
  await expect(page.getByRole('heading', { level: 1, name: SESSIONS.nightly.title })).toBeVisible()
  const mark = page.locator('main mark', { hasText: 'E_LEDGER_DRIFT' }).first()
  await expect(mark).toBeInViewport()
})

test('while one types, sessions, places and the way to all of it stand below the box', async ({ page }) => {
  await page.goto('/')
  const top = page.getByRole('combobox', { name: 'Search all sessions' })
  await top.pressSequentially('rounding')
  const found = page.getByRole('listbox', { name: 'Found' })
  await expect(found.getByRole('group', { name: 'Sessions' }).getByRole('option').first()).toContainText(
    SESSIONS.rounding.title,
  )
  await expect(found.getByRole('group', { name: 'Places' }).getByRole('option')).toHaveCount(5)
  await expectAxeClean(page)
  await top.press('ArrowUp')
  await expect(found.getByRole('option', { name: /^All results/ })).toHaveAttribute('aria-selected', 'true')
  await top.press('Escape')
  await expect(found).toHaveCount(0)
  await expect(top).toBeFocused()
  await top.fill('zzqqxx')
  await expect(found.getByRole('option', { name: 'No hits for “zzqqxx”' })).toBeVisible()
  // a place that only a tool printed, taken by the keyboard
  await top.fill('E_LEDGER_DRIFT')
  const place = found.getByRole('option', { name: /E_LEDGER_DRIFT/ }).first()
  await expect(place).toBeVisible()
  await top.press('ArrowDown')
  await expect(place).toHaveAttribute('aria-selected', 'true')
  await top.press('Enter')
  await expect(page).toHaveURL(/\/s\/.*q=E_LEDGER_DRIFT.*#m-/)
  await expect(found).toHaveCount(0)
  await expect(page.locator('main mark', { hasText: 'E_LEDGER_DRIFT' }).first()).toBeInViewport()
})

test('C9: what no title has is offered inside sessions; a search is kept to a time that the address holds', async ({
  page,
}) => {
  await page.goto('/?q=E_LEDGER_DRIFT')
  await page.getByRole('link', { name: /^\d+ hits? for “E_LEDGER_DRIFT” inside sessions$/ }).click()
  await expect(hits(page).first()).toBeVisible()
  const time = page.getByRole('group', { name: 'Time' })
  // what the address holds follows a click a little later, which check() would not wait for
  await time.getByRole('radio', { name: 'Today' }).click()
  await expect(page).toHaveURL(/range=today/)
  await expect(page.getByRole('heading', { name: /^Nothing found/ })).toBeVisible()
  await page.reload()
  await expect(time.getByRole('radio', { name: 'Today' })).toBeChecked()
  await page.getByRole('button', { name: 'Remove time today' }).click()
  await expect(hits(page).first()).toBeVisible()
  await time.getByRole('radio', { name: 'Own days' }).click()
  await time.getByLabel('From').fill('2026-11-01')
  await time.getByLabel('To', { exact: true }).fill('2026-11-30')
  await expect(page).toHaveURL(/from=2026-11-01&to=2026-12-01/)
  await expect(hits(page).first()).toBeVisible()
  await expectAxeClean(page)
})

test('two characters of Chinese are enough', async ({ page }) => {
  await page.goto('/search?q=收据')
  await expect(page.getByText(SESSIONS.rounding.title).first()).toBeVisible()
  await expect(page.locator('mark', { hasText: '收据' }).first()).toBeVisible()
})

test('filters in the query are chips; the keyboard takes one off again', async ({ page }) => {
  await page.goto('/search?q=rounding+tool:read_file+-lockfile')
  const toolChip = page.getByRole('button', { name: 'Remove tool read_file' })
  await expect(toolChip).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove without lockfile' })).toBeVisible()
  await toolChip.focus()
  await page.keyboard.press('Delete')
  await expect(toolChip).toBeHidden()
  await expect(box(page)).toHaveValue('rounding -lockfile')
  await expect.poll(() => queryOf(page)).toBe('rounding -lockfile')
})

test('operators and values are suggested while typing, and taken by the keyboard', async ({ page }) => {
  await page.goto('/search')
  const first = page.getByRole('option').first()
  await box(page).pressSequentially('rounding too')
  // a list of before, in which another is the first, may stand there for a moment
  await expect(first).toHaveAccessibleName(/^tool:/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(box(page)).toHaveValue('rounding tool:')
  await box(page).pressSequentially('run')
  await expect(first).toHaveAccessibleName(/run_shell_command/)
  await expectAxeClean(page)
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { name: /run_shell_command/ })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await page.keyboard.press('Enter')
  await expect(box(page)).toHaveValue('rounding tool:run_shell_command ')
  await expect(page.getByRole('button', { name: 'Remove tool run_shell_command' })).toBeVisible()
  await expect(page.getByText(/\d+ hits? in \d+ session/)).toBeVisible()
})

test('a suggestion is taken from the list of a moment ago while the next one is on its way', async ({
  page,
}) => {
  await page.goto('/search')
  await box(page).pressSequentially('rounding to')
  await expect(page.getByRole('option').first()).toHaveAccessibleName(/^tool:/)
  let answerOn = () => {}
  const isAnswered = new Promise<void>((resolve) => {
    answerOn = resolve
  })
  await page.route('**/api/search/suggest?**', async (route) => {
    await isAnswered
    await route.continue()
  })
  await box(page).pressSequentially('o')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(box(page)).toHaveValue('rounding tool:')
  answerOn()
  await box(page).pressSequentially('run')
  await expect(page.getByRole('option', { name: /run_shell_command/ })).toBeVisible()
})

test('Escape closes the suggestions and nothing else; Enter without a selection searches', async ({
  page,
}) => {
  await page.goto('/search')
  await box(page).pressSequentially('voucher')
  await box(page).press('Backspace')
  await box(page).pressSequentially('r pro')
  await expect(page.getByRole('listbox')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox')).toBeHidden()
  await expect(box(page)).toHaveValue('voucher pro')
  await expect(box(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(() => queryOf(page)).toBe('voucher pro')
})

test('facets take several values, and their counts follow the other filters', async ({ page }) => {
  await page.goto('/search?q=rounding')
  const filters = page.getByRole('complementary', { name: 'Filters' })
  const shell = filters.getByRole('checkbox', { name: /^Shell/ })
  const readFile = filters.getByRole('checkbox', { name: /^ReadFile/ })
  await shell.click()
  await expect(page).toHaveURL(/tool=run_shell_command/)
  await readFile.click()
  await expect(page).toHaveURL(/tool=run_shell_command%2Cread_file/)
  await expect(shell).toBeChecked()
  await expect(page.getByRole('button', { name: 'Remove tool Shell, ReadFile' })).toBeVisible()
})

test('a hit leads to its message, and from there to the next one of the session', async ({ page }) => {
  // whichever session is the first to be indexed: this one has many hits
  await page.goto(`/search?q=rounding+session:${SESSIONS.rounding.id}`)
  await hits(page).first().click()
  const find = page.getByRole('search', { name: 'Find in this session' })
  const place = find.getByRole('status')
  await expect(place).toHaveText(/^(\d+ of )?\d+( found)?$/)
  await find.getByRole('button', { name: 'Next hit' }).click()
  await expect(place).toHaveText(/^\d+ of ([2-9]|\d\d+)$/)
  const first = (await place.textContent()) ?? ''
  await find.getByRole('button', { name: 'Next hit' }).click()
  await expect(place).not.toHaveText(first)
  await expect(
    page.locator('main article:focus-within mark, main article:focus mark').first(),
  ).toBeInViewport()
  await expectAxeClean(page)
  await find.getByRole('textbox').press('Escape')
  await expect(find).toBeHidden()
})

test('back from a hit leads to the results as they were, and so does a reload', async ({ page }) => {
  await page.goto('/search?q=rounding&tool=read_file&sort=relevance')
  await hits(page).first().click()
  await expect(page).toHaveURL(/\/s\//)
  await goBack(page)
  await expect(page).toHaveURL(/\/search\?.*q=rounding/)
  for (const reload of [false, true]) {
    if (reload) await page.reload()
    await expect(box(page)).toHaveValue('rounding')
    await expect(page.locator('mark').first()).toBeVisible()
    await expect(page.getByRole('checkbox', { name: /^ReadFile/ })).toBeChecked()
    await expect(page.getByRole('button', { name: 'Relevance' })).toHaveAttribute('aria-pressed', 'true')
  }
})

test('nothing found is said, with what was meant and which filter to give up', async ({ page }) => {
  await page.goto('/search?q=roundign')
  await expect(page.getByRole('heading', { name: 'Nothing found for “roundign”' })).toBeVisible()
  await expectAxeClean(page)
  await page.getByRole('button', { name: 'rounding', exact: true }).click()
  await expect(hits(page).first()).toBeVisible()
  await page.goto('/search?q=E_LEDGER_DRIFT+before:2001')
  await page.getByRole('button', { name: /^Without before:2001: \d+ hits?$/ }).click()
  await expect(hits(page).first()).toBeVisible()
  expect(queryOf(page)).toBe('E_LEDGER_DRIFT')
})

test('a session’s id offers the session first', async ({ page }) => {
  await page.goto(`/search?q=${SESSIONS.rounding.id}`)
  await page.getByText('This is a session’s id:').getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name: SESSIONS.rounding.title })).toBeVisible()
})

test('an empty box explains the language, and recalls recent searches until they are cleared', async ({
  page,
}) => {
  await page.goto('/search')
  await expectAxeClean(page)
  await page.getByRole('link', { name: 'tool:run_shell_command is:error' }).click()
  await expect(box(page)).toHaveValue('tool:run_shell_command is:error')
  await page.keyboard.press('/')
  await expect(box(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  const recent = page.getByRole('region', { name: 'Recent searches' })
  await expect(recent.getByRole('link', { name: 'tool:run_shell_command is:error' })).toBeVisible()
  await recent.getByRole('button', { name: 'Clear' }).click()
  await expect(recent).toBeHidden()
})

test('a search over the files shows what it has found so far, and stops when it is told to', async ({
  page,
}) => {
  // The demo home is searched in no time: this holds the answer back after a first part of it.
  await page.addInitScript(SEND_A_PART_ONLY)
  await page.goto('/search?q=oundin&mode=substring')
  await expect(page.getByText('Searching 3 of 40 files')).toBeVisible()
  await expect(page.getByText('1 hit in 1 session so far')).toHaveAttribute('aria-live', 'off')
  await expect(hits(page)).toHaveCount(1)
  await expectAxeClean(page)
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText('Stopped after 3 of 40 files')).toBeVisible()
  await expect(page.getByText('1 hit in 1 session')).toHaveAttribute('aria-live', 'polite')
  await expect(hits(page)).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Search all' })).toBeVisible()
})

// As text, as the types here know no page.
const SEND_A_PART_ONLY = `
  const realFetch = window.fetch
  window.fetch = async (input, init) => {
    if (new Headers(init?.headers).get('accept') !== 'application/x-ndjson') return realFetch(input, init)
    const whole = await (await realFetch(input, { headers: { accept: 'application/json' } })).json()
    const part = { ...whole, hits: whole.hits.slice(0, 1), total: 1, sessionTotal: 1 }
    part.coverage = { filesDone: 3, filesTotal: 40 }
    const body = new ReadableStream({
      start(lines) {
        lines.enqueue(new TextEncoder().encode(JSON.stringify(part) + '\\n'))
        init.signal.addEventListener('abort', () => lines.error(init.signal.reason))
      },
    })
    return new Response(body)
  }
`
