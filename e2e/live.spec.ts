import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { showColumns } from './fixtures/show-columns.ts'
import { expect, test } from './fixtures/test.ts'
import { chatsOf, writeAsCli } from './fixtures/write-as-cli.ts'

test.use({ ownProgram: 'live' })

// files written while watching starts are found only by the next scan, half a minute later
test.beforeEach(({ page }) => expectReadyIndex(page))

test('a new session appears in the list', async ({ page, program }) => {
  await page.goto('/')
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
  const file = join(chatsOf(program), 'session-2026-11-21T22-00-11112222.jsonl')
  writeAsCli(file, 'start', 'A session that began just now')
  await expect(page.getByRole('link', { name: 'A session that began just now' })).toBeVisible()
})

test('a row that grows is drawn anew, and what stands there equals a fresh load', async ({
  page,
  program,
}) => {
  const file = join(chatsOf(program), 'session-2026-11-21T22-00-77778888.jsonl')
  writeAsCli(file, 'start', 'A session that goes on and on')
  await page.goto('/')
  const row = page.locator('.session-row', { hasText: 'A session that goes on and on' })
  await expect(row).toBeVisible()
  await showColumns(page, 'Tokens')
  // each answer has 26,012 tokens
  for (const [text, tokens] of [
    ['One answer.', '26k'],
    ['Another answer.', '52k'],
    ['A third one.', '78k'],
  ] as const) {
    writeAsCli(file, 'answer', text)
    await expect(row).toContainText(tokens)
  }
  const shown = async () => {
    const parts = ['.scope-sum', '.rail-list', '.session-day', '.session-row', '.session-list-foot']
    const texts = await Promise.all(parts.map((part) => page.locator(part).allInnerTexts()))
    // The number of overscan rows does not matter here.
    return texts.map((each) => each.slice(0, 3))
  }
  const drawn = await shown()
  await page.reload()
  await expect(row).toBeVisible()
  await expect.poll(shown).toEqual(drawn)
})

test('R53: a hundred events cost one round of questions each 250 ms, and none about another session', async ({
  page,
  program,
}) => {
  const file = join(chatsOf(program), 'session-2026-11-21T22-03-88889999.jsonl')
  writeAsCli(file, 'start', 'A session that much is said of')
  const other = await page.context().newPage()
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'A session that much is said of' })).toBeVisible()
  const { sessions } = await (await page.request.get('/api/sessions?limit=1000')).json()
  const { key } = sessions.find(({ title }: { title: string }) => title === 'A session that much is said of')
  await other.goto(`/s/${SESSIONS.rounding.id}`)
  await expect(other.getByRole('article').first()).toBeVisible()
  // by then the page has reported the session as seen and received the event
  await other.waitForTimeout(2_500)
  const asked = { list: [] as string[], other: [] as string[] }
  const note = (page: Page, paths: string[]) =>
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      // the counts of the views are part of the same refetch
      const isCount = searchParams.get('limit') === '1'
      if (request.method() === 'GET' && pathname.startsWith('/api/') && !isCount) paths.push(pathname)
    })
  note(page, asked.list)
  note(other, asked.other)
  const tookMs = await page.evaluate<number>(`(async () => {
    const startedMs = performance.now()
    for (let n = 1; n <= 100; n += 1)
      await fetch('/api/marks/${key}', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ title: 'Name ' + n }),
      })
    return performance.now() - startedMs
  })()`)
  await expect(page.getByRole('link', { name: 'Name 100' })).toBeVisible()
  await page.waitForTimeout(500)
  const lists = asked.list.filter((path) => path === '/api/sessions')
  expect(lists.length).toBeGreaterThan(0)
  expect(lists.length).toBeLessThanOrEqual(Math.ceil(tookMs / 250) + 1)
  expect(asked.other.filter((path) => path.startsWith('/api/sessions/'))).toEqual([])
  writeAsCli(file, 'answer', 'And more of it.')
  await expect
    .poll(() => asked.list.filter((path) => path === '/api/usage' || path === '/api/projects').length)
    .toBeGreaterThan(0)
  await page.waitForTimeout(500)
  expect(asked.other.filter((path) => path.startsWith('/api/sessions/'))).toEqual([])
})

test('a line, a star, another name of the project and the end of the file show in every window', async ({
  context,
  program,
}) => {
  test.slow()
  const title = 'A session that four windows show'
  const file = join(
    program.sandbox.home,
    '.gemini/tmp/four-windows/chats/session-2026-11-21T22-04-99990000.jsonl',
  )
  writeAsCli(file, 'start', title)
  const open = async (path: string) => {
    const page = await context.newPage()
    await page.goto(path)
    return page
  }
  const list = await open('/')
  await expect(list.getByRole('link', { name: title })).toBeVisible()
  const { sessions } = await (await list.request.get('/api/sessions?limit=1000')).json()
  const { key, project } = sessions.find((row: { title: string }) => row.title === title)
  const [session, usage, search] = await Promise.all([
    open(`/s/${key}`),
    open(`/usage?range=all&project=${project.key}`),
    open('/search?q=quokkas'),
  ])
  await expect(session.getByRole('article')).toHaveCount(1)
  await expect(search.getByText('Nothing', { exact: false }).first()).toBeVisible()
  const row = list.locator('.session-row', { hasText: title })
  await showColumns(list, 'Tokens')

  writeAsCli(file, 'answer', 'All of the quokkas are counted.')
  await expect(row).toContainText('26k')
  await expect(session.getByText('All of the quokkas are counted.')).toBeVisible()
  await expect(usage.locator('main')).toContainText('26k')
  await expect(search.locator('main').getByText('are counted', { exact: false })).toBeVisible()

  const put = (path: string, data: object) =>
    list.request.put(path, { data, headers: { origin: program.origin } })
  expect((await put(`/api/marks/${key}`, { title: 'Counting animals' })).status()).toBe(200)
  await expect(list.getByRole('link', { name: 'Counting animals' })).toBeVisible()
  await expect(session.getByRole('heading', { level: 1 })).toContainText('Counting animals')
  await expect(search.getByText('Counting animals').first()).toBeVisible()

  expect((await put(`/api/projects/${project.key}`, { name: 'The zoo' })).status()).toBe(200)
  for (const page of [list, session, search]) await expect(page.getByText('The zoo').first()).toBeVisible()
  const chosen = usage.getByRole('combobox', { name: 'Project' })
  await expect(chosen).toBeVisible()
  await expect(chosen.locator('option:checked')).toHaveText('The zoo')

  rmSync(file)
  await expect(list.getByRole('link', { name: 'Counting animals' })).toHaveCount(0)
  await expect(session.getByText('This session was deleted from disk.')).toBeVisible()
  await expect(usage.locator('main')).not.toContainText('26k')
  await expect(search.getByText('Counting animals')).toHaveCount(0)
})

test('a hidden tab whose reader wants to be told of the end of a run hears of it', async ({
  page,
  program,
}) => {
  await page.addInitScript(`window.notices = []
    window.Notification = class { constructor(title, { body }) { notices.push(title + ': ' + body) } }
    window.Notification.requestPermission = async () => 'granted'`)
  const file = join(chatsOf(program), 'session-2026-11-21T22-05-77770000.jsonl')
  writeAsCli(file, 'start', 'A run that ends unseen')
  await page.goto('/')
  await page.getByRole('link', { name: 'A run that ends unseen' }).click()
  await page.getByRole('button', { name: 'Notify me when it’s done' }).click()
  await page.evaluate(`Object.defineProperty(document, 'hidden', { value: true, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)
  writeAsCli(file, 'answer', 'It has ended.')
  await expect.poll(() => page.evaluate('notices.length')).toBe(1)
  expect(await page.evaluate('notices[0]')).toContain('A run that ends unseen')
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
  const file = join(chatsOf(program), 'session-2026-11-21T22-02-55556666.jsonl')
  writeAsCli(file, 'start', 'A session that will be deleted')
  await page.goto('/')
  let asked = 0
  page.on('response', (response) => {
    if (response.url().includes('?outline=columns')) asked += 1
  })
  await page.getByRole('link', { name: 'A session that will be deleted' }).click()
  const prompt = page.getByRole('article').getByText('A session that will be deleted')
  await expect(prompt).toBeVisible()
  // by then the page has reported it as seen, which is refused for a deleted session, and has refetched
  const ref = new URL(page.url()).pathname.replace('/s/', '')
  const marks = async () => (await (await page.request.get(`/api/marks?session=${ref}`)).json()).marks
  await expect.poll(async () => Object.keys(await marks())).toHaveLength(1)
  await expect.poll(() => asked).toBe(2)
  rmSync(file)
  await expect(page.getByText('This session was deleted from disk.')).toBeInViewport()
  await expect(prompt).toBeVisible()
})
