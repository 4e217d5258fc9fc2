import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'
import { writeLongSession } from '../../../../../fixtures/large/write-long-session.ts'
import { findBrowser } from '../../../../../scripts/steps/find-browser.mjs'
import type { Figure } from '../../figures/figure.ts'
import { type Target, targets } from '../../figures/targets.ts'
import { memoryOf } from '../../program/process-figures.ts'
import { newFolder, type Workbench, withServer } from '../../program/workbench.ts'

const WATCH = fileURLToPath(new URL('./watch-opening.cjs', import.meta.url))
const PATIENCE_MS = 120_000
/** Longer than late parts of a page take. */
const SETTLED_MS = 1_500
/** Longer than the program needs to store what it read of a session. */
const KEEPING_MS = 8_000

interface Visit {
  /** From the visit to the first visible message, to an answer about the whole session, and to the last message. */
  firstMs: number
  wholeMs: number
  endMs: number
  /** Layout shift after the End key. */
  endShift: number
  /** Transferred until everything had arrived. */
  megabytes: number
  /** Peak memory of the server in MB: until the page is complete, and until everything is indexed. */
  memory: number | null
  memoryIndexed: number | null
  messages: number
}

/** A long session opened by its URL in a real browser, on a server that has just started listening. */
export async function benchOpening(bench: Workbench): Promise<Figure[]> {
  const executablePath = findBrowser()
  const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath })
  try {
    const figures: Figure[] = []
    for (const isLog of [true, false]) figures.push(...(await benchSession(bench, browser, isLog)))
    return figures
  } finally {
    await browser.close()
  }
}

async function benchSession(bench: Workbench, browser: Browser, isLog: boolean): Promise<Figure[]> {
  const { largeSessionBytes, seed, runs } = bench.options
  const home = newFolder(bench, 'opening')
  const { sessionId, messages } = writeLongSession(home, { bytes: largeSessionBytes, seed, isLog })
  const visits: Record<'first' | 'ready', Visit[]> = { first: [], ready: [] }
  for (let run = 0; run < runs; run += 1) {
    const folder = newFolder(bench, 'opening-cache')
    for (const kind of ['first', 'ready'] as const) {
      await withServer(bench, { home, folder }, async (server) => {
        const address = `http://127.0.0.1:${server.port}/s/${sessionId}`
        const made = await visit(browser, address, server.pid)
        await server.whenReady()
        visits[kind].push({ ...made, memoryIndexed: megabytesOf(server.pid) })
        if (kind === 'first') await sleep(KEEPING_MS)
      })
    }
  }
  const wrong = [...visits.first, ...visits.ready].filter((made) => made.messages !== messages)
  const problems = wrong.map((made) => `${made.messages} messages, not ${messages}`)
  const title = `${Math.round(largeSessionBytes / 1e6)} MB as a ${isLog ? 'log' : 'JSON file'}`
  const figure = (
    name: string,
    unit: Figure['unit'],
    of: readonly Visit[],
    figureOf: (visit: Visit) => number | null,
    target?: Target,
  ): Figure => ({
    benchmark: 'opening',
    name: `${title}: ${name}`,
    unit,
    values: of.flatMap((made) => figureOf(made) ?? []),
    problems,
    ...(target !== undefined && { target }),
  })
  const { first, ready } = visits
  const both = [...first, ...ready]
  return [
    figure(
      'first message, in the first moment of a first start',
      'ms',
      first,
      ({ firstMs }) => firstMs,
      targets.openAtFirstStart,
    ),
    figure('the same, until the whole session is told of', 'ms', first, ({ wholeMs }) => wholeMs),
    figure('memory of that server until then, at most', 'MB', first, ({ memory }) => memory),
    figure(
      'the same until all is indexed',
      'MB',
      first,
      ({ memoryIndexed }) => memoryIndexed,
      targets.memoryOpening,
    ),
    figure(
      'first message, at a fresh server with an index',
      'ms',
      ready,
      ({ firstMs }) => firstMs,
      targets.openAtFreshServer,
    ),
    figure('the same, until the whole session is told of', 'ms', ready, ({ wholeMs }) => wholeMs),
    figure('the key End to the last message', 'ms', both, ({ endMs }) => endMs, targets.endOfSession),
    figure('what moved after it', 'CLS', both, ({ endShift }) => endShift, targets.shiftAtEnd),
    figure('answers until the page is whole', 'MB', both, ({ megabytes }) => megabytes),
  ]
}

async function visit(browser: Browser, address: string, pid: number): Promise<Omit<Visit, 'memoryIndexed'>> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: address })
  try {
    const page = await context.newPage()
    await page.addInitScript({ path: WATCH })
    await page.goto(address, { timeout: PATIENCE_MS })
    await whenMarked(page, 'wholeMs')
    const memory = megabytesOf(pid)
    const { firstMs, wholeMs } = await page.evaluate<Opening>('opening')
    const megabytes = (await page.evaluate<number>('opening.bytesOfAnswers()')) / 1e6
    await page.waitForTimeout(SETTLED_MS)
    const end = await goToEnd(page)
    const messages = await page
      .locator('.conversation article[aria-setsize]')
      .last()
      .getAttribute('aria-setsize')
    return {
      firstMs: firstMs ?? Number.NaN,
      wholeMs: wholeMs ?? Number.NaN,
      ...end,
      megabytes,
      memory,
      messages: Number(messages),
    }
  } finally {
    await context.close()
  }
}

function megabytesOf(pid: number): number | null {
  const memory = memoryOf(pid)?.highestBytes
  return memory === undefined ? null : memory / 1e6
}

async function goToEnd(page: Page): Promise<Pick<Visit, 'endMs' | 'endShift'>> {
  await page.evaluate('opening.watchEnd()')
  await page.keyboard.press('End')
  await whenMarked(page, 'endMs')
  await page.waitForTimeout(SETTLED_MS)
  const { endMs, endShift } = await page.evaluate<Opening>('opening')
  return { endMs: endMs ?? Number.NaN, endShift }
}

/** A function, because the page's CSP forbids evaluating text. */
async function whenMarked(page: Page, mark: 'wholeMs' | 'endMs'): Promise<void> {
  const isMarked = (name: 'wholeMs' | 'endMs') =>
    (globalThis as unknown as { opening: Opening }).opening[name] !== null
  await page.waitForFunction(isMarked, mark, { timeout: PATIENCE_MS })
}

/** From watch-opening.cjs. */
interface Opening {
  firstMs: number | null
  wholeMs: number | null
  endMs: number | null
  endShift: number
}
