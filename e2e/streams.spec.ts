import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { goBack } from './fixtures/go-back.ts'
import { type Program, startProgram } from './fixtures/program.ts'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'
import { chatsOf, writeAsCli } from './fixtures/write-as-cli.ts'

test.use({
  ownProgram: 'streams',
  expectedProblem: /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY/,
})

const session = `/s/${SESSIONS.rounding.id}`
let written = 0

/** Starts another session; returns its title. */
function beginSession(program: Program): string {
  written += 1
  const id = String(10_000_000 + written)
  writeAsCli(
    join(chatsOf(program), `session-2026-11-21T22-${10 + written}-${id}.jsonl`),
    'start',
    `Told to ${id}`,
  )
  return `Told to ${id}`
}

async function openTabs(context: BrowserContext, count: number): Promise<Page[]> {
  const pages = await Promise.all(Array.from({ length: count }, () => context.newPage()))
  for (const page of pages) await openList(page)
  return pages
}

async function openList(page: Page): Promise<void> {
  await page.goto('/')
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
}

async function expectAllToSee(pages: Page[], title: string): Promise<void> {
  for (const page of pages) {
    await page.bringToFront()
    await expect(page.getByRole('link', { name: title })).toBeVisible()
  }
}

test('B1: the eighth full load in one tab is drawn, and back leads through all of them, each told of what came', async ({
  page,
  program,
}) => {
  test.slow()
  for (let load = 0; load < 8; load += 1) {
    await page.goto(load % 2 === 0 ? '/' : session)
    await expect(page.getByText(SESSIONS.rounding.title).first()).toBeVisible()
  }
  const title = beginSession(program)
  await goBack(page)
  await expect(page.getByRole('link', { name: title })).toBeVisible()
  for (let back = 0; back < 4; back += 1) {
    await goBack(page)
    await expect(page.getByText(SESSIONS.rounding.title).first()).toBeVisible()
  }
  await expectAllToSee([page], beginSession(program))
})

test('B1: a page comes out of the back/forward cache as it was, and hears again', async ({
  page,
  program,
}) => {
  await page.goto('/')
  await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
  await page.evaluate('window.wasKept = true')
  await page.goto('/usage?range=all')
  await expect(page.locator('.column-chart')).toHaveCount(1)
  const title = beginSession(program)
  await goBack(page)
  await expect(page.getByRole('link', { name: title })).toBeVisible()
  expect(await page.evaluate('window.wasKept')).toBe(true)
  await expectAllToSee([page], beginSession(program))
})

test('B1: ten windows that are seen all hear of a change over one stream', async ({ context, program }) => {
  // Ten pages render one after the other, sometimes beside other tests.
  test.slow()
  const pages = await openTabs(context, 10)
  const title = beginSession(program)
  await Promise.all(pages.map((page) => expect(page.getByRole('link', { name: title })).toBeVisible()))
  await expect.poll(() => openStreams(pages)).toBe(1)
})

test('B1: a hidden tab holds no stream and asks nothing; seen again, it is up to date after one round of questions', async ({
  page,
  program,
  request,
}) => {
  // data that changes during the scan is refetched
  await expectReadyIndex(page)
  await openList(page)
  await page.waitForLoadState('networkidle')
  const asked: string[] = []
  page.on('request', (each) => {
    const { pathname, search } = new URL(each.url())
    if (pathname.startsWith('/api/')) asked.push(pathname + search)
  })
  const isClosed = () => page.waitForEvent('requestfailed', (failed) => failed.url().endsWith('/api/events'))
  const hide = () => Promise.all([isClosed(), page.evaluate(show(false))])
  await hide()
  const title = beginSession(program)
  await expect.poll(async () => (await request.get('/api/sessions')).text()).toContain(title)
  // longer than the page's delay before a request
  await page.waitForTimeout(500)
  expect(await openStreams([page])).toBe(0)
  expect(asked).toEqual([])

  await page.evaluate(show(true))
  await expect(page.getByRole('link', { name: title })).toBeVisible()
  await page.waitForTimeout(500)
  expect(asked.filter((question) => question === '/api/events')).toHaveLength(1)
  expect(asked.length).toBeGreaterThan(1)
  expect([...new Set(asked)]).toEqual(asked)
  await expectAllToSee([page], beginSession(program))

  await page.waitForTimeout(500)
  await hide()
  asked.length = 0
  await page.evaluate(show(true))
  await page.waitForTimeout(500)
  expect(asked).toEqual(['/api/events'])
})

test('B1: when the tab that listens is hidden, closed, frozen or crashed, another one listens', async ({
  context,
  program,
}) => {
  const pages = await openTabs(context, 5)
  const hidden = await listening(pages)
  await hidden.evaluate(show(false))
  await expectAllToSee(
    pages.filter((page) => page !== hidden),
    beginSession(program),
  )
  await hidden.evaluate(show(true))
  await expectAllToSee([hidden], `Told to ${10_000_000 + written}`)
  await (await listening(pages)).close()
  const afterClose = pages.filter((page) => !page.isClosed())
  await expectAllToSee(afterClose, beginSession(program))

  const frozen = await listening(afterClose)
  const client = await context.newCDPSession(frozen)
  await client.send('Page.enable')
  await client.send('Page.setWebLifecycleState', { state: 'frozen' })
  const awake = afterClose.filter((page) => page !== frozen)
  await expectAllToSee(awake, beginSession(program))
  await client.send('Page.setWebLifecycleState', { state: 'active' })
  await expectAllToSee([frozen], `Told to ${10_000_000 + written}`)

  const crashing = await listening(afterClose)
  await crashing.goto('chrome://crash').catch(() => undefined)
  await expectAllToSee(
    afterClose.filter((page) => page !== crashing),
    beginSession(program),
  )
})

test('B1: when the tab that listens hangs, another one listens', async ({ context, program }) => {
  const pages = await openTabs(context, 2)
  const hanging = await listening(pages)
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  await hanging.route('**/api/health?slow', async (route) => {
    await isReleased
    await route.continue()
  })
  // blocks the page until it gets an answer
  const released = hanging.evaluate(`{
    const request = new XMLHttpRequest()
    request.open('GET', '/api/health?slow', false)
    request.send()
  }`)
  await expectAllToSee(
    pages.filter((page) => page !== hanging),
    beginSession(program),
  )
  release()
  await released
  await expectAllToSee([hanging], beginSession(program))
})

test('B1: what is written while no tab listens, as one has just gone, is seen by the others', async ({
  context,
  program,
  request,
}) => {
  const pages = await openTabs(context, 3)
  const leader = await listening(pages)
  const others = pages.filter((page) => page !== leader)
  let letListen = () => {}
  const mayListen = new Promise<void>((resolve) => {
    letListen = resolve
  })
  await context.route('**/api/events', async (route) => {
    await mayListen
    await route.continue()
  })
  const asked = Promise.race(others.map((page) => page.waitForRequest('**/api/events')))
  await leader.close()
  await asked
  const title = beginSession(program)
  await expect.poll(async () => (await request.get('/api/sessions')).text()).toContain(title)
  for (const page of others) await expect(page.getByRole('link', { name: title })).toHaveCount(0)
  letListen()
  await expectAllToSee(others, title)
  await expectAllToSee(others, beginSession(program))
})

test('B1: without locks, as on plain http from another machine, tabs that are seen listen for themselves, and hidden ones catch up', async ({
  context,
  program,
  request,
}) => {
  await context.addInitScript('delete Navigator.prototype.locks')
  const pages = await openTabs(context, 3)
  for (const page of pages) expect(await page.evaluate("'locks' in navigator")).toBe(false)
  await expectAllToSee(pages, beginSession(program))

  const [hidden, ...seen] = pages as [Page, ...Page[]]
  const closed = hidden.waitForEvent('requestfailed', (failed) => failed.url().endsWith('/api/events'))
  await hidden.evaluate(show(false))
  await closed
  const title = beginSession(program)
  await expectAllToSee(seen, title)
  await expect.poll(async () => (await request.get('/api/sessions')).text()).toContain(title)
  await expect(hidden.getByRole('link', { name: title })).toHaveCount(0)
  await hidden.evaluate(show(true))
  await expectAllToSee(pages, title)
})

/** Browsers under test report every tab as visible. */
function show(isSeen: boolean): string {
  return `Object.defineProperty(document, 'hidden', { value: ${!isSeen}, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`
}

const notConnected = (page: Page) => page.getByText(/^Not connected: showing what was there at \d\d:\d\d$/)

test('B1: where nothing comes on the open stream, another one is opened, and what came meanwhile is seen', async ({
  context,
  page,
  program,
}) => {
  await page.clock.install()
  // the connection stays open, as behind a tunnel that stopped forwarding
  await context.addInitScript(`{
    const { addEventListener } = EventSource.prototype
    let isSilent = false
    window.silence = () => { isSilent = true }
    EventSource.prototype.addEventListener = function (name, hear) {
      const wasSilent = isSilent
      addEventListener.call(this, name, (event) => { if (isSilent === wasSilent) hear(event) })
    }
    Object.defineProperty(EventSource.prototype, 'onmessage', {
      set(hear) { this.addEventListener('message', hear) },
    })
  }`)
  await openList(page)
  await expectAllToSee([page], beginSession(program))
  await page.evaluate('window.silence()')
  const title = beginSession(program)
  await page.clock.fastForward(40_000)
  await expect(page.getByRole('link', { name: title })).toHaveCount(0)
  await page.clock.fastForward(5_000)
  await expectAllToSee([page], title)
  await expect(notConnected(page)).toHaveCount(0)
})

test('B1: a page says since when it is not connected while the server is suspended, and goes on by itself', async ({
  context,
  page,
  program,
}) => {
  test.skip(process.platform === 'win32', 'no process can be suspended there')
  await page.clock.install()
  await openList(page)
  const other = await context.newPage()
  await openList(other)
  await page.bringToFront()
  await page.waitForLoadState('networkidle')
  process.kill(program.pid, 'SIGSTOP')
  const title = beginSession(program)
  try {
    await page.clock.fastForward('05:00')
    await expect(notConnected(page)).toBeVisible()
    await expect(notConnected(other)).toBeVisible()
    await expect(page.getByRole('link', { name: SESSIONS.rounding.title })).toBeVisible()
  } finally {
    process.kill(program.pid, 'SIGCONT')
  }
  await expectAllToSee([page, other], title)
  await expect(notConnected(page)).toHaveCount(0)
})

test('B1: after a restart of the server every tab goes on', async ({ context, program }) => {
  const pages = await openTabs(context, 2)
  await program.stop()
  const title = beginSession(program)
  const again = await startProgram(program.sandbox, program.port)
  try {
    await expectAllToSee(pages, title)
    await expectAllToSee(pages, beginSession(program))
  } finally {
    await again.stop()
  }
})

/** Number of these tabs with an event connection. */
async function openStreams(pages: Page[]): Promise<number> {
  const held = await Promise.all(pages.map(isListening))
  return held.filter(Boolean).length
}

async function listening(pages: Page[]): Promise<Page> {
  await expect.poll(() => openStreams(pages)).toBe(1)
  for (const page of pages) if (await isListening(page)) return page
  throw new Error('no tab listens')
}

/** The listening tab holds the lock. */
function isListening(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`(async () => {
    const probe = 'probe-' + Math.random()
    const { held } = await navigator.locks.request(probe, () => navigator.locks.query())
    const own = held.find(({ name }) => name === probe).clientId
    return held.some(({ name, clientId }) => name === 'gemini-dash.events' && clientId === own)
  })()`)
}
