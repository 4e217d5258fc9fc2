import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Page } from '@playwright/test'
import { findBrowser } from '../../scripts/steps/find-browser.mjs'
import type { FaultPart } from '../fault-part.ts'
import { expectAnswers, freshAnswers } from '../oracle/expect-fresh.ts'
import { expectHealthyEnd } from '../oracle/expect-healthy-end.ts'
import { foldersIn, startServer } from '../program/start-server.ts'
import { startWriting } from '../stand-in/writing-process.ts'
import type { Trial } from '../trial.ts'

const CLIENTS = 20
const TABS = 2
const WRITING_MS = 4_000
const BOUNDED_WRITING_MS = 2_000
const DRAWN_MS = 60_000
const ASKED = ['/api/events', '/api/sessions?kind=all&limit=1000', '/api/search?q=answer&limit=1000']

export const silentClients: FaultPart = {
  name: 'silent-clients',
  does: 'R53: twenty clients ask for event streams and large answers and never read them, while two tabs of a browser look on and files are written',
  needs: [],
  run: async (trial) => {
    const executablePath = findBrowser()
    const browser = executablePath ? await chromium.launch({ executablePath }) : null
    try {
      while (trial.hasTime()) await runOnce(trial, browser)
    } finally {
      await browser?.close()
    }
  },
}

async function runOnce(trial: Trial, browser: Browser | null): Promise<void> {
  const places = foldersIn(trial.newFolder())
  mkdirSync(places.home)
  const seed = trial.random.integer(1, 1_000_000)
  trial.at(`silent clients (stand-in ${seed})`)
  const server = await startServer({ program: trial.program, ...places })
  const writing = startWriting(places.home, { seed, tearShare: 0, pauseMs: 10, signal: trial.signal })
  // Later clients must still be accepted.
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, (_, number) => silentClient(server.port, number)),
  )
  trial.addFaults(CLIENTS)
  const tabs = await openTabs(trial, browser, server.port)
  await sleep(trial.isBounded ? BOUNDED_WRITING_MS : WRITING_MS)
  await writing.end()
  const fresh = await freshAnswers(trial, places.home)
  await expectAnswers(trial, server, fresh, { hasLookedOn: true })
  // the page's list omits empty sessions
  const main = fresh.rows.filter(
    ({ kind, parentKey, empty }) => kind === 'main' && parentKey === null && !empty,
  )
  for (const [place, tab] of tabs.entries()) {
    await tab.bringToFront()
    const drawn = main.map(({ key }) =>
      tab.locator(`a[href^="/s/${key}"]`).first().waitFor({ timeout: DRAWN_MS }),
    )
    await Promise.all(drawn).catch((error) =>
      trial.addDifferences([`tab ${place + 1} does not show every session: ${error.message}`]),
    )
    await tab.close()
  }
  // They are still connected when it ends.
  await expectHealthyEnd(trial, server)
  for (const client of clients) client.destroy()
}

/** Sends its request and then reads nothing. */
async function silentClient(port: number, number: number): Promise<Socket> {
  const client = connect(port, '127.0.0.1')
  await once(client, 'connect')
  client.on('error', () => undefined)
  client.pause()
  const path = ASKED[number % ASKED.length]
  client.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  return client
}

async function openTabs(trial: Trial, browser: Browser | null, port: number): Promise<Page[]> {
  if (browser === null) return []
  const context = await browser.newContext()
  const pages = await Promise.all(Array.from({ length: TABS }, () => context.newPage()))
  for (const page of pages) {
    page.on('pageerror', (error) => trial.addDifferences([`in a tab: ${error.message}`]))
    await page.goto(`http://127.0.0.1:${port}/`)
  }
  return pages
}
