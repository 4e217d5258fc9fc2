import { expectAxeClean, expectCleanPage } from './fixtures/axe-scan.ts'
import { expectFiguresNamed } from './fixtures/heard.ts'
import { expectNoSidewaysScroll } from './fixtures/no-sideways-scroll.ts'
import { PAGES, type PageUnderTest } from './fixtures/pages.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

// Every page; what can be open on one, and pages of other homes, are in axe-states.spec.ts.
// A page is opened once and checked in every theme and width, as in a user's window.
const OTHER_WIDTHS = [1024, 360, 320] as const

const { id } = SESSIONS.rounding

/** Pages whose content the tests of all pages see elsewhere. */
const FURTHER: PageUnderTest[] = [
  {
    name: 'changes',
    path: `/s/${id}?view=changes`,
    isReady: (page) => expect(page.getByRole('heading', { name: /^The cart shows/ })).toBeVisible(),
  },
  {
    name: 'cost',
    path: `/s/${id}?view=cost`,
    isReady: (page) => expect(page.getByRole('region', { name: /^Why it cost/ })).toBeVisible(),
  },
  {
    name: 'compare',
    path: `/compare?a=${id}&b=${SESSIONS.nightly.id}`,
    isReady: (page) => expect(page.getByRole('region', { name: 'Figures' })).toBeVisible(),
  },
  {
    name: 'open',
    path: '/open',
    isReady: (page) => expect(page.locator('.drop-zone')).toBeVisible(),
  },
  {
    name: 'privacy',
    path: '/settings/privacy',
    isReady: (page) => expect(page.getByRole('region', { name: 'Privacy' })).toBeVisible(),
  },
]

for (const { name, path, isReady } of [...PAGES, ...FURTHER]) {
  test(`${name}: axe finds nothing in both themes and two widths, and no width scrolls sideways`, async ({
    page,
  }) => {
    // avoids checking colors during the transition between themes
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(path)
    await isReady(page)
    await expectFiguresNamed(page)
    await expectCleanPage(page)
    for (const width of OTHER_WIDTHS) {
      await page.setViewportSize({ width, height: 640 })
      await expectNoSidewaysScroll(page)
    }
  })
}

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

test('axe finds nothing on a session with thoughts and tools open', async ({ page }) => {
  await page.goto(`/s/${id}`)
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
