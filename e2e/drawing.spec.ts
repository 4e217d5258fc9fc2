import type { Browser, Page } from '@playwright/test'
import { characterEntities } from 'character-entities'
import { drawnTexts, normalised, textsOfHtml, withShownControls } from './fixtures/drawn-text.ts'
import { SEEDS } from './fixtures/generate-markdown.ts'
import { commonMarkText, gfmReference } from './fixtures/reference-text.ts'
import { expect, test } from './fixtures/test.ts'
import { MARKDOWN_SESSIONS } from './fixtures/write-markdown-home.ts'

// tall, so that few steps show every message
test.use({ homeContent: 'markdown', viewport: { width: 1440, height: 6_000 } })
test.describe.configure({ timeout: 180_000 })

test('B9: every named and numeric entity is drawn as a reference renderer reads it', async ({
  page,
  browser,
}) => {
  const { id, documents } = MARKDOWN_SESSIONS.entities
  const drawn = await readAll(page, id, documents().length)
  const expected = await referenceTexts(browser, documents())
  expect(drawn).toEqual(expected)
  const whole = drawn.join(' ')
  const missing = Object.entries(characterEntities).filter(
    ([name, value]) => !whole.includes(normalised(withShownControls(`${name}: a${value}b`))),
  )
  expect(missing).toEqual([])
})

/** Names the seed for a retry: `TEST_SEED`. */
const seeds = `seeds ${SEEDS.join(', ')}`

test('R16, B9: generated CommonMark is drawn as its reference implementation reads it', async ({ page }) => {
  const { id, documents } = MARKDOWN_SESSIONS.commonMark
  const expected = documents().map((markdown) => normalised(withShownControls(commonMarkText(markdown))))
  expect(await readAll(page, id, documents().length), seeds).toEqual(expected)
})

test('B9: generated GFM is drawn as a reference renderer reads it', async ({ page, browser }) => {
  const { id, documents } = MARKDOWN_SESSIONS.gfm
  expect(await readAll(page, id, documents().length), seeds).toEqual(
    await referenceTexts(browser, documents()),
  )
})

/** The text of each answer, first to last. */
async function readAll(page: Page, id: string, count: number): Promise<string[]> {
  await page.goto(`/s/${id}`)
  await expect(page.locator('.conversation[aria-busy="false"]')).toBeAttached()
  const texts = new Map<string, string>()
  for (let isAtEnd = false; !isAtEnd; ) {
    await page.waitForTimeout(200)
    for (const [key, text] of await drawnTexts(page)) texts.set(key, normalised(text))
    await expect(page.getByText('could not be drawn')).toHaveCount(0)
    isAtEnd = await page.evaluate('scrollY + innerHeight >= document.documentElement.scrollHeight - 1')
    await page.evaluate('scrollBy(0, innerHeight * 0.7)')
  }
  // A slow machine may not have drawn all messages that were scrolled past.
  for (let number = 0; number < count; number++) {
    if (texts.has(`m-answer-${number}`)) continue
    await page.goto(`/s/${id}#m-answer-${number}`)
    await expect(page.locator(`[id="m-answer-${number}"] .prose`).first()).toBeAttached()
    for (const [key, text] of await drawnTexts(page)) texts.set(key, normalised(text))
  }
  const numberOf = (key: string) => Number(/answer-(\d+)/.exec(key)?.[1] ?? -1)
  return [...texts]
    .filter(([key]) => numberOf(key) >= 0)
    .sort(([one], [other]) => numberOf(one) - numberOf(other))
    .map(([, text]) => text)
}

/** In a separate page without a content policy. */
async function referenceTexts(browser: Browser, documents: readonly string[]): Promise<string[]> {
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  const texts = await textsOfHtml(page, documents.map(gfmReference))
  await context.close()
  return texts.map((text) => normalised(withShownControls(text)))
}
