import { chromium, type Page } from '@playwright/test'
import { writeLongSession } from '../../../../../fixtures/large/write-long-session.ts'
import { findBrowser } from '../../../../../scripts/steps/find-browser.mjs'
import type { Figure } from '../../figures/figure.ts'
import { type Target, targets } from '../../figures/targets.ts'
import { newFolder, type Workbench, withReadyServer } from '../../program/workbench.ts'

const PATIENCE_MS = 120_000
/** Longer than the requests caused by an interaction. */
const SETTLED_MS = 700
/** Window size including its frame. A page emulated larger than its window paints the part outside only with the next visible change. */
const WINDOW = '--window-size=1440,987'

/** Each interaction from its event to the next paint, as reported by the browser, which omits those shorter than a frame. */
const WATCH = `
  globalThis.interactions = new Map()
  new PerformanceObserver((list) => {
    for (const { interactionId, name, duration } of list.getEntries()) {
      if (!interactionId) continue
      const longest = interactions.get(interactionId)
      if (longest === undefined || longest.duration < duration) interactions.set(interactionId, { name, duration })
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })`

type Step = [name: string, act: (page: Page) => Promise<unknown>]

const press = (key: string, times = 1): Step => [
  `${times > 1 ? `${times} times ` : ''}the key ${key}`,
  async (page) => {
    for (let time = 0; time < times; time += 1) await page.keyboard.press(key)
  },
]
const click = (name: string, selector: string): Step => [
  name,
  (page) => page.locator(selector).first().click({ timeout: 10_000 }),
]
const type = (name: string, text: string): Step => [name, (page) => page.keyboard.type(text, { delay: 60 })]

const ON_THE_LIST: Step[] = [
  press('j', 20),
  click('a star', '.session-row .star-button'),
  click('the filter Has errors', '.chip:has-text("Has errors")'),
  click('and off again', '.chip:has-text("Has errors")'),
  press('.'),
  press('.'),
  click('the title box', '.list-toolbar input'),
  type('words in it', 'fix the'),
  press('Control+a'),
  press('Backspace'),
  press('Escape'),
  press('Control+k'),
  type('words in the palette', 'pars'),
  press('Escape'),
  click('how a figure came about', '.session-row .dotted-button'),
  press('Escape'),
]

const IN_THE_SESSION: Step[] = [
  press('Shift+J', 5),
  press('j', 10),
  press('t'),
  press('Shift+T'),
  press('x'),
  press('Shift+X'),
  press('e'),
  press('m'),
  press('m'),
  press('Control+f'),
  press('f'),
  type('words in the find', 'the'),
  press('Enter', 3),
  press('Escape'),
  click('the filter Errors', '.chip-row .chip:has-text("Errors")'),
  click('and All', '.chip-row .chip:has-text("All")'),
  press('End'),
  press('Home'),
]

/** From a key press or click to the next paint, in the list of the home and in a long session. */
export async function benchInteraction(bench: Workbench): Promise<Figure[]> {
  const executablePath = findBrowser()
  const browser = await chromium.launch({
    args: [WINDOW],
    ...(executablePath !== undefined && { executablePath }),
  })
  const { largeSessionBytes, seed } = bench.options
  const longHome = newFolder(bench, 'interaction')
  const { sessionId, messages } = writeLongSession(longHome, { bytes: largeSessionBytes, seed, isLog: true })
  const { sessions } = bench.manifest
  const visit = async (port: number, path: string, drawn: string, steps: Step[]) => {
    const page = await browser.newPage({ viewport: null })
    await page.addInitScript(WATCH)
    await page.goto(`http://127.0.0.1:${port}${path}`, { timeout: PATIENCE_MS })
    await page.locator(drawn).first().waitFor({ timeout: PATIENCE_MS })
    await page.waitForTimeout(3 * SETTLED_MS)
    const done = await walk(page, steps)
    await page.close()
    return done
  }
  try {
    const list = await withReadyServer(bench, {}, ({ port }) => visit(port, '/', '.session-row', ON_THE_LIST))
    const place = { home: longHome, folder: newFolder(bench, 'interaction-cache') }
    const session = await withReadyServer(bench, place, ({ port }) =>
      visit(port, `/s/${sessionId}`, '.conversation[aria-busy=false] article', IN_THE_SESSION),
    )
    return [
      figure(`interaction to next paint, ${sessions} sessions`, list, targets.interactionOnList),
      figure(`the same, a session of ${messages} messages`, session, targets.interactionInSession),
    ]
  } finally {
    await browser.close()
  }
}

interface Done {
  times: number[]
  slowest: string
  problems: string[]
}

/** One step after the other, each with the time of its slowest interaction. */
async function walk(page: Page, steps: Step[]): Promise<Done> {
  const times: number[] = []
  const problems: string[] = []
  let slowest = { name: '', ms: 0 }
  for (const [name, act] of steps) {
    await page.evaluate('interactions.clear()')
    try {
      await act(page)
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`)
      continue
    }
    await page.waitForTimeout(SETTLED_MS)
    const found = await page.evaluate<number[]>('[...interactions.values()].map(({ duration }) => duration)')
    const ms = Math.max(0, ...found)
    times.push(ms)
    if (ms > slowest.ms) slowest = { name, ms }
  }
  return { times, slowest: slowest.name, problems }
}

function figure(name: string, { times, slowest, problems }: Done, target: Target): Figure {
  return {
    benchmark: 'interaction',
    name: `${name}; slowest: ${slowest}`,
    unit: 'ms',
    values: times,
    target,
    problems,
  }
}
