import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

const openSession = `/s/${SESSIONS.rounding.id}`

test('on a phone the conversation begins on the first screen, and the chart is there when it is asked for', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(openSession)
  await expect(page.getByRole('article').first()).toBeInViewport()
  const chart = page.getByRole('group', { name: /^Tokens per request, .* Arrow keys walk/ })
  await expect(chart).toBeHidden()
  await page.getByRole('slider', { name: /^Tokens by request/ }).dblclick()
  await expect(chart).toBeVisible()
})

test('a feed tells the place of every message, and Page Down and Page Up lead through it', async ({
  page,
}) => {
  await page.goto(openSession)
  const articles = page.getByRole('feed', { name: 'Conversation' }).getByRole('article')
  await expect(articles.first()).toHaveAttribute('aria-posinset', '1')
  // the whole session is loaded, not only its beginning
  await expect(articles.first()).toHaveAttribute('aria-setsize', /^\d\d+$/)
  const total = await articles.first().getAttribute('aria-setsize')
  await articles.first().focus()
  await page.keyboard.press('PageDown')
  await expect(articles.first()).not.toBeFocused()
  const place = page.locator('article:focus-within')
  await expect(place).toHaveAttribute('aria-setsize', String(total))
  expect(Number(await place.getAttribute('aria-posinset'))).toBeGreaterThan(1)
  await page.keyboard.press('PageUp')
  await expect(articles.first()).toBeFocused()
})

test('with forced colours, what is chosen and where things end is drawn by lines', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(openSession)
  await expect(page.getByRole('article').first()).toBeVisible()
  // pressed and other buttons of each switch, current and other items of the outline
  const toldApart = () => page.evaluate<{ compared: number; alike: string[] }>(TOLD_APART)
  await expect.poll(async () => (await toldApart()).compared).toBeGreaterThan(1)
  expect((await toldApart()).alike).toEqual([])
})

test('who wants less motion sees none that lasts', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(openSession)
  await page.getByRole('button', { name: /Thinking.*Investigating the rounding/ }).click()
  await expect(page.getByText('The sum of three floats is not exact.', { exact: false })).toBeVisible()
  const running = await page.evaluate(
    `document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime > 10).length`,
  )
  expect(running).toBe(0)
})

test('the print of a session, by its menu or by the browser’s own, holds its first and its last words, and all between', async ({
  page,
}) => {
  await page.addInitScript('window.print = () => { window.isPrinted = true }')
  await page.goto(`/s/${SESSIONS.long.id}`)
  await expect(page.getByRole('article').first()).toBeVisible()
  await page.evaluate(
    `addEventListener('beforeprint', () => { window.onPaper = document.querySelector('.print-sheet')?.textContent })`,
  )
  await page.pdf()
  const byBrowser = await page.evaluate<string>('window.onPaper')
  await expect(page.locator('.print-sheet')).toHaveCount(0)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('button', { name: /^For programs/ }).click()
  await page.getByRole('button', { name: 'Print' }).click()
  await expect.poll(() => page.evaluate('window.isPrinted === true')).toBe(true)
  await page.emulateMedia({ media: 'print' })
  const answer = await page.request.get(`/api/sessions/${SESSIONS.long.id}/messages?offset=0&limit=500`)
  const { messages } = await answer.json()
  const firstWords = messages.flatMap(({ content }: { content: { kind: string; text?: string }[] }) =>
    content.flatMap((part) => part.text?.match(/[\p{L}\d]{2,}(?: [\p{L}\d]{2,}){2,4}/u)?.[0] ?? []),
  )
  expect(firstWords.length).toBeGreaterThan(15)
  const sheet = page.locator('.print-sheet')
  await expect(sheet).toBeVisible()
  expect(byBrowser).toBe(await sheet.textContent())
  const printed = ((await sheet.textContent()) ?? '').replaceAll(/\s+/g, ' ')
  expect(firstWords.filter((words: string) => !printed.includes(words))).toEqual([])
})

/** Compares selected items with others of their kind; lists those with the same borders, fill and weight. */
const TOLD_APART = `(() => {
  const CHOSEN = '[aria-pressed=true], [aria-current]:not([aria-current=false]), [aria-selected=true]'
  const OTHER = '[aria-pressed=false], a:not([aria-current]), [aria-selected=false]'
  const look = (element) => ['', '::before', '::after'].map((part) => {
    const style = getComputedStyle(element, part || null)
    return [style.borderTopWidth, style.borderLeftWidth, style.borderTopStyle, style.borderTopColor, style.outlineStyle,
      style.backgroundColor, style.color, style.fontWeight, style.textDecorationLine, style.content].join()
  }).join('|')
  const kind = (element) => element.className.replace('active', '').trim().split(' ')[0]
  let compared = 0
  const alike = [...document.querySelectorAll(CHOSEN)].flatMap((chosen) => {
    if (chosen.checkVisibility?.() === false) return []
    const other = [...(chosen.closest('[role=group], nav, ul, ol, [role=toolbar], aside')?.querySelectorAll(OTHER) ?? [])]
      .find((one) => one !== chosen && kind(one) === kind(chosen))
    if (other === undefined) return []
    compared += 1
    return look(other) === look(chosen) ? [chosen.outerHTML.slice(0, 160)] : []
  })
  return { compared, alike }
})()`
