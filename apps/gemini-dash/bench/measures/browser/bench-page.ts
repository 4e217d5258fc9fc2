import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type CDPSession, chromium, type Page } from '@playwright/test'
import { findBrowser } from '../../../../../scripts/steps/find-browser.mjs'
import type { Figure } from '../../figures/figure.ts'
import { targets } from '../../figures/targets.ts'
import { processorMs } from '../../program/process-figures.ts'
import type { RunningServer } from '../../program/running-server.ts'
import { type Workbench, withReadyServer } from '../../program/workbench.ts'

const APPENDS_PER_RUN = 10
const FRAMES = 120
const STEP_PX = 400
/** Longer than the page waits before it reloads what an event named. */
const SETTLE_MS = 1_000
const FILE_NAME = 'session-2026-01-01T00-00-a11e57ee.jsonl'
const ROW = '.session-row'

// Code that runs in the page is text: it cannot use names from here, and these sources have no DOM types.
const LOAD_ROWS = `(async () => {
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  for (let times = 0; times < 8; times += 1) {
    scrollTo(0, document.body.scrollHeight)
    await pause(400)
  }
  scrollTo(0, 0)
  await pause(500)
})()`
const SCROLL = `new Promise((resolve) => {
  const found = []
  let lastMs = 0
  const step = (nowMs) => {
    if (lastMs > 0) found.push(nowMs - lastMs)
    lastMs = nowMs
    if (found.length === ${FRAMES}) return resolve(found)
    scrollBy(0, ${STEP_PX})
    requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
})`
/** By a clock that the measuring process shares. */
const WHEN_FIRST_ROW_CHANGES = `new Promise((resolve) => {
  const rowText = () => document.querySelector('${ROW}')?.querySelector('.session-cell.num')?.textContent
  const before = rowText()
  const observer = new MutationObserver(() => {
    if (rowText() === before) return
    observer.disconnect()
    requestAnimationFrame(() => resolve(Date.now()))
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
})`

/** The list of sessions in a real browser: its first page, an append while it is open, and its scrolling. */
export async function benchPage(bench: Workbench): Promise<Figure[]> {
  const executablePath = findBrowser()
  if (executablePath === undefined) throw new Error('No Chromium was found; $CHROMIUM names one.')
  const path = join(bench.home, 'tmp', 'app-0', 'chats', FILE_NAME)
  const remove = (): void => rmSync(path, { force: true })
  process.once('exit', remove)
  beginSession(path)
  const browser = await chromium.launch({ executablePath })
  try {
    return await withReadyServer(bench, {}, async (server) => {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      const cdp = await page.context().newCDPSession(page)
      const first = await firstPage(page, cdp, server)
      const frames = await scrollFrames(page)
      return [...first, ...(await appends(bench, server, { page, cdp, path })), frames]
    })
  } finally {
    await browser.close()
    remove()
  }
}

/** What had been transferred when the rows were shown, plus the answers of the following second. */
async function firstPage(page: Page, cdp: CDPSession, server: RunningServer): Promise<Figure[]> {
  const kinds = new Map<string, string>()
  let answerBytes = 0
  const scripts: Promise<Buffer>[] = []
  await cdp.send('Network.enable')
  cdp.on('Network.responseReceived', ({ requestId, response }) =>
    kinds.set(requestId, new URL(response.url).pathname),
  )
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (kinds.get(requestId)?.startsWith('/api/')) answerBytes += encodedDataLength
  })
  const hear = (response: { url: () => string; body: () => Promise<Buffer> }): void => {
    if (/\.js$/.test(new URL(response.url()).pathname)) scripts.push(response.body())
  }
  page.on('response', hear)
  const startedAt = performance.now()
  await page.goto(`http://127.0.0.1:${server.port}/`)
  await page.locator(ROW).first().waitFor()
  const drawnMs = performance.now() - startedAt
  page.off('response', hear)
  await sleep(SETTLE_MS)
  const compressed = (await Promise.all(scripts)).reduce((sum, body) => sum + gzipSync(body).length, 0)
  const shared = { benchmark: 'page', problems: [] } as const
  return [
    { ...shared, name: 'first page until its rows stand', unit: 'ms', values: [drawnMs] },
    {
      ...shared,
      name: 'JavaScript of the first page, gzip',
      unit: 'KB',
      values: [compressed / 1e3],
      target: targets.pageScripts,
    },
    {
      ...shared,
      name: 'answers of the first page, transferred',
      unit: 'KB',
      values: [answerBytes / 1e3],
      target: targets.pageAnswers,
    },
  ]
}

/** Each frame scrolls by 400 px over loaded rows: the time until the next frame. */
async function scrollFrames(page: Page): Promise<Figure> {
  await page.evaluate(LOAD_ROWS)
  const values = await page.evaluate<number[]>(SCROLL)
  return {
    benchmark: 'page',
    name: 'frame that scrolls by 400 px',
    unit: 'ms',
    values,
    target: targets.frame,
    problems: [],
  }
}

interface Scene {
  page: Page
  cdp: CDPSession
  path: string
}

/** One message written as the CLI writes it, while the list is scrolled, and while its row is visible. */
async function appends(bench: Workbench, server: RunningServer, scene: Scene): Promise<Figure[]> {
  const { page, cdp, path } = scene
  const times = bench.options.runs * APPENDS_PER_RUN
  await cdp.send('Performance.enable')
  const beside = { requests: [] as number[], serverMs: [] as number[], pageMs: [] as number[] }
  let requests = 0
  page.on('request', () => {
    requests += 1
  })
  await page.evaluate('scrollTo(0, 20_000)')
  await sleep(SETTLE_MS)
  for (let time = 0; time < times; time += 1) {
    requests = 0
    const before = { server: processorMs(server.pid) ?? 0, page: await taskMs(cdp) }
    appendMessage(path, `beside ${time}`)
    await sleep(SETTLE_MS)
    beside.requests.push(requests)
    beside.serverMs.push((processorMs(server.pid) ?? 0) - before.server)
    beside.pageMs.push((await taskMs(cdp)) - before.page)
  }
  await page.evaluate('scrollTo(0, 0)')
  await sleep(SETTLE_MS)
  const seen: number[] = []
  for (let time = 0; time < times; time += 1) {
    const drawn = page.evaluate<number>(WHEN_FIRST_ROW_CHANGES)
    await sleep(SETTLE_MS / 2)
    const startedMs = Date.now()
    appendMessage(path, `seen ${time}`)
    seen.push((await drawn) - startedMs)
  }
  await page.goto('about:blank')
  await sleep(SETTLE_MS)
  const alone: number[] = []
  for (let time = 0; time < times; time += 1) {
    const before = processorMs(server.pid) ?? 0
    appendMessage(path, `alone ${time}`)
    await sleep(SETTLE_MS)
    alone.push((processorMs(server.pid) ?? 0) - before)
  }
  const shared = { benchmark: 'page', problems: [] } as const
  return [
    {
      ...shared,
      name: 'append beside a list: requests',
      unit: 'requests',
      values: beside.requests,
      target: targets.requestsOfAppend,
    },
    { ...shared, name: 'append beside a list: server', unit: 'ms', values: beside.serverMs },
    { ...shared, name: 'the same append without a page: server', unit: 'ms', values: alone },
    {
      ...shared,
      name: 'append beside a list: page',
      unit: 'ms',
      values: beside.pageMs,
      target: targets.pageOfAppend,
    },
    { ...shared, name: 'append to seen in its row', unit: 'ms', values: seen, target: targets.appendToSeen },
  ]
}

async function taskMs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
}

function beginSession(path: string): void {
  const startTime = new Date().toISOString()
  const head = {
    sessionId: 'a11e57ee-0000-4000-8000-000000000000',
    projectHash: '0'.repeat(64),
    startTime,
    lastUpdated: startTime,
    kind: 'main',
  }
  writeFileSync(path, `${JSON.stringify(head)}\n`)
  appendMessage(path, 'the first words')
}

function appendMessage(path: string, text: string): void {
  const timestamp = new Date().toISOString()
  const message = { id: `bench-${text}`, timestamp, type: 'user', content: [{ text }] }
  const tokens = { input: 900, output: 20, cached: 0, thoughts: 5, tool: 0, total: 925 }
  const answer = {
    id: `answer-${text}`,
    timestamp,
    type: 'gemini',
    content: 'Done.',
    model: 'gemini-2.5-pro',
    tokens,
  }
  const lines = [message, answer, { $set: { lastUpdated: timestamp } }]
  appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}
