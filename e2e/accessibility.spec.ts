import type { Page } from '@playwright/test'
import { expectAxeClean, expectAxeCleanInBothThemes } from './fixtures/axe-scan.ts'
import { expectFiguresNamed } from './fixtures/heard.ts'
import { expectNoSidewaysScroll } from './fixtures/no-sideways-scroll.ts'
import { PAGES } from './fixtures/pages.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

// A page is opened once and checked in every theme and width, as in a user's window.
const WIDTHS = [1440, 390] as const
const OTHER_WIDTHS = [1024, 360, 320] as const

interface Look {
  background: string
  line: string
}
const LOOK_OF_MARKS = `(() => {
  const own = document.querySelector('mark.tool-match')
  const found = own.parentElement.appendChild(document.createElement('mark'))
  const looks = [own, found].map((mark) => {
    const { backgroundColor, textDecorationLine } = getComputedStyle(mark)
    return { background: backgroundColor, line: textDecorationLine }
  })
  found.remove()
  return looks
})()`

for (const { name, path, isReady } of PAGES) {
  test(`${name}: axe finds nothing in both themes and two widths, and no width scrolls sideways`, async ({
    page,
  }) => {
    // avoids checking colors during the transition between themes
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(path)
    await isReady(page)
    await expectFiguresNamed(page)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      await expectNoSidewaysScroll(page)
      await test.step(`${width} px`, () => expectAxeCleanInBothThemes(page))
    }
    for (const width of OTHER_WIDTHS) {
      await page.setViewportSize({ width, height: 640 })
      await expectNoSidewaysScroll(page)
    }
  })
}

test('axe finds nothing on a session with thoughts and tools open', async ({ page }) => {
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  await page.getByRole('button', { name: /Thinking.*Investigating the rounding/ }).click()
  for (const name of [/WriteTodos/, /ReadFile.*price/, /SearchText/]) {
    await page.getByRole('button', { name }).first().click()
  }
  await expectAxeClean(page, '.conversation')
  // a search tool's own matches look different from search hits
  await expect(page.locator('mark.tool-match').first()).toBeVisible()
  const [own, found] = (await page.evaluate(LOOK_OF_MARKS)) as [Look, Look]
  expect(own.background).not.toBe(found.background)
  expect([own.line, found.line]).toEqual(['underline', 'none'])
})

test('axe finds nothing on what lies over a page: keys, menus, and on a phone filters and outline', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'dark' })
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  await expect(page.getByRole('heading', { level: 1, name: SESSIONS.rounding.title })).toBeVisible()
  await page.keyboard.press('Shift+?')
  const sheet = page.getByRole('dialog')
  await expect(sheet).toBeVisible()
  await expectAxeClean(page, '[role=dialog], dialog')
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  await lookInto(page, 'Turn 1')
  await page.goto('/search?q=rounding')
  await lookInto(page, 'Filters')
})

/** Opens a drawer or sheet, and closes it again. */
async function lookInto(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await expectAxeClean(page, '[role=dialog], dialog[open]')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}
