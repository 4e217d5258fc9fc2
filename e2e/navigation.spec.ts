import type { Page } from '@playwright/test'
import { restingTop } from './fixtures/at-rest.ts'
import { idOf, MONSTER } from './fixtures/monster-home.ts'
import { showInOutline } from './fixtures/states.ts'
import { expect, test } from './fixtures/test.ts'

test.use({ homeContent: 'monster', ownProgram: 'navigation' })

const { answerWord, thoughtWord } = MONSTER
const at = (page: Page, offset: number) => page.locator(`[id="m-${idOf(offset)}"]`)
const open = async (page: Page, rest = '') => {
  await page.goto(`/s/${MONSTER.id}${rest}`)
  await expect(page.getByRole('article').first()).toBeVisible()
}

// the first test of this program: the session has not been opened yet
test('its first messages are drawn alone and marked, and what follows moves none of them', async ({
  page,
}) => {
  let giveWay = () => {}
  const isAsked = new Promise<void>((resolve) => {
    giveWay = resolve
  })
  for (const whole of [`**/api/sessions/${MONSTER.id}?outline=*`, '**/messages?offset=0&limit=100'])
    await page.route(whole, async (route) => {
      await isAsked
      await route.continue()
    })
  await open(page)
  const mark = page.getByText('Only the beginning is loaded so far')
  await expect(mark).toBeVisible()
  await expect(page.locator('.conversation')).toHaveAttribute('aria-busy', 'true')
  await expect(at(page, 0)).toHaveAttribute('aria-setsize', '-1')
  // to the current end, which must not become following the final end
  await expect(async () => {
    await page.mouse.wheel(0, 5_000)
    await expect(page.getByRole('article').last()).toBeInViewport({ timeout: 200 })
  }).toPass()
  const atEnd = await page.evaluate<number>('scrollY')
  await page.mouse.wheel(0, -600)
  await expect.poll(() => page.evaluate<number>('scrollY')).toBeLessThan(atEnd)
  const top = page.locator('.conversation article').nth(-6)
  await restingTop(top)
  const seen = { id: await top.getAttribute('id'), y: (await top.boundingBox())?.y ?? Number.NaN }
  giveWay()
  await expect(mark).toBeHidden()
  await expect(page.locator('.session-facts')).toContainText('5,000 turns')
  await expect(page.locator('.minimap')).toBeVisible()
  await expect
    .poll(async () => (await page.locator(`[id="${seen.id}"]`).boundingBox())?.y)
    .toBeCloseTo(seen.y, 0)
  await expect(page.getByRole('button', { name: /new message/ })).toHaveCount(0)
  await expect(page.locator('.conversation')).toHaveAttribute('aria-busy', 'false')
})

test('its middle opens at once, only what is near is drawn, and however fast it is scrolled nothing is blank', async ({
  page,
}) => {
  await open(page, `#m-${idOf(10_000)}`)
  await expect(at(page, 10_000)).toBeInViewport()
  await expect(at(page, 10_000)).toBeFocused()
  expect(await page.getByRole('article').count()).toBeLessThan(120)
  // by hand: until then the page holds the message in place
  await page.mouse.wheel(0, 10)
  expect(await page.evaluate(SCROLL_FAST)).toEqual({ frames: 30, blank: 0 })
  // the focused element keeps the focus, however far away it is scrolled
  await expect(at(page, 10_000)).toBeFocused()
})

test('End leads to the last message in one step, over what is not loaded, and nothing moves; Home leads back', async ({
  page,
}) => {
  await open(page)
  await expect(page.locator('.minimap')).toBeVisible()
  await page.waitForTimeout(1_000)
  const passed: string[] = []
  page.on('request', (request) => {
    const offset = new URL(request.url()).searchParams.get('offset')
    if (offset !== null && Number(offset) < MONSTER.messages - 300) passed.push(offset)
  })
  await page.evaluate(WATCH_SHIFTS)
  await page.keyboard.press('End')
  await expect(at(page, MONSTER.messages - 1)).toBeInViewport()
  await page.waitForTimeout(500)
  await expect(at(page, MONSTER.messages - 1)).toBeInViewport()
  expect(passed).toEqual([])
  expect(await page.evaluate<number>('shifted')).toBeLessThan(0.05)
  await page.keyboard.press('Home')
  await expect(at(page, 0)).toBeInViewport()
  await expect.poll(() => page.evaluate<number>('scrollY')).toBe(0)
  // a box with its own scrollbar keeps its keys
  await showInOutline(page, 'All turns')
  await page.locator('a.outline-turn').first().focus()
  await page.keyboard.press('End')
  await expect
    .poll(() => page.locator('.outline-box').evaluate((box) => box.scrollTop))
    .toBeGreaterThan(1_000)
  expect(await page.evaluate<number>('scrollY')).toBe(0)
})

test('a page that comes late above what is read moves nothing', async ({ page }) => {
  let giveWay = () => {}
  const isAsked = new Promise<void>((resolve) => {
    giveWay = resolve
  })
  await page.route('**/messages?offset=9900&*', async (route) => {
    await isAsked
    await route.continue()
  })
  await open(page, `#m-${idOf(10_000)}`)
  await expect(at(page, 10_000)).toBeFocused()
  await page.mouse.wheel(0, 10)
  // all loaded content has its height by then
  const before = await restingTop(at(page, 10_000))
  expect(before).toBeGreaterThan(100)
  giveWay()
  await expect(at(page, 9_999)).toBeAttached()
  await expect.poll(async () => (await at(page, 10_000).boundingBox())?.y).toBeCloseTo(before, 0)
})

test('a word in message 19,002 of 20,000 is found, shown, and has its tick on the strip', async ({
  page,
}) => {
  await open(page)
  await page.keyboard.press('f')
  await page.getByRole('textbox', { name: 'Find in this session' }).fill(answerWord.word)
  await expect(page.locator('.find-count')).toHaveText('1 result')
  await expect(page.locator('.minimap-hit')).toHaveAttribute('d', /^M0 \d+h14/)
  await page.locator('.outline-head').click({ position: { x: 200, y: 2 } })
  await page.keyboard.press('n')
  await expect(at(page, answerWord.offset)).toBeInViewport()
  await expect(at(page, answerWord.offset).locator('mark')).toHaveText(answerWord.word)
  await expect(
    page.getByRole('link', { name: /Step 475[01]/ }).and(page.locator('[aria-current]')),
  ).toBeVisible()
})

test('steps from error to error, prompt to prompt and answer to answer go over what is not loaded', async ({
  page,
}) => {
  // steps requested before the error map has loaded are queued
  let bringMap = () => {}
  const mapIsAskedFor = new Promise<void>((resolve) => {
    bringMap = resolve
  })
  await page.route('**/map', async (route) => {
    await mapIsAskedFor
    await route.continue()
  })
  await open(page)
  await page.keyboard.press('e')
  await page.keyboard.press('e')
  bringMap()
  await expect(at(page, 19_003)).toBeInViewport()
  await expect(at(page, 19_003)).toBeFocused()
  await page.keyboard.press('Shift+J')
  await expect(at(page, 19_004)).toBeFocused()
  await page.keyboard.press('a')
  await expect(at(page, 19_005)).toBeFocused()
  await page.keyboard.press('Shift+E')
  await expect(at(page, 19_003)).toBeFocused()
})

test('a filter shows what fits of the whole, says how much, and can be left', async ({ page }) => {
  await open(page)
  await showInOutline(page, 'Failed')
  await expect(page).toHaveURL(/show=errors/)
  await expect(page.getByRole('button', { name: 'Outline: Failed' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Turns' }).getByRole('link')).toHaveCount(2)
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(at(page, 19_003)).toBeVisible()
  await showInOutline(page, 'All turns')
  await expect(page).not.toHaveURL(/show=/)
  await expect(at(page, 9_003)).toBeInViewport()
})

test('links to a call and to a thought open them in a fresh browser', async ({ page }) => {
  await open(page, `#m-${idOf(17_003)}~call-0`)
  const call = page.locator(`[id="m-${idOf(17_003)}~call-0"]`)
  await expect(call).toBeInViewport()
  await expect(call.getByRole('button', { expanded: true })).toBeVisible()
  await page.goto('about:blank')
  await open(page, `#m-${idOf(thoughtWord.offset)}~thought-0`)
  await expect(page.getByText(thoughtWord.word)).toBeInViewport()
})

test('the outline of 5,000 turns has highlights first, and draws a few of all', async ({ page }) => {
  await open(page)
  const outline = page.getByRole('navigation', { name: 'Turns' })
  await expect(page.getByRole('button', { name: 'Outline: Highlights' })).toBeVisible()
  await showInOutline(page, 'All turns')
  await expect(page.getByRole('button', { name: 'Outline: All turns' })).toBeVisible()
  expect(await outline.getByRole('link').count()).toBeLessThan(80)
  await outline.getByRole('link').first().focus()
  await page.keyboard.press('End')
  await outline.getByRole('link', { name: /Step 4999/ }).click()
  await expect(at(page, 4 * 4_998)).toBeInViewport()
})

test('a click on the strip scrolls there, and the messages come', async ({ page }) => {
  await open(page)
  const strip = page.locator('.minimap')
  const box = await strip.boundingBox()
  if (box === null) throw new Error('no strip')
  await strip.click({ position: { x: 7, y: box.height * 0.9 } })
  const places = page.getByRole('article').and(page.locator('[aria-posinset]'))
  await expect.poll(() => places.first().getAttribute('aria-posinset').then(Number)).toBeGreaterThan(16_000)
})

test('raw record, and the whole session as text, with its last message', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open(page, `#m-${idOf(answerWord.offset)}`)
  const message = at(page, answerWord.offset)
  await message.hover()
  await message.getByRole('button', { name: 'More of this message' }).click()
  await page.getByRole('button', { name: 'Raw record' }).click()
  const sheet = page.getByRole('dialog', { name: 'Raw record' })
  await expect(sheet.getByText(`line ${answerWord.offset + 2}`)).toBeVisible()
  await expect(sheet.getByText(answerWord.word)).toBeVisible()
  // the buttons that opened it are visible only on hover
  await expect(sheet).toHaveCSS('opacity', '1')
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('button', { name: 'For programs…' }).click()
  await page.getByRole('button', { name: 'Copy as Markdown' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  const length = await page.evaluate('navigator.clipboard.readText().then((text) => text.length)')
  expect(length).toBeGreaterThan(1_000_000)
})

/** Scrolls one and a half windows at a time; counts how often the middle of the window shows neither a row nor a placeholder. */
const SCROLL_FAST = `new Promise((resolve) => {
  const box = document.querySelector('[role=feed]').getBoundingClientRect()
  const { port1, port2 } = new MessageChannel()
  let frames = 0
  let blank = 0
  // a browser without a screen may draw no frame until something happens: it is scrolled on then, and only what was drawn is looked at
  const nextFrame = (then) => {
    let isDone = false
    const once = (isDrawn) => {
      if (!isDone) then(isDrawn)
      isDone = true
    }
    requestAnimationFrame(() => once(true))
    setTimeout(() => once(false), 2_000)
  }
  const scroll = () => {
    scrollBy({ top: innerHeight * 1.5, behavior: 'instant' })
    // the next frame draws what the scrolling asked for, and rows get their heights; then it is painted
    nextFrame((isDrawn) => port1.postMessage(isDrawn))
  }
  port2.onmessage = ({ data: isDrawn }) => {
    const there = document.elementFromPoint(box.left + box.width / 2, innerHeight / 2)
    if (isDrawn) frames += 1
    if (isDrawn && (there === null || there.closest('[data-row-key]') === null)) blank += 1
    if (frames < 30) nextFrame(scroll)
    else resolve({ frames, blank })
  }
  scroll()
})`

const WATCH_SHIFTS = `
  window.shifted = 0
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.shifted += value
  }).observe({ type: 'layout-shift' })
`
