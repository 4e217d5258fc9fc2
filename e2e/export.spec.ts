import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { expectAxeCleanInBothThemes } from './fixtures/axe-scan.ts'
import { openHome } from './fixtures/open-home.ts'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'
import { HOSTILE } from './fixtures/write-hostile-home.ts'

let folder: string

test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-export-'))
})
test.afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** A session exported as HTML, opened from disk as by its recipient. */
async function openExported(page: Page, key: string, query = ''): Promise<string> {
  const answer = await page.request.get(`/api/sessions/${key}/export?format=html${query}`)
  expect(answer.status()).toBe(200)
  const html = await answer.text()
  const file = join(folder, `${key}.html`)
  writeFileSync(file, html)
  await page.goto(pathToFileURL(file).href)
  return html
}

/** Everything that could run or make a request, regardless of the texts. */
const WHAT_ACTS = `(() => {
  const found = []
  for (const element of document.querySelectorAll('*')) {
    if (/^(script|iframe|object|embed|link|base|form|button|input)$/.test(element.localName)) found.push(element.localName)
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on')) found.push(name)
      if (/^(src|srcset|poster|action|formaction|data)$/.test(name) && !value.startsWith('data:image/')) found.push(name + '=' + value)
      if (name === 'href' && !/^(#|https?:|mailto:)/.test(value)) found.push(name + '=' + value)
    }
  }
  return found
})()`

/**
 * Keeps only the hostile messages with HTML, Markdown, bidi controls and a value of another type, with all folds open.
 * All are laid out: in a message far from the viewport, axe would measure targets that overlap those of the next one.
 */
const LEAVE_FEW = `(() => {
  const few = /^m-(n2|n5|n6|odd1)-answer$/
  for (const message of document.querySelectorAll('article')) {
    if (few.test(message.id)) message.style.contentVisibility = 'visible'
    else message.remove()
  }
  for (const fold of document.querySelectorAll('details')) fold.open = true
})()`

test('R22: the longest session as one HTML file that runs nothing: its first prompt in sight, folds, paper', async ({
  page,
}) => {
  const read = async () =>
    (await (await page.request.get(`/api/sessions/${SESSIONS.long.id}`)).json()).session.indexed
  // until its file is read, its title may be truncated
  await expect.poll(read).toBe('full')
  const html = await openExported(page, SESSIONS.long.id)
  expect(html.length).toBeLessThan(1_000_000)
  expect(await page.evaluate(WHAT_ACTS)).toEqual([])
  await expect(page.locator('h1')).toHaveText(SESSIONS.long.title)
  // messages that no component can draw are shown as data, not as articles
  const { session } = await (await page.request.get(`/api/sessions/${SESSIONS.long.id}`)).json()
  await expect(page.locator('article')).toHaveCount(session.counts.messages)
  const prompt = await page.locator('article').first().boundingBox()
  expect(prompt?.y).toBeLessThan(340)

  // a failure that persists links to where it happened
  await page.locator('header').getByRole('link').first().click()
  await expect(page.locator('article:target')).toBeInViewport()
  const closed = page.locator('details:not([open]) pre').first()
  await expect(closed).toBeHidden()
  await page.emulateMedia({ media: 'print' })
  await expect(closed).toBeVisible()
  await page.emulateMedia({ media: 'screen' })
})

test('a session of 34 messages is a document of at most 300 KB, without its tools’ longest outputs', async ({
  page,
}) => {
  const html = await openExported(page, SESSIONS.rounding.id)
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(300_000)
  await expect(page.getByText(/^first 30 lines|^30 of [\d,]+ lines/).first()).toBeAttached()
})

test('a document shows the clocks of who takes it, also where two are written at once; a fold is opened by what the browser looks for in it', async ({
  page,
}) => {
  await openExported(page, SESSIONS.rounding.id)
  const exportedIn = async (tz: string) =>
    (await page.request.get(`/api/sessions/${SESSIONS.rounding.id}/export?format=html&tz=${tz}`)).text()
  const [inKolkata, inUtc] = await Promise.all(['Asia/Kolkata', 'UTC'].map(exportedIn))
  const clockOf = (html = '') => />(\d\d:\d\d):\d\d<\/time>/.exec(html)?.[1] ?? ''
  const minuteOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
  expect(inKolkata).toMatch(/GMT\+5:30/)
  expect(inUtc).not.toMatch(/GMT\+5:30/)
  expect((minuteOf(clockOf(inKolkata)) - minuteOf(clockOf(inUtc)) + 1440) % 1440).toBe(330)
  const thought = page.locator('[data-voice="thought"] details:not([open]) li p').first()
  const words = ((await thought.textContent()) ?? '').slice(0, 30)
  await expect(thought).toBeHidden()
  const address = page.url()
  await page.goto('about:blank')
  await page.goto(`${address}#:~:text=${encodeURIComponent(words)}`)
  await expect(page.locator('[data-voice="thought"] li p', { hasText: words }).first()).toBeVisible()
})

test('a sub-agent’s conversation stands folded in the call that started it', async ({ page }) => {
  await openExported(page, SESSIONS.rounding.id)
  const conversation = page.locator('details', { hasText: 'Its conversation' }).last()
  const answer = conversation.getByText('Surveying the source folder').first()
  await expect(answer).toBeHidden()
  // all folds are open in print
  await page.emulateMedia({ media: 'print' })
  await expect(answer).toBeVisible()
  expect(await page.evaluate(WHAT_ACTS)).toEqual([])
  await expect(page.getByText('is a session of its own')).toHaveCount(0)
})

test('R22: whatever a session holds, its HTML runs nothing, asks nobody and passes axe', async ({
  browser,
}) => {
  await openHome(browser, 'hostile', async ({ page }) => {
    for (const query of ['', '&redact=off']) {
      await openExported(page, HOSTILE.id, query)
      expect(await page.evaluate(WHAT_ACTS)).toEqual([])
      const isTold = `document.body.textContent.includes('<script>alert(1)</script><img src=x onerror')`
      expect(await page.evaluate(isTold)).toBe(true)
      // whatever the names of project and models
      expect(await page.evaluate('document.querySelector("header").offsetHeight')).toBeLessThan(700)
    }
    // axe would check each of a million words; folds are open, as closed content cannot be checked
    await page.evaluate(LEAVE_FEW)
    await expectAxeCleanInBothThemes(page)
  })
})

test('several sessions leave together: those that are chosen, a project, what a search finds', async ({
  page,
}) => {
  // creates three archives and reviews each of their sessions
  test.slow()
  const download = async (open: () => Promise<void>) => {
    await open()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'JSONL' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ])
    await page.keyboard.press('Escape')
    const zip = await readFile(await file.path(), 'latin1')
    return zip.split('PK\u0001\u0002').length - 1
  }
  const byButton = () => page.getByRole('button', { name: 'Export', exact: true }).click()
  // until then rows may split or merge
  await expectReadyIndex(page)
  await page.goto('/')
  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  const rows = page.getByRole('checkbox', { name: /^Select / })
  for (const index of [0, 1, 2]) await rows.nth(index).check()
  await expect(page.getByText('3 sessions selected.')).toBeVisible()
  expect(await download(byButton)).toBe(3)

  // each session is reviewed, text by text
  await byButton()
  const dialog = page.getByRole('dialog')
  const reviews = dialog.getByRole('region', { name: 'What is taken out of each session' })
  const opened = reviews.getByRole('button', { name: /places? (?:is|are) replaced/ }).first()
  await opened.click()
  const change = reviews.locator('li').getByRole('checkbox').first()
  await change.uncheck()
  await expect(reviews.locator('li').first().locator('del')).toHaveCount(0)
  await page.keyboard.press('Escape')

  const { projects } = await (await page.request.get('/api/projects')).json()
  await page.goto(`/p/${projects[0].key}`)
  const byMenu = async () => {
    await page.getByRole('button', { name: 'More for this project' }).click()
    await page.getByRole('button', { name: 'Export sessions…' }).click()
  }
  expect(await download(byMenu)).toBeGreaterThanOrEqual(projects[0].sessions)

  await page.goto('/search?q=rounding')
  const { sessionTotal } = await (await page.request.get('/api/search?q=rounding')).json()
  expect(await download(byButton)).toBe(sessionTotal)
})
