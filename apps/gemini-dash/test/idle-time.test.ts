import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sessionQuerySchema } from '@gemini-dash/api'
import { findHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { machineTime } from '../../../fixtures/machine-time.ts'
import { createStore } from '../src/store/create-store.ts'
import type { Store } from '../src/store/store.ts'
import { workerUrl } from './open-test-server.ts'

const OUTPUT_LENGTH = 64 * 1024
/** Of 16 MB and more is prepared what nobody writes to, at first as soon as it rests for some seconds. */
const LARGE = 270
const SMALL = 3
/** So are sessions of so many messages, however short. */
const MANY = 4_000
const LONG_AGO = new Date(machineTime().getTime() - 10 * 60_000)
const JUST_NOW = new Date(machineTime().getTime() - 15_000)

describe('in idle time', () => {
  let folder: string
  let store: Store
  const chats = () => join(folder, '.gemini', 'tmp', 'webshop', 'chats')
  const fileOf = (id: string) => join(chats(), `session-2026-11-21T20-00-${id}.jsonl`)

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gemini-dash-idle-'))
    mkdirSync(chats(), { recursive: true })
    writeFileSync(join(chats(), '..', '.project_root'), '/home/mia/webshop')
    for (const [id, messages] of [
      ['1a1a1a1a', LARGE],
      ['2b2b2b2b', SMALL],
    ] as const) {
      writeFileSync(fileOf(id), logOf(id, messages))
      utimesSync(fileOf(id), LONG_AGO, LONG_AGO)
    }
    writeFileSync(fileOf('3c3c3c3c'), logOf('3c3c3c3c', LARGE))
    utimesSync(fileOf('3c3c3c3c'), JUST_NOW, JUST_NOW)
    writeFileSync(fileOf('4d4d4d4d'), logOf('4d4d4d4d', MANY, 64))
    utimesSync(fileOf('4d4d4d4d'), LONG_AGO, LONG_AGO)
    store = await createStore({
      homes: findHomes({ homeArguments: [join(folder, '.gemini')], env: {}, userHome: folder }),
      cacheDirectory: join(folder, 'cache'),
      workerUrls: { index: workerUrl('index-worker.js'), reader: workerUrl('reader-worker.js') },
      isWatching: true,
      version: '0.0.0-test',
      isDemo: false,
      // by the load that indexing has left
      idleTime: { lookIntervalMs: 100, quietMs: 0, isMachineBusy: () => true },
    })
    await store.whenReady()
  })
  afterEach(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })

  /** Names of what is kept of large sessions. */
  function prepared(): string[] {
    const [index] = readdirSync(join(folder, 'cache'))
    const opened = join(folder, 'cache', index ?? '', 'opened')
    return existsSync(opened) ? readdirSync(opened).filter((name) => !name.endsWith('.unfinished')) : []
  }

  it('large and long sessions that rest are prepared, open as before, and leave nothing when deleted', async () => {
    // of each what it holds without its large texts, and what its page begins with
    const kinds = () => prepared().map((name) => name.split('.').at(-1))
    const both = ['detail', 'detail', 'detail', 'skeleton', 'skeleton', 'skeleton']
    await expect.poll(() => kinds().sort(), { interval: 100 }).toEqual(both)
    const { sessions } = await store.sessions(sessionQuerySchema.parse({}))
    const large = sessions.find(({ sessionId }) => sessionId.startsWith('1a1a1a1a'))
    const messages = await store.content.allMessages(large?.key ?? '')
    expect(messages).toHaveLength(LARGE)
    expect(messages?.at(-1)?.toolCalls[0]?.output).toEqual({ kind: 'text', text: outputOf(LARGE - 1) })
    const long = sessions.find(({ sessionId }) => sessionId.startsWith('4d4d4d4d'))
    expect(await store.content.allMessages(long?.key ?? '')).toHaveLength(MANY)
    // Not the small one.
    expect(kinds().sort()).toEqual(both)
    rmSync(fileOf('1a1a1a1a'))
    rmSync(fileOf('3c3c3c3c'))
    rmSync(fileOf('4d4d4d4d'))
    await vi.waitFor(() => expect(prepared()).toEqual([]), { timeout: 60_000, interval: 100 })
  }, 180_000)
})

function logOf(id: string, messages: number, outputLength = OUTPUT_LENGTH): string {
  const start = '2026-11-21T20:00:00.000Z'
  const head = {
    sessionId: `${id}-1b1b-4c4c-8d8d-2e2e2e2e2e2e`,
    projectHash: 'webshop',
    startTime: start,
    lastUpdated: start,
  }
  const rows = Array.from({ length: messages }, (_, n) => ({
    id: `message-${n}`,
    timestamp: new Date(Date.parse(start) + n * 1_000).toISOString(),
    type: 'gemini',
    content: `answer ${n}`,
    model: 'gemini-2.5-pro',
    toolCalls: [
      {
        id: `call-${n}`,
        name: 'run_shell_command',
        args: { command: 'make' },
        status: 'success',
        timestamp: start,
        result: [
          {
            functionResponse: {
              id: `call-${n}`,
              name: 'run_shell_command',
              response: { output: outputOf(n, outputLength) },
            },
          },
        ],
      },
    ],
  }))
  return [head, ...rows].map((row) => `${JSON.stringify(row)}\n`).join('')
}

function outputOf(n: number, length = OUTPUT_LENGTH): string {
  return `${n} `.padEnd(length, 'line of an output\n')
}
