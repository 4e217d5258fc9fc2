import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveEvent, SearchResult, SessionList } from '@gemini-dash/api'
import { apiPaths, questionPath } from '@gemini-dash/api'
import type { Figure } from '../figures/figure.ts'
import { targets } from '../figures/targets.ts'
import type { RunningServer } from '../program/running-server.ts'
import { type Workbench, withReadyServer } from '../program/workbench.ts'

const APPENDS_PER_RUN = 8
/** Longer than the interval in which changes are announced together. */
const PAUSE_MS = 300
const GIVE_UP_MS = 5_000
const SEARCH_EVERY_MS = 5
const SESSION_ID = 'a11e57ed-0000-4000-8000-000000000000'
const FILE_NAME = 'session-2026-01-01T00-00-a11e57ed.jsonl'

/** The time from a message, written as the CLI writes it, until a client is notified, and until its words are found. */
export async function benchAppend(bench: Workbench): Promise<Figure[]> {
  const path = join(bench.home, 'tmp', 'app-0', 'chats', FILE_NAME)
  const startTime = new Date().toISOString()
  writeFileSync(
    path,
    `${JSON.stringify({ sessionId: SESSION_ID, projectHash: '0'.repeat(64), startTime, lastUpdated: startTime, kind: 'main' })}\n`,
  )
  const remove = (): void => rmSync(path, { force: true })
  process.once('exit', remove)
  try {
    appendMessage(path, 'the first words')
    return await withReadyServer(bench, {}, (server) => measure(bench, server, path))
  } finally {
    remove()
  }
}

async function measure(bench: Workbench, server: RunningServer, path: string): Promise<Figure[]> {
  const { sessions } = await server.get<SessionList>(questionPath('sessions', { limit: 1000 }))
  const key = sessions.find(({ sessionId }) => sessionId === SESSION_ID)?.key
  const { nextChange, close } = await followChanges(server, key ?? '')
  const told: number[] = []
  const found: number[] = []
  const problems = new Set<string>()
  for (let time = 0; time < bench.options.runs * APPENDS_PER_RUN; time += 1) {
    await sleep(PAUSE_MS)
    const word = `append${String(time).padStart(5, '0')}x`
    const change = nextChange()
    const startedAt = performance.now()
    const sinceStart = (): number => performance.now() - startedAt
    appendMessage(path, word)
    if (await change) told.push(sinceStart())
    else problems.add(`no event within ${GIVE_UP_MS} ms`)
    if (await isFound(server, word, sinceStart)) found.push(sinceStart())
    else problems.add(`${word} is not found within ${GIVE_UP_MS} ms`)
  }
  close()
  const shared = { benchmark: 'append', unit: 'ms', problems: [...problems] } as const
  return [
    {
      ...shared,
      name: 'append to event at a client',
      values: told,
      target: targets.appendToEvent,
      checked: 'one event an append',
    },
    { ...shared, name: 'append to found by search', values: found, checked: 'exactly one hit' },
  ]
}

interface Changes {
  /** Waits for the next event of the session; false if none comes. */
  nextChange: () => Promise<boolean>
  close: () => void
}

async function followChanges(server: RunningServer, key: string): Promise<Changes> {
  let heard: () => void = () => undefined
  const stream = await server.open(apiPaths.events())
  createInterface(stream).on('line', (line) => {
    if (!line.startsWith('data:')) return
    const event: LiveEvent = JSON.parse(line.slice('data:'.length))
    if (event.kind === 'changed' && event.sessionKey === key) heard()
  })
  const nextChange = (): Promise<boolean> =>
    new Promise((resolve) => {
      const givingUp = setTimeout(() => resolve(false), GIVE_UP_MS)
      heard = () => {
        clearTimeout(givingUp)
        resolve(true)
      }
    })
  return { nextChange, close: () => stream.destroy() }
}

async function isFound({ get }: RunningServer, word: string, sinceStart: () => number): Promise<boolean> {
  while (sinceStart() < GIVE_UP_MS) {
    const { messageTotal } = await get<SearchResult>(questionPath('search', { q: word }))
    if (messageTotal === 1) return true
    await sleep(SEARCH_EVERY_MS)
  }
  return false
}

function appendMessage(path: string, text: string): void {
  const timestamp = new Date().toISOString()
  const message = { id: `bench-${text}`, timestamp, type: 'user', content: [{ text }] }
  appendFileSync(path, `${JSON.stringify(message)}\n`)
  appendFileSync(path, `${JSON.stringify({ $set: { lastUpdated: timestamp } })}\n`)
}
