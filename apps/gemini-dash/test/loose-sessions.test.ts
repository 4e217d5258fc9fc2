import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { searchQuerySchema, sessionQuerySchema } from '@gemini-dash/api'
import { findHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createStore } from '../src/store/create-store.ts'
import type { Store } from '../src/store/store.ts'
import { workerUrl } from './open-test-server.ts'

const WITH_FILE = '1a1a1a1a-1b1b-4c4c-8d8d-2e2e2e2e2e2e'
const WITHOUT_FILE = '2b2b2b2b-1b1b-4c4c-8d8d-2e2e2e2e2e2e'
const START = '2026-11-21T20:00:00.000Z'

describe('prompt logs and saved chats', () => {
  let folder: string
  let store: Store
  const project = () => join(folder, '.gemini', 'tmp', 'webshop')

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gemini-dash-loose-'))
    mkdirSync(join(project(), 'chats'), { recursive: true })
    writeFileSync(join(project(), '.project_root'), '/home/mia/webshop')
    writeSession(WITH_FILE, 'Where is the walrus?')
    writeFileSync(
      join(project(), 'logs.json'),
      JSON.stringify([
        {
          sessionId: WITH_FILE,
          messageId: 0,
          type: 'user',
          message: 'Where is the walrus?',
          timestamp: START,
        },
        {
          sessionId: WITHOUT_FILE,
          messageId: 0,
          type: 'user',
          message: 'Count the walrus tusks',
          timestamp: START,
        },
      ]),
    )
    writeFileSync(
      join(project(), 'checkpoint-before.json'),
      JSON.stringify([
        { role: 'user', parts: [{ text: 'Draw a walrus' }] },
        { role: 'model', parts: [{ text: 'Here is a walrus with whiskers.' }] },
      ]),
    )
    store = await openStore()
  })
  afterEach(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })

  function writeSession(sessionId: string, prompt: string): void {
    const rows = [
      { sessionId, projectHash: 'webshop', startTime: START, lastUpdated: START },
      { id: `p-${sessionId}`, timestamp: START, type: 'user', content: prompt },
    ]
    const path = join(project(), 'chats', `session-2026-11-21T20-00-${sessionId.slice(0, 8)}.jsonl`)
    writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  }

  async function openStore(): Promise<Store> {
    const opened = await createStore({
      homes: findHomes({ homeArguments: [join(folder, '.gemini')], env: {}, userHome: folder }),
      cacheDirectory: join(folder, 'cache'),
      workerUrls: { index: workerUrl('index-worker.js'), reader: workerUrl('reader-worker.js') },
      isWatching: true,
      version: '0.0.0-test',
      isDemo: false,
    })
    await opened.whenReady()
    return opened
  }

  /** Hits: kind of the session, and text. */
  async function found(q: string, mode = 'words'): Promise<string[]> {
    const { hits } = await store.search(searchQuerySchema.parse({ q, mode }))
    const { sessions } = await store.sessions(sessionQuerySchema.parse({ kind: 'all' }))
    return hits
      .map(({ sessionKey, snippet }) => {
        const session = sessions.find(({ key }) => key === sessionKey)
        return `${session?.kind}: ${snippet}`
      })
      .sort()
  }

  const EVERYTHING = [
    'checkpoint: Draw a walrus',
    'checkpoint: Here is a walrus with whiskers.',
    'main: Where is the walrus?',
    'prompts-only: Count the walrus tusks',
  ]

  it('are searched, in every mode, and opened by what is found', async () => {
    for (const mode of ['words', 'substring', 'regex'])
      expect(await found('walrus', mode), mode).toEqual(EVERYTHING)
    const { hits } = await store.search(searchQuerySchema.parse({ q: 'tusks' }))
    expect(await store.content.allMessages(hits[0]?.sessionKey ?? '')).toMatchObject([
      { key: hits[0]?.messageKey, content: [{ kind: 'text', text: 'Count the walrus tusks' }] },
    ])
  })

  it('are found after another start, as they were', async () => {
    await store.close()
    store = await openStore()
    expect(await found('walrus')).toEqual(EVERYTHING)
  })

  it('are told apart anew when a session file comes, and forgotten with their files', async () => {
    writeSession(WITHOUT_FILE, 'Count the walrus tusks')
    await expect.poll(() => found('tusks')).toEqual(['main: Count the walrus tusks'])
    rmSync(join(project(), 'checkpoint-before.json'))
    // Files beside sessions are scanned again with them.
    writeSession(WITH_FILE, 'Where is the other walrus?')
    await vi.waitFor(async () => {
      expect(await found('walrus')).toEqual([
        'main: Count the walrus tusks',
        'main: Where is the other walrus?',
      ])
    }, 60_000)
  })
})
