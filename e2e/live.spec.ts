import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { restingTop } from './fixtures/at-rest.ts'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'
import { writeAsCli } from './fixtures/write-as-cli.ts'

test.use({ ownProgram: 'live' })

const chats = (home: string) => join(home, '.gemini', 'tmp', 'webshop', 'chats')
const scrollTop = (page: Page) => page.evaluate<number>('document.scrollingElement.scrollTop')

test('an appended message appears by itself and moves nothing that was opened or scrolled', async ({
  page,
  program,
}) => {
  // Once its figures are there, nothing above the conversation grows any more.
  await expectReadyIndex(page)
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  const thoughts = page.getByRole('button', { name: /2 thoughts.*Investigating the rounding/ })
  await thoughts.click()
  const opened = page.getByText('The sum of three floats is not exact.', { exact: false })
  await expect(opened).toBeVisible()
  await page.mouse.wheel(0, 240)
  await expect.poll(() => scrollTop(page)).toBeGreaterThan(0)
  // what stands above may still grow: what counts is where the reader sees what they read
  const before = await restingTop(opened)

  const file = join(
    chats(program.sandbox.home),
    `session-2026-11-21T16-30-${SESSIONS.rounding.id.slice(0, 8)}.jsonl`,
  )
  writeAsCli(file, 'answer', 'Written while you were reading.')
  const pill = page.getByRole('button', { name: /1 new message/ })
  await expect(pill).toBeVisible()
  await expect.poll(async () => (await opened.boundingBox())?.y).toBeCloseTo(before, 0)

  await pill.click()
  await expect(page.getByText('Written while you were reading.')).toBeInViewport()
})

test('at the end of the conversation the page follows', async ({ page, program }) => {
  const file = join(
    chats(program.sandbox.home),
    `session-2026-11-21T16-30-${SESSIONS.rounding.id.slice(0, 8)}.jsonl`,
  )
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  await expect(page.getByRole('article').first()).toBeVisible()
  await page.keyboard.press('Shift+G')
  const last = page.getByRole('article').last()
  await expect
    .poll(
      async () => (await last.getAttribute('aria-posinset')) === (await last.getAttribute('aria-setsize')),
    )
    .toBe(true)
  await expect(last).toBeInViewport()
  writeAsCli(file, 'answer', 'And one more at the end.')
  await expect(page.getByText('And one more at the end.')).toBeInViewport()
})

test('a new session appears in the list', async ({ page, program }) => {
  await page.goto('/')
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
  const file = join(chats(program.sandbox.home), 'session-2026-11-21T22-00-11112222.jsonl')
  writeAsCli(file, 'start', 'A session that began just now')
  await expect(page.getByRole('link', { name: 'A session that began just now' })).toBeVisible()
})

test('R53: a row that grows is drawn anew without a question, and what stands there equals a fresh load', async ({
  page,
  program,
}) => {
  const file = join(chats(program.sandbox.home), 'session-2026-11-21T22-00-77778888.jsonl')
  writeAsCli(file, 'start', 'A session that goes on and on')
  await page.goto('/')
  const row = page.locator('.session-row', { hasText: 'A session that goes on and on' })
  await expect(row).toBeVisible()
  await page.waitForLoadState('networkidle')
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(pathname)
  })
  // each answer has 26,012 tokens
  for (const [text, tokens] of [
    ['One answer.', '26k'],
    ['Another answer.', '52k'],
    ['A third one.', '78k'],
  ] as const) {
    asked.length = 0
    writeAsCli(file, 'answer', text)
    await expect(row).toContainText(tokens)
  }
  // Longer than the page waits before it asks again.
  await page.waitForTimeout(400)
  expect(asked).toEqual([])
  const shown = async () => {
    const parts = ['.summary', '.rail-list', '.session-day', '.session-row', '.session-list-foot']
    const texts = await Promise.all(parts.map((part) => page.locator(part).allInnerTexts()))
    // How many rows are drawn beyond the window is another matter.
    return texts.map((each) => each.slice(0, 3))
  }
  const drawn = await shown()
  await page.reload()
  await expect(row).toBeVisible()
  await expect.poll(shown).toEqual(drawn)
})

test('a session of a project that was never seen appears too', async ({ page, program }) => {
  await page.goto('/')
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
  const file = join(
    program.sandbox.home,
    '.gemini',
    'tmp',
    'brand-new',
    'chats',
    'session-2026-11-21T22-01-33334444.jsonl',
  )
  writeAsCli(file, 'start', 'First words in a new project')
  await expect(page.getByRole('link', { name: 'First words in a new project' })).toBeVisible()
})

test('a session deleted from disk stays readable, and the page says that it is gone', async ({
  page,
  program,
}) => {
  const file = join(chats(program.sandbox.home), 'session-2026-11-21T22-02-55556666.jsonl')
  writeAsCli(file, 'start', 'A session that will be deleted')
  await page.goto('/')
  await page.getByRole('link', { name: 'A session that will be deleted' }).click()
  const prompt = page.getByRole('article').getByText('A session that will be deleted')
  await expect(prompt).toBeVisible()
  // by then the page has told that it was seen, which nobody takes of a session that is gone
  const ref = new URL(page.url()).pathname.replace('/s/', '')
  const marks = async () => (await (await page.request.get(`/api/marks?session=${ref}`)).json()).marks
  await expect.poll(async () => Object.keys(await marks())).toHaveLength(1)
  rmSync(file)
  await expect(page.getByText('This session was deleted from disk.')).toBeInViewport()
  await expect(prompt).toBeVisible()
})
